//! What happens to transforms that are written outside steps.

use evenstep::Smoothing;
use std::time::Duration;

use crate::frames::{frame, frames};
use crate::moving::{Moves, along_x, app, at, drawn, drawn_x, x};
use bevy_app::{App, Update};
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::prelude::*;
use bevy_evenstep::{
    LastFrame, Teleport, TransformExtrapolation, TransformHermite, TransformInterpolation, TransformVelocity,
};
use bevy_math::{Quat, Vec3};
use bevy_transform::components::Transform;

const MS: Duration = Duration::from_millis(1);

/// The ways to smooth, by which all of this must be the same.
const KINDS: [fn(&mut EntityWorldMut); 3] = [
    |entity| _ = entity.insert(TransformInterpolation),
    |entity| _ = entity.insert(TransformHermite),
    |entity| _ = entity.insert(TransformExtrapolation::default()),
];

/// An entity that goes 1 along x and turns by 0.2 in a step, ten times a second.
fn spawn(app: &mut App, kind: fn(&mut EntityWorldMut)) -> Entity {
    let moves = Moves { turn: 0.2, ..along_x() };
    let velocity = TransformVelocity {
        linear: Vec3::X * 10.0,
        angular: Vec3::Y * 2.0,
    };
    let mut entity = app.world_mut().spawn((moves, velocity));
    kind(&mut entity);
    entity.id()
}

/// How far steps have brought an entity, at the time that is drawn.
fn expected_x(app: &App, kind: usize) -> f32 {
    let frame = app.world().resource::<LastFrame>();
    let ahead = if kind == 2 { 1.0 } else { 0.0 };
    (frame.shown_time(Smoothing::Interpolate).as_secs_f64() * 10.0 + ahead) as f32
}

fn angle(transform: &Transform) -> f32 {
    2.0 * transform.rotation.y.atan2(transform.rotation.w)
}

/// As 2D games do that sort sprites by depth.
#[test]
fn a_depth_that_is_set_in_each_frame_is_drawn_exactly_and_the_other_axes_are_interpolated() {
    for (number, kind) in KINDS.into_iter().enumerate() {
        for per_second in [4, 30, 60, 144, 1000] {
            let mut app = app();
            let player = spawn(&mut app, kind);
            app.add_systems(Update, |mut query: Query<&mut Transform>| {
                query
                    .iter_mut()
                    .for_each(|mut sprite| sprite.translation.z = (sprite.translation.x * 0.7).sin());
            });
            for delta in frames(per_second, 2) {
                frame(&mut app, delta);
                let (drawn, truth) = (drawn(&app, player).translation, at(&app, player).translation);
                assert_eq!(truth.z, (truth.x * 0.7).sin());
                assert!((drawn.z - truth.z).abs() < 1e-6, "kind {number} at {per_second} Hz");
                let off = (drawn.x - expected_x(&app, number)).abs();
                assert!((number == 2 && truth.x == 0.0) || off < 1e-4, "{off} of kind {number}");
            }
        }
    }
}

#[test]
fn mouse_look_outside_steps_turns_a_body_that_is_still_drawn_on_its_way() {
    for (number, kind) in KINDS.into_iter().enumerate() {
        for per_second in [4, 30, 60, 144, 1000] {
            let mut app = app();
            let player = spawn(&mut app, kind);
            app.world_mut().get_mut::<Moves>(player).unwrap().turn = 0.0;
            app.world_mut().get_mut::<TransformVelocity>(player).unwrap().angular = Vec3::ZERO;
            let look =
                |mut query: Query<&mut Transform>| query.iter_mut().for_each(|mut player| player.rotate_y(0.001));
            app.add_systems(Update, look);
            for (frames, delta) in frames(per_second, 2).enumerate() {
                frame(&mut app, delta);
                let (drawn, expected) = (drawn(&app, player), expected_x(&app, number));
                let off = (drawn.translation.x - expected).abs();
                let has_begun = number < 2 || x(&app, player) > 0.0;
                assert!(
                    !has_begun || off < 1e-4,
                    "{off} of kind {number} at {per_second} frames a second"
                );
                let by_hand = 0.001 * (frames + 1) as f32;
                assert!((angle(&drawn) - by_hand).abs() < 1e-4, "kind {number}");
            }
            assert_eq!(x(&app, player), 20.0, "the steps have seen whole numbers only");
        }
    }
}

