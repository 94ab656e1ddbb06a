//! The three examples of `bevy_transform_interpolation` 0.5, by its names for what they use: one entity for each way to smooth.

use std::time::Duration;

use bevy_app::{App, FixedPreUpdate, FixedUpdate};
use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use bevy_evenstep::compat::{
    NoTransformEasing, RotationHermiteEasing, TransformExtrapolation, TransformExtrapolationPlugin,
    TransformHermiteEasing, TransformHermiteEasingPlugin, TransformInterpolation, TransformInterpolationPlugin,
    TranslationHermiteEasing, VelocitySource,
};
use bevy_math::{Quat, Vec2, Vec3};
use bevy_time::{Fixed, Time, TimePlugin};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;

use crate::frames::{begin, frame};

#[derive(Component, Default)]
struct LinearVelocity(Vec2);

#[derive(Component, Default)]
struct PreviousLinearVelocity(Vec2);

#[derive(Component, Default)]
struct AngularVelocity(f32);

#[derive(Component, Default)]
struct PreviousAngularVelocity(f32);

#[derive(QueryData)]
struct LinVelSource;

impl VelocitySource for LinVelSource {
    type Previous = PreviousLinearVelocity;
    type Current = LinearVelocity;

    fn previous(start: &Self::Previous) -> Vec3 {
        start.0.extend(0.0)
    }

    fn current(end: &Self::Current) -> Vec3 {
        end.0.extend(0.0)
    }
}

#[derive(QueryData)]
struct AngVelSource;

impl VelocitySource for AngVelSource {
    type Previous = PreviousAngularVelocity;
    type Current = AngularVelocity;

    fn previous(start: &Self::Previous) -> Vec3 {
        Vec3::Z * start.0
    }

    fn current(end: &Self::Current) -> Vec3 {
        Vec3::Z * end.0
    }
}

fn update_previous_velocity(
    mut linear: Query<(&LinearVelocity, &mut PreviousLinearVelocity)>,
    mut angular: Query<(&AngularVelocity, &mut PreviousAngularVelocity)>,
) {
    linear.iter_mut().for_each(|(now, mut before)| before.0 = now.0);
    angular.iter_mut().for_each(|(now, mut before)| before.0 = now.0);
}

fn movement(mut all: Query<(&mut Transform, &LinearVelocity, &AngularVelocity)>, time: Res<Time>) {
    for (mut transform, linear, angular) in &mut all {
        transform.translation += linear.0.extend(0.0) * time.delta_secs();
        transform.rotate_z(angular.0 * time.delta_secs());
    }
}

#[test]
fn programs_with_the_names_of_bevy_transform_interpolation_are_drawn_as_there() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, TransformPlugin, TransformInterpolationPlugin::default()))
        .add_plugins((
            TransformExtrapolationPlugin::<LinVelSource, AngVelSource>::default(),
            TransformHermiteEasingPlugin::<LinVelSource, AngVelSource>::default(),
        ))
        .insert_resource(Time::<Fixed>::from_hz(5.0))
        .add_systems(FixedPreUpdate, update_previous_velocity)
        .add_systems(FixedUpdate, movement);
    app.register_required_components::<TranslationHermiteEasing, PreviousLinearVelocity>();
    app.register_required_components::<RotationHermiteEasing, PreviousAngularVelocity>();
    let body = || {
        let (linear, angular) = (LinearVelocity(Vec2::X * 250.0), AngularVelocity(2.0));
        (Transform::default(), linear, angular)
    };
    let world = app.world_mut();
    let all = [
        world.spawn((body(), TransformInterpolation)).id(),
        world
            .spawn((body(), TransformInterpolation, TransformHermiteEasing))
            .id(),
        world.spawn((body(), TransformExtrapolation)).id(),
        world.spawn((body(), TransformInterpolation, NoTransformEasing)).id(),
    ];
    begin(&mut app);
    (0..9).for_each(|_| frame(&mut app, Duration::from_millis(100)));
    // After four steps of 0.2 s, and a half of the next one.
    for (entity, seconds) in all.into_iter().zip([0.7, 0.7, 0.9, 0.8]) {
        let drawn = app.world().get::<Transform>(entity).unwrap();
        let turned = (drawn.rotation * Quat::from_rotation_z(-2.0 * seconds)).xyz().length();
        let off = (drawn.translation.x - 250.0 * seconds).abs();
        assert!(off < 1e-2 && turned < 1e-3, "{drawn:?}, not of {seconds} s");
    }
}
