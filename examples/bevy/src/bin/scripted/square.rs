//! A square that the steps move: what the scripts show.

use bevy::prelude::*;
use bevy_evenstep::{ExactLoopPlugin, SmoothTransform, SmoothTransformPlugin};

use crate::display::SimulatedDisplayPlugin;

/// Moves by so many pixels in each step.
#[derive(Component)]
pub(crate) struct Speed(pub(crate) f32);

/// Steps at a rate on a simulated display, and moves squares.
pub(crate) fn plugin(rate: u32) -> impl Fn(&mut App) {
    move |app| {
        let smooth = SmoothTransformPlugin::default();
        app.add_plugins((smooth, ExactLoopPlugin::hz(rate), SimulatedDisplayPlugin))
            .add_systems(Startup, |mut commands: Commands| {
                commands.spawn(Camera2d);
            })
            .add_systems(FixedUpdate, walk);
    }
}

/// A square of 40 pixels on the left.
pub(crate) fn square(speed: f32) -> impl Bundle {
    let square = Sprite::from_color(Color::WHITE, Vec2::splat(40.0));
    let place = Transform::from_xyz(-200.0, 0.0, 0.0);
    (Speed(speed), square, place, SmoothTransform)
}

fn walk(mut squares: Query<(&mut Transform, &Speed)>) {
    for (mut square, speed) in &mut squares {
        square.translation.x += speed.0;
    }
}
