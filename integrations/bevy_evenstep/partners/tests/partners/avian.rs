//! Avian 0.7, which steps in `FixedPostUpdate`.

use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_evenstep::SmoothTransform;

use crate::apps::{DISPLAYS, Loop, Number, app, heap, play, steps_and_hash};

/// A platform that goes up and down by its velocity.
#[derive(Component)]
struct Lift;

/// Three seconds of a heap that falls on a floor and on a lift; some of its bodies have a second collider as a child. Each body has `extra`.
fn fallen(fixed: Loop, hertz: u32, per_second: u64, extra: impl Bundle + Clone) -> App {
    let mut app = app(fixed, hertz);
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
    let floor = (
        RigidBody::Static,
        Collider::cuboid(40.0, 1.0, 40.0),
        Transform::default(),
    );
    world.spawn((floor, extra.clone()));
    let lift = (RigidBody::Kinematic, Collider::cuboid(2.0, 0.5, 2.0), Lift, Number(100));
    world.spawn((lift, Transform::from_xyz(1.0, 1.0, 0.0), extra.clone()));
    for (number, place) in heap() {
        let body = (RigidBody::Dynamic, Collider::cuboid(1.0, 1.0, 1.0), number, place);
        let mut body = world.spawn((body, extra.clone()));
        if number.0.is_multiple_of(3) {
            body.with_child((Collider::sphere(0.4), Transform::from_xyz(0.0, 0.7, 0.2)));
        }
    }
    play(&mut app, per_second, 3);
    app
}

/// Restoring, keeping and drawing must not look like something that the game has written.
#[test]
fn bodies_child_colliders_and_a_lift_have_the_same_bits_with_smoothing_and_without_at_every_frame_rate() {
    let (steps, plain) = steps_and_hash(fallen(Loop::Bevys, 64, 64, ()));
    assert_eq!(steps, 192);
    for fixed in [Loop::Smooth, Loop::Exact] {
        for per_second in DISPLAYS {
            let bits = steps_and_hash(fallen(fixed, 64, per_second, SmoothTransform));
            assert_eq!(bits, (steps, plain), "{fixed:?} at {per_second} frames a second");
        }
    }
}

#[test]
fn at_60_hz_the_exact_loop_has_the_same_bits_at_every_frame_rate_and_bevys_is_a_step_behind() {
    let exact = DISPLAYS.map(|per_second| steps_and_hash(fallen(Loop::Exact, 60, per_second, SmoothTransform)));
    assert!(
        exact.iter().all(|other| *other == exact[0]) && exact[0].0 == 180,
        "{exact:?}"
    );
    assert_eq!(steps_and_hash(fallen(Loop::Smooth, 60, 144, SmoothTransform)).0, 179);
}

/// Avian has components of `bevy_transform_interpolation` on board, and its plugin for them.
#[test]
fn the_interpolation_that_avian_brings_along_works_beside_ours() {
    let drawn = [Loop::Bevys, Loop::Smooth, Loop::Exact].map(|fixed| {
        let mut app = fallen(fixed, 64, 144, avian3d::prelude::TransformInterpolation);
        let mut query = app.world_mut().query::<(&Number, &Transform, &Position)>();
        let mut bodies: Vec<_> = query
            .iter(app.world())
            .map(|(number, drawn, truth)| (*number, drawn.translation, truth.0))
            .collect();
        bodies.sort_by_key(|(number, ..)| *number);
        bodies
    });
    assert_eq!(drawn[0].len(), 13);
    for other in &drawn[1..] {
        for (bevys, ours) in drawn[0].iter().zip(other) {
            assert_eq!(bevys.2, ours.2, "the truth is the same");
            assert!((bevys.1 - ours.1).length() < 1e-5, "and so is what is drawn");
        }
    }
}