#[test]
fn a_relative_write_in_update_loses_nothing_at_any_frame_rate_and_is_drawn_at_once() {
    for (number, kind) in KINDS.into_iter().enumerate() {
        for per_second in [30, 60, 144, 240] {
            let mut app = app();
            let ball = spawn(&mut app, kind);
            let push = |mut query: Query<&mut Transform, With<Moves>>| {
                query.iter_mut().for_each(|mut ball| ball.translation.x += 0.25);
            };
            app.add_systems(Update, push);
            frames(per_second, 2).enumerate().for_each(|(frames, delta)| {
                frame(&mut app, delta);
                let pushed = 0.25 * (frames + 1) as f32;
                let expected = expected_x(&app, number) + pushed;
                if x(&app, ball) > pushed {
                    assert!((drawn_x(&app, ball) - expected).abs() < 1e-3, "kind {number}");
                }
            });
            assert_eq!(x(&app, ball), 20.0 + 0.25 * 2.0 * per_second as f32);
        }
    }
}

#[test]
fn a_body_set_elsewhere_in_update_is_not_drawn_on_the_way_and_continues_from_there() {
    for (number, kind) in KINDS.into_iter().enumerate() {
        for wait in [0, 30] {
            let mut app = app();
            let ball = spawn(&mut app, kind);
            app.world_mut().get_mut::<Moves>(ball).unwrap().grow = 1.0;
            frame(&mut app, 325 * MS);
            app.world_mut().get_mut::<Transform>(ball).unwrap().translation = Vec3::X * 50.0;
            frame(&mut app, wait * MS);
            let (drawn_there, off) = (drawn(&app, ball), expected_x(&app, number) - 3.0);
            assert_eq!(x(&app, ball), 50.0);
            assert!((drawn_there.translation.x - 50.0 - off).abs() < 1e-5, "kind {number}");
            let angle_there = 0.02 * expected_x(&app, number) * 10.0;
            assert!(
                (angle(&drawn_there) - angle_there).abs() < 1e-4,
                "the turn is drawn as before"
            );
            let scale = if number == 0 { 1.0 + expected_x(&app, 0) } else { 4.0 };
            assert!((drawn_there.scale.x - scale).abs() < 1e-5, "kind {number}");
            frame(&mut app, (125 - wait) * MS);
            assert_eq!(x(&app, ball), 51.0);
            let off = expected_x(&app, number) - 4.0;
            assert!((drawn_x(&app, ball) - 51.0 - off).abs() < 1e-5, "kind {number}");
        }
    }
}

#[test]
fn a_body_that_is_put_elsewhere_and_marked_in_update_is_there_exactly() {
    for kind in KINDS {
        let mut app = app();
        let ball = spawn(&mut app, kind);
        frame(&mut app, 325 * MS);
        let mut entity = app.world_mut().entity_mut(ball);
        entity.get_mut::<Teleport>().unwrap().mark();
        entity.get_mut::<Transform>().unwrap().translation.x = 50.0;
        frame(&mut app, 30 * MS);
        assert_eq!(drawn_x(&app, ball), 50.0);
    }
}

#[test]
fn a_body_that_was_nowhere_is_drawn_where_it_is_put() {
    for kind in KINDS {
        let mut app = app();
        let ball = spawn(&mut app, kind);
        frame(&mut app, 325 * MS);
        app.world_mut().get_mut::<Moves>(ball).unwrap().by = Vec3::NAN;
        frame(&mut app, 100 * MS);
        app.world_mut().get_mut::<Transform>(ball).unwrap().translation = Vec3::X * 50.0;
        frame(&mut app, 30 * MS);
        assert_eq!(drawn_x(&app, ball), 50.0);
    }
}

