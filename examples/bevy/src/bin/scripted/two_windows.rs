//! A square that coarse steps move, in two windows: seen by a camera at rest, and by one that it carries.

use bevy::camera::RenderTarget;
use bevy::prelude::*;
use bevy::window::{PresentMode, WindowRef, WindowResolution};
use bevy_evenstep::{EvenstepPlugin, TransformInterpolation};
use bevy_evenstep_windows::display::{SimulatedDisplay, SimulatedDisplayPlugin};

use crate::pictures::Pictures;
use crate::stage::Ready;

/// The refresh rate of both windows in hertz. There are six frames for each step.
const REFRESH_RATE: u64 = 60;
/// In pixels per step.
const SPEED: f32 = 30.0;
/// The frames of which screenshots are taken.
const PICTURES: std::ops::Range<u64> = 60..72;

#[derive(Component)]
struct Square;

/// The second window.
#[derive(Component)]
struct Second;

pub(crate) fn play(app: &mut App, folder: &str) {
    app.add_plugins((EvenstepPlugin::hz(10), SimulatedDisplayPlugin))
        .insert_resource(Pictures::new(folder))
        .add_systems(Startup, set_up)
        .add_systems(FixedUpdate, walk)
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
    commands.spawn(Camera2d);
    let square = Sprite::from_color(Color::WHITE, Vec2::splat(40.0));
    let place = Transform::from_xyz(-200.0, 0.0, 0.0);
    let carried = (Camera2d, RenderTarget::Window(WindowRef::Entity(second)));
    commands
        .spawn((Square, square, place, TransformInterpolation))
        .with_child(carried);
}

fn walk(mut square: Single<&mut Transform, With<Square>>) {
    square.translation.x += SPEED;
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
