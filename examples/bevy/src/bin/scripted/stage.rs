//! A window whose games begin when all that draws them is there, and the end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::render::pipelined_rendering::PipelinedRenderingPlugin;
use bevy::render::render_resource::PipelineCache;
use bevy::render::{Render, RenderApp, RenderSystems};
use bevy::window::{PresentMode, WindowResolution};
use bevy::winit::WinitSettings;
use bevy_evenstep_windows::display::SimulatedDisplay;

/// The title of the window.
pub(crate) const TITLE: &str = "evenstep, scripted";
/// So many frames in a row without a shader to compile, and all are there.
const CALM: u32 = 10;
/// So many frames for anything that is waited for.
const PATIENCE: u32 = 5_000;

/// All that draws is there: the script goes on from here.
#[derive(Resource)]
pub(crate) struct Ready;

/// Whether frames are drawn. The processor draws slowly, and most frames are only counted.
#[derive(Resource)]
pub(crate) struct Draws(pub(crate) bool);

#[derive(Resource, Clone, Default)]
struct IsCompiling(Arc<AtomicBool>);

/// An app with a window, without a game.
pub(crate) fn app() -> App {
    let window = Window {
        title: TITLE.into(),
        resolution: WindowResolution::new(640, 360).with_scale_factor_override(1.0),
        present_mode: PresentMode::AutoNoVsync,
        ..default()
    };
    let windows = WindowPlugin {
        primary_window: Some(window),
        ..default()
    };
    let log = LogPlugin {
        filter: "warn".into(),
        ..default()
    };
    let mut app = App::new();
    // What a frame shows is drawn in that frame.
    app.add_plugins(
        DefaultPlugins
            .set(windows)
            .set(log)
            .disable::<PipelinedRenderingPlugin>(),
    );
    let is_compiling = IsCompiling::default();
    app.insert_resource(is_compiling.clone())
        .add_systems(PreUpdate, warm_up.run_if(not(resource_exists::<Ready>)))
        .insert_resource(Draws(true))
        .add_systems(Update, draw_or_not)
        .add_systems(Last, hurry);
    app.sub_app_mut(RenderApp)
        .insert_resource(is_compiling)
        .add_systems(Render, watch_compiler.in_set(RenderSystems::Cleanup));
    app
}

fn watch_compiler(cache: Res<PipelineCache>, is_compiling: Res<IsCompiling>) {
    let any = cache.waiting_pipelines().next().is_some();
    is_compiling.0.store(any, Ordering::Relaxed);
}

/// Lets time stand still until shaders are compiled.
fn warm_up(
    mut commands: Commands,
    mut display: ResMut<SimulatedDisplay>,
    is_compiling: Res<IsCompiling>,
    (mut calm, mut waited): (Local<u32>, Local<Patience>),
) {
    display.is_still = true;
    *calm = if is_compiling.0.load(Ordering::Relaxed) {
        0
    } else {
        *calm + 1
    };
    if *calm >= CALM {
        commands.insert_resource(Ready);
    }
    waited.wait_for("shaders");
}

fn draw_or_not(draws: Res<Draws>, ready: Option<Res<Ready>>, mut cameras: Query<&mut Camera>) {
    for mut camera in &mut cameras {
        camera.is_active = draws.0 || ready.is_none();
    }
}

/// No frame waits for real time.
fn hurry(mut settings: ResMut<WinitSettings>) {
    *settings = WinitSettings::continuous();
}

/// Waiting has an end.
#[derive(Default)]
pub(crate) struct Patience(u32);

impl Patience {
    /// Another frame has passed, and it is not there yet.
    pub(crate) fn wait_for(&mut self, what: &str) {
        self.0 += 1;
        assert!(self.0 < PATIENCE, "{what} did not come in {PATIENCE} frames");
    }
}
