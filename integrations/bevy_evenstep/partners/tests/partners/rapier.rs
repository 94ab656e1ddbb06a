//! `bevy_rapier2d` 0.37, which steps in `FixedUpdate` and reads and writes the transforms of its bodies there.

use bevy::prelude::*;
use bevy_evenstep::SmoothTransform;
use bevy_rapier2d::prelude::*;

use crate::apps::{DISPLAYS, Loop, Number, app, heap, play, steps_and_hash};

/// A platform that goes up and down by its velocity.
#[derive(Component)]
struct Lift;

fn move_lifts(mut lifts: Query<&mut Velocity, With<Lift>>, time: Res<Time>) {
    for mut lift in &mut lifts {
        *lift = Velocity::linear(Vec2::Y * (2.0 * time.elapsed_secs()).sin());
    }
}

/// Two seconds of a heap that falls on a floor and on a lift; some of its bodies have a second collider as a child. Each body has `extra`.
fn fallen(fixed: Loop, per_second: u64, extra: impl Bundle + Clone) -> App {
    let mut app = app(fixed, 64);
    app.insert_resource(TimestepMode::Fixed {
        dt: 1.0 / 64.0,
        substeps: 1,
    });
    app.add_plugins(RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule())
        .add_systems(FixedUpdate, move_lifts.before(PhysicsSet::SyncBackend));
    let world = app.world_mut();
    let floor = (RigidBody::Fixed, Collider::cuboid(20.0, 0.5), Transform::default());
    world.spawn((floor, extra.clone()));
    let lift = (
        RigidBody::KinematicVelocityBased,
        Velocity::default(),
        Collider::cuboid(1.0, 0.25),
    );
    let place = Transform::from_xyz(1.0, 1.0, 0.0);
    world.spawn((lift, Lift, Number(100), place, extra.clone()));
    for (number, place) in heap() {
        let body = (RigidBody::Dynamic, Collider::cuboid(0.5, 0.5), number, place);
        let mut body = world.spawn((body, extra.clone()));
        if number.0.is_multiple_of(3) {
            body.with_child((Collider::ball(0.4), Transform::from_xyz(0.0, 0.7, 0.0)));
        }
    }
    play(&mut app, per_second, 2);
    app
}

/// Not the bits of an app without our plugins: Bevy lists bodies in an order that depends on how many resources an app has, and Rapier solves them in
/// that order. One more resource of the game's own has the same effect.
#[test]
fn bodies_of_rapier_child_colliders_and_a_lift_have_the_same_bits_smoothed_and_not_at_every_frame_rate() {
    for fixed in [Loop::Smooth, Loop::Exact] {
        let (steps, plain) = steps_and_hash(fallen(fixed, 64, ()));
        assert_eq!(steps, 128);
        for per_second in DISPLAYS {
            let bits = steps_and_hash(fallen(fixed, per_second, SmoothTransform));
            assert_eq!(bits, (steps, plain), "{fixed:?} at {per_second} frames a second");
        }
    }
}