#[test]
fn a_look_at_a_transform_is_no_write() {
    let draw = |kind, looks: bool| {
        let mut app = app();
        let ball = spawn(&mut app, kind);
        if looks {
            app.add_systems(Update, |mut query: Query<&mut Transform>| {
                query.iter_mut().for_each(|mut transform| transform.set_changed());
            });
        }
        let drawn = frames(144, 2).map(|delta| {
            frame(&mut app, delta);
            let drawn = drawn(&app, ball);
            (
                drawn.translation.x.to_bits(),
                drawn.rotation.to_array().map(f32::to_bits),
            )
        });
        drawn.collect::<Vec<_>>()
    };
    for kind in KINDS {
        assert!(draw(kind, true) == draw(kind, false));
    }
}

#[test]
fn an_entity_that_is_no_longer_smoothed_keeps_the_written_fields() {
    for kind in KINDS {
        let mut app = app();
        let ball = spawn(&mut app, kind);
        frame(&mut app, 325 * MS);
        let turned = Quat::from_rotation_y(1.0);
        app.world_mut().get_mut::<Transform>(ball).unwrap().rotation = turned;
        let mut entity = app.world_mut().entity_mut(ball);
        entity.remove::<(TransformInterpolation, TransformHermite, TransformExtrapolation)>();
        assert_eq!((x(&app, ball), at(&app, ball).rotation), (3.0, turned));
        assert_eq!(drawn_x(&app, ball), 3.0, "at once");
    }
}

#[test]
fn a_write_to_a_body_at_rest_outside_steps_is_a_teleport() {
    fn check(moving: usize, resting: usize, frames: &[u32]) {
        let mut app = app();
        let ball = app.world_mut().spawn(TransformInterpolation).id();
        (0..moving).for_each(|_| _ = app.world_mut().spawn((TransformInterpolation, along_x())));
        (0..resting).for_each(|_| _ = app.world_mut().spawn(TransformInterpolation));
        frame(&mut app, 325 * MS);
        app.world_mut().get_mut::<Transform>(ball).unwrap().translation.x = 50.0;
        app.world_mut().entity_mut(ball).insert(along_x());
        frames.iter().for_each(|millis| frame(&mut app, *millis * MS));
        assert_eq!(drawn_x(&app, ball), 50.25, "not between 0 and 51");
    }
    for (moving, resting) in [(0, 0), (1, 0), (1, 20)] {
        check(moving, resting, &[100]);
        check(moving, resting, &[10, 90]);
    }
}

#[test]
fn a_scale_that_is_written_outside_steps_does_not_move_the_body() {
    let mut app = app();
    let ball = app.world_mut().spawn((TransformInterpolation, along_x())).id();
    frame(&mut app, 325 * MS);
    app.world_mut().get_mut::<Transform>(ball).unwrap().scale = Vec3::splat(3.0);
    frame(&mut app, 100 * MS);
    assert_eq!((drawn_x(&app, ball), drawn(&app, ball).scale), (3.25, Vec3::splat(3.0)));
}

#[test]
fn an_entity_that_gets_another_parent_in_update_is_drawn_there_at_once() {
    for kind in KINDS {
        let mut app = app();
        let big = Transform::from_xyz(1000.0, 0.0, 0.0).with_scale(Vec3::splat(100.0));
        let ship = app.world_mut().spawn(big).id();
        let pilot = spawn(&mut app, kind);
        frame(&mut app, 325 * MS);
        let mut entity = app.world_mut().entity_mut(pilot);
        entity.insert(ChildOf(ship));
        entity.get_mut::<Transform>().unwrap().translation.x = -1.0;
        frame(&mut app, 30 * MS);
        assert_eq!(drawn_x(&app, pilot), 900.0);
    }
}
