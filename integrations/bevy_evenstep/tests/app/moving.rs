//! Entities that move in steps.

use std::time::Duration;

use crate::frames::begin;
use bevy_app::{App, FixedUpdate};
use bevy_ecs::prelude::*;
use bevy_evenstep::SmoothTransformPlugin;
use bevy_math::Vec3;
use bevy_time::{Fixed, Time, TimePlugin, Virtual};
use bevy_transform::TransformPlugin;
use bevy_transform::components::{GlobalTransform, Transform};

/// How far an entity moves in a step, and how it turns and grows.
#[derive(Component, Clone, Copy, Default)]
#[require(Transform)]
pub(crate) struct Moves {
    pub(crate) by: Vec3,
    pub(crate) turn: f32,
    pub(crate) grow: f32,
}

pub(crate) fn go(mut query: Query<(&mut Transform, &Moves)>) {
    for (mut transform, moves) in &mut query {
        transform.translation += moves.by;
        transform.rotate_y(moves.turn);
        transform.scale += Vec3::splat(moves.grow);
    }
}

/// Ten steps a second, of frames that Bevy believes though they last more than its 250 ms.
pub(crate) fn app() -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, SmoothTransformPlugin::default(), TransformPlugin))
        .insert_resource(Time::<Fixed>::from_hz(10.0))
        .add_systems(FixedUpdate, go);
    app.world_mut()
        .resource_mut::<Time<Virtual>>()
        .set_max_delta(Duration::from_secs(1));
    begin(&mut app);
    app
}

pub(crate) fn along_x() -> Moves {
    Moves {
        by: Vec3::X,
        ..Moves::default()
    }
}

/// What is drawn.
pub(crate) fn drawn(app: &App, entity: Entity) -> Transform {
    app.world().get::<GlobalTransform>(entity).unwrap().compute_transform()
}

pub(crate) fn drawn_x(app: &App, entity: Entity) -> f32 {
    app.world().get::<GlobalTransform>(entity).unwrap().translation().x
}
