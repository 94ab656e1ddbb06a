//! Avian 0.7, which steps in `FixedPostUpdate`.

use avian2d::prelude::*;
use bevy::prelude::*;

use crate::apps::{DISPLAYS, Loop, Number, app, heap, play, steps_and_hash};

/// Three seconds of a heap that falls on a floor.
fn fallen(fixed: Loop, hertz: u32, per_second: u64, body: impl Bundle + Clone) -> App {
    let mut app = app(fixed, hertz);
    app.add_plugins(PhysicsPlugins::default());
    let world = app.world_mut();
    world.spawn((RigidBody::Static, Collider::rectangle(40.0, 1.0), Transform::default()));
    for (number, place) in heap() {
        world.spawn((
            RigidBody::Dynamic,
            Collider::rectangle(1.0, 1.0),
            number,
            place,
            body.clone(),
        ));
    }
    play(&mut app, per_second, 3);
    app
}

#[test]
fn at_30_60_144_and_1000_frames_a_second_the_bits_are_the_same() {
    let all = DISPLAYS.map(|per_second| steps_and_hash(fallen(Loop::Ours, 60, per_second, ())));
    assert!(all.iter().all(|other| *other == all[0]) && all[0].0 == 180, "{all:?}");
}

/// 1/64 s is a whole number of nanoseconds, so Bevy's loop is exact as well.
#[test]
fn at_the_64_hz_of_bevys_default_both_loops_lead_to_the_same_bits() {
    let all = DISPLAYS
        .map(|per_second| [Loop::Bevys, Loop::Ours].map(|fixed| steps_and_hash(fallen(fixed, 64, per_second, ()))));
    assert!(all.as_flattened().iter().all(|other| *other == all[0][0]), "{all:?}");
    assert_eq!(all[0][0].0, 192);
}

/// Avian steps in the fixed loop, so under Bevy's it has the same bits at every frame rate as well, a step too late.
#[test]
fn at_60_hz_bevys_loop_is_a_step_behind_after_three_seconds() {
    let bevys = DISPLAYS.map(|per_second| steps_and_hash(fallen(Loop::Bevys, 60, per_second, ())));
    let ours = steps_and_hash(fallen(Loop::Ours, 60, 60, ()));
    assert_eq!((bevys[0].0, ours.0), (179, 180));
    assert!(
        bevys.iter().all(|other| *other == bevys[0]) && bevys[0].1 != ours.1,
        "{bevys:?}"
    );
}

/// What is drawn must not look like something that the game has written.
#[test]
fn drawing_between_steps_does_not_change_the_bits() {
    let plain = steps_and_hash(fallen(Loop::Ours, 60, 144, ()));
    for per_second in DISPLAYS {
        let app = fallen(Loop::Ours, 60, per_second, bevy_evenstep::TransformInterpolation);
        assert_eq!(steps_and_hash(app), plain, "at {per_second} frames a second");
    }
}

/// Avian has its own components of `bevy_transform_interpolation` on board.
#[test]
fn the_interpolation_that_avian_brings_along_works_under_both_loops() {
    let drawn = [Loop::Bevys, Loop::Ours].map(|fixed| {
        let mut app = fallen(fixed, 64, 144, avian2d::prelude::TransformInterpolation);
        let mut query = app.world_mut().query::<(&Number, &Transform, &Position)>();
        let mut bodies: Vec<_> = query
            .iter(app.world())
            .map(|(number, drawn, truth)| (*number, drawn.translation.truncate(), truth.0))
            .collect();
        bodies.sort_by_key(|(number, ..)| *number);
        bodies
    });
    assert_eq!(drawn[0].len(), 12);
    for (bevys, ours) in drawn[0].iter().zip(&drawn[1]) {
        assert_eq!(bevys.2, ours.2, "the truth is the same");
        assert!((bevys.1 - ours.1).length() < 1e-5, "and so is what is drawn");
    }
}
