//! The app for scripts. A script begins when the renderer is ready.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bevy::app::Main;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::render::pipelined_rendering::PipelinedRenderingPlugin;
use bevy::render::render_resource::PipelineCache;
use bevy::render::{Render, RenderApp, RenderSystems};
use bevy::window::{PresentMode, WindowResolution};
use bevy::winit::WinitSettings;

use crate::display::SimulatedDisplay;

/// The title of the window.
pub(crate) const TITLE: &str = "evenstep, scripted";
/// All shaders count as compiled after this number of frames in a row in which none was compiling.
const CALM: u32 = 10;
/// The largest number of frames to wait for anything.
const PATIENCE: u32 = 5_000;

/// Present once the renderer is ready. Then the script begins.
#[derive(Resource)]
pub(crate) struct Ready;

/// Whether this frame is drawn.
#[derive(Resource)]
pub(crate) struct Draws(pub(crate) bool);

#[derive(Resource, Clone, Default)]
struct IsCompiling(Arc<AtomicBool>);

/// An app with an empty window.
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
    // Without pipelined rendering a frame is drawn before the next one begins.
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
        .add_systems(Update, renew_images.run_if(|draws: Res<Draws>| draws.0))
        .add_systems(Last, hurry);
    app.sub_app_mut(RenderApp)
        .insert_resource(is_compiling)
        .add_systems(Render, watch_compiler.in_set(RenderSystems::Cleanup));
    skip_drawing(&mut app);
    app
}

fn watch_compiler(cache: Res<PipelineCache>, is_compiling: Res<IsCompiling>) {
    let any = cache.waiting_pipelines().next().is_some();
    is_compiling.0.store(any, Ordering::Relaxed);
}

/// Stops the time until the shaders are compiled.
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

/// Skips drawing between screenshots, because rendering on the processor is slow: then only the game runs.
fn skip_drawing(app: &mut App) {
    let renderer = app.sub_app_mut(RenderApp);
    let mut extract = renderer.take_extract().expect("Bevy draws what it extracts");
    let is_skipped = |game: &World| {
        let is_still = game.resource::<SimulatedDisplay>().is_still;
        game.contains_resource::<Ready>() && !game.resource::<Draws>().0 && !is_still
    };
    renderer.set_extract(move |game, renderer| {
        while is_skipped(game) {
            game.run_schedule(Main);
        }
        extract(game, renderer);
    });
}

/// Marks all images as changed, because the renderer has missed the changes of the frames that were not drawn, such as new glyphs.
fn renew_images(mut images: ResMut<Assets<Image>>) {
    images.iter_mut().for_each(drop);
}

/// Makes frames follow each other without waiting for real time.
fn hurry(mut settings: ResMut<WinitSettings>) {
    *settings = WinitSettings::continuous();
}

/// Counts frames while something is awaited.
#[derive(Default)]
pub(crate) struct Patience(u32);

impl Patience {
    /// Counts another frame of waiting for `what`, and panics after [`PATIENCE`] frames.
    pub(crate) fn wait_for(&mut self, what: &str) {
        self.0 += 1;
        assert!(self.0 < PATIENCE, "{what} did not come in {PATIENCE} frames");
    }
}
