//! A square that coarse steps move, in two windows: seen by a camera at rest, and by one that it carries.

use bevy::camera::RenderTarget;
use bevy::prelude::*;
use bevy::window::{PresentMode, WindowRef, WindowResolution};

use crate::display::SimulatedDisplay;
use crate::pictures::Pictures;
use crate::square;
use crate::stage::Ready;

/// The refresh rate of both windows in hertz. There are six frames for each step.
const REFRESH_RATE: u64 = 60;
/// In pixels per step.
const SPEED: f32 = 30.0;
/// The frames of which screenshots are taken.
const PICTURES: std::ops::Range<u64> = 60..72;

/// The second window.
#[derive(Component)]
struct Second;

pub(crate) fn play(app: &mut App, folder: &str) {
    app.add_plugins(square::plugin(10))
        .insert_resource(Pictures::new(folder))
        .add_systems(Startup, set_up)
        .add_systems(PreUpdate, begin.run_if(resource_added::<Ready>))
        .add_systems(
            PostUpdate,
            (take_pictures, end).chain().run_if(resource_exists::<Ready>),
        );
}

fn set_up(mut commands: Commands) {
    let window = Window {
        title: "the second window".into(),
        resolution: WindowResolution::new(640, 360).with_scale_factor_override(1.0),
        present_mode: PresentMode::AutoNoVsync,
        ..default()
    };
    let second = commands.spawn((window, Second)).id();
    let carried = (Camera2d, RenderTarget::Window(WindowRef::Entity(second)));
    commands.spawn(square::square(SPEED)).with_child(carried);
}

fn begin(mut display: ResMut<SimulatedDisplay>) {
    *display = SimulatedDisplay::new(REFRESH_RATE);
}

fn take_pictures(
    mut commands: Commands,
    (display, pictures): (Res<SimulatedDisplay>, Res<Pictures>),
    second: Single<Entity, With<Second>>,
) {
    if PICTURES.contains(&display.frames) {
        pictures.take(&mut commands, &format!("first_{}", display.frames));
        pictures.take_of(*second, &mut commands, &format!("second_{}", display.frames));
    }
}

fn end(display: Res<SimulatedDisplay>, pictures: Res<Pictures>, mut exit: MessageWriter<AppExit>) {
    if display.frames >= PICTURES.end && pictures.are_taken() {
        exit.write(AppExit::Success);
    }
}
