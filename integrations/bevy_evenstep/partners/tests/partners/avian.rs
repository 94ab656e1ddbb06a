//! Avian 0.8, which steps in `FixedPostUpdate`.

use avian2d::prelude::*;
use bevy::prelude::*;
use bevy_evenstep::SmoothTransform;

use crate::apps::{DISPLAYS, Loop, Number, app, heap, play, steps_and_hash};

/// A platform that goes up and down by its velocity.
#[derive(Component)]
struct Lift;

/// Two seconds of a heap that falls on a floor and on a lift; some of its bodies have a second collider as a child. Each body has `extra`.
fn fallen(fixed: Loop, per_second: u64, extra: impl Bundle + Clone) -> App {
    let mut app = app(fixed, 64);
    app.add_plugins((AssetPlugin::default(), PhysicsPlugins::default()))
        .init_asset::<Mesh>()
        .add_systems(
            FixedUpdate,
            |mut lifts: Query<&mut LinearVelocity, With<Lift>>, time: Res<Time>| {
                lifts
                    .iter_mut()
                    .for_each(|mut lift| lift.y = (2.0 * time.elapsed_secs()).sin());
            },
        );
    let world = app.world_mut();
    let floor = (RigidBody::Static, Collider::rectangle(40.0, 1.0), Transform::default());
    world.spawn((floor, extra.clone()));
    let lift = (RigidBody::Kinematic, Collider::rectangle(2.0, 0.5), Lift, Number(100));
    world.spawn((lift, Transform::from_xyz(1.0, 1.0, 0.0), extra.clone()));
    for (number, place) in heap() {
        let body = (RigidBody::Dynamic, Collider::rectangle(1.0, 1.0), number, place);
        let mut body = world.spawn((body, extra.clone()));
        if number.0.is_multiple_of(3) {
            body.with_child((Collider::circle(0.4), Transform::from_xyz(0.0, 0.7, 0.0)));
        }
    }
    play(&mut app, per_second, 2);
    app
}

/// Restoring, keeping and drawing must not look like something that the game has written.
#[test]
fn bodies_child_colliders_and_a_lift_have_the_same_bits_with_smoothing_and_without_at_every_frame_rate() {
    let (steps, plain) = steps_and_hash(fallen(Loop::Bevys, 64, ()));
    assert_eq!(steps, 128);
    for fixed in [Loop::Smooth, Loop::Exact] {
        for per_second in DISPLAYS {
            let bits = steps_and_hash(fallen(fixed, per_second, SmoothTransform));
            assert_eq!(bits, (steps, plain), "{fixed:?} at {per_second} frames a second");
        }
    }
}
