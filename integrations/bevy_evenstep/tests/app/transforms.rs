//! What is drawn between steps.

use evenstep::Smoothing;
use std::time::Duration;

use crate::frames::{frame, frames};
use crate::moving::{Moves, along_x, app, drawn, drawn_x, go, x};
use bevy_app::{FixedUpdate, Update};
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::prelude::*;
use bevy_evenstep::{
    LastFrame, NoTransformEasing, Teleport, TransformExtrapolation, TransformHermite, TransformInterpolation,
    TransformVelocity,
};
use bevy_math::{Quat, Vec3};
use bevy_transform::components::{GlobalTransform, Transform};

const MS: Duration = Duration::from_millis(1);

#[test]
fn it_is_drawn_where_the_frame_says_at_every_frame_rate() {
    for per_second in [30, 60, 144, 1000] {
        let mut app = app();
        let ball = app.world_mut().spawn((TransformInterpolation, along_x())).id();
        for delta in frames(per_second, 2) {
            frame(&mut app, delta);
            let expected = app
                .world()
                .resource::<LastFrame>()
                .shown_time(Smoothing::Interpolate)
                .as_secs_f32()
                * 10.0;
            assert!(
                (drawn_x(&app, ball) - expected).abs() < 1e-5,
                "{per_second} frames a second"
            );
            assert_eq!(x(&app, ball), app.world().resource::<LastFrame>().tick() as f32);
        }
    }
}

#[test]
fn steps_see_the_simulations_state_and_never_the_drawn_one() {
    #[derive(Resource, Default)]
    struct Seen(Vec<f32>);
    let seen = [30, 144, 1000].map(|per_second| {
        let mut app = app();
        app.init_resource::<Seen>();
        app.add_systems(
            FixedUpdate,
            (|query: Query<&Transform>, mut seen: ResMut<Seen>| {
                seen.0.extend(query.iter().map(|transform| transform.translation.x));
            })
            .before(go),
        );
        let moves = Moves {
            by: Vec3::X * 0.1,
            turn: 0.3,
            grow: 0.01,
        };
        app.world_mut().spawn((TransformInterpolation, moves));
        frames(per_second, 3).for_each(|delta| frame(&mut app, delta));
        app.world_mut().remove_resource::<Seen>().unwrap().0
    });
    assert_eq!(seen[0].len(), 30);
    assert!(seen.iter().all(|other| *other == seen[0]));
}

#[test]
fn rotation_and_scale_are_drawn_between_as_well() {
    let mut app = app();
    let moves = Moves {
        turn: 0.4,
        grow: 1.0,
        ..Moves::default()
    };
    let ball = app.world_mut().spawn((TransformInterpolation, moves)).id();
    frame(&mut app, 125 * MS);
    assert!(drawn(&app, ball).rotation.angle_between(Quat::from_rotation_y(0.1)) < 1e-4);
    assert_eq!(drawn(&app, ball).scale, Vec3::splat(1.25));
    frame(&mut app, 50 * MS);
    assert_eq!(drawn(&app, ball).scale, Vec3::splat(1.75));
    frame(&mut app, 50 * MS);
    assert_eq!(drawn(&app, ball).scale, Vec3::splat(2.25));
    assert!(drawn(&app, ball).rotation.angle_between(Quat::from_rotation_y(0.5)) < 1e-4);
}

#[test]
fn a_teleport_is_never_drawn_on_the_way_whether_marked_before_or_after() {
    fn jump(query: &mut Query<(&mut Transform, &mut Teleport)>, order: u8) {
        for (mut transform, mut teleport) in query {
            if order == 0 {
                teleport.mark();
            }
            transform.translation.x = 100.0;
            if order == 1 {
                teleport.mark();
            }
        }
    }
    for order in [0, 1] {
        let mut app = app();
        let ball = app.world_mut().spawn((TransformInterpolation, along_x())).id();
        frame(&mut app, 325 * MS);
        assert_eq!(drawn_x(&app, ball), 2.25);
        app.add_systems(
            FixedUpdate,
            (move |mut query: Query<(&mut Transform, &mut Teleport)>| jump(&mut query, order)).after(go),
        );
        frame(&mut app, 100 * MS);
        assert_eq!(drawn_x(&app, ball), 100.0);
    }
}

#[test]
fn a_teleport_that_is_marked_before_its_step_counts_for_it() {
    let mut app = app();
    let ball = app.world_mut().spawn((TransformInterpolation, along_x())).id();
    frame(&mut app, 325 * MS);
    app.world_mut().get_mut::<Teleport>(ball).unwrap().mark();
    frame(&mut app, 50 * MS);
    assert_eq!(drawn_x(&app, ball), 2.75, "until then it goes on");
    frame(&mut app, 50 * MS);
    assert_eq!(drawn_x(&app, ball), 4.0);
    frame(&mut app, 100 * MS);
    assert_eq!(drawn_x(&app, ball), 4.25, "afterwards as before");
}

#[test]
fn a_teleport_that_is_marked_before_the_first_step_of_an_entity_counts_for_that_step() {
    let mut app = app();
    let balls = [false, true].map(|is_marked| {
        let ball = app.world_mut().spawn((TransformInterpolation, along_x())).id();
        frame(&mut app, 10 * MS);
        if is_marked {
            app.world_mut().get_mut::<Teleport>(ball).unwrap().mark();
        }
        ball
    });
    frame(&mut app, 130 * MS);
    assert_eq!(balls.map(|ball| drawn_x(&app, ball)), [0.5, 1.0]);
}

#[test]
fn a_body_that_comes_to_rest_is_drawn_at_its_place_and_not_written_again() {
    #[derive(Resource, Default)]
    struct Changes(u32);
    let mut app = app();
    app.init_resource::<Changes>();
    let ball = app.world_mut().spawn((TransformInterpolation, along_x())).id();
    frame(&mut app, 325 * MS);
    app.world_mut().entity_mut(ball).remove::<Moves>();
    frame(&mut app, 100 * MS);
    assert_eq!((x(&app, ball), drawn_x(&app, ball)), (3.0, 3.0));
    app.add_systems(
        Update,
        |query: Query<(), Changed<Transform>>, mut changes: ResMut<Changes>| {
            changes.0 += query.iter().count() as u32;
        },
    );
    frame(&mut app, 20 * MS); // a new system takes all for changed
    let before = app.world().resource::<Changes>().0;
    frames(144, 2).for_each(|delta| frame(&mut app, delta));
    assert_eq!(app.world().resource::<Changes>().0, before);
}

#[test]
fn a_child_follows_its_parent_and_followers_see_the_drawn_pose() {
    #[derive(Component)]
    struct Camera;
    let mut app = app();
    let parent = app.world_mut().spawn((TransformInterpolation, along_x())).id();
    let plain = app
        .world_mut()
        .spawn((Transform::from_xyz(5.0, 0.0, 0.0), ChildOf(parent)))
        .id();
    let mover = app
        .world_mut()
        .spawn((TransformInterpolation, along_x(), ChildOf(parent)))
        .id();
    let camera = app.world_mut().spawn((Transform::default(), Camera)).id();
    app.add_systems(
        Update,
        |target: Query<&GlobalTransform, (With<Moves>, Without<ChildOf>)>,
         mut camera: Query<&mut Transform, With<Camera>>| {
            *camera.single_mut().unwrap() = target.single().unwrap().compute_transform();
        },
    );
    for delta in frames(144, 1).chain([3, 250, 40, 0].map(|millis| millis * MS)) {
        frame(&mut app, delta);
        let drawn = drawn_x(&app, parent);
        assert_eq!(drawn_x(&app, plain), drawn + 5.0);
        assert!((drawn_x(&app, mover) - 2.0 * drawn).abs() < 1e-5, "both blend");
        assert_eq!(drawn_x(&app, camera), drawn);
    }
}

#[test]
fn an_entity_that_changes_its_parent_teleports_into_its_space() {
    let mut app = app();
    let ship = app.world_mut().spawn(Transform::from_xyz(1000.0, 0.0, 0.0)).id();
    let pilot = app
        .world_mut()
        .spawn((TransformInterpolation, Transform::from_xyz(999.0, 0.0, 0.0)))
        .id();
    frame(&mut app, 325 * MS);
    let board =
        move |mut commands: Commands, mut query: Query<&mut Transform, Without<ChildOf>>, mut done: Local<bool>| {
            if !core::mem::replace(&mut *done, true) {
                query.get_mut(pilot).unwrap().translation.x = -1.0;
                commands.entity(pilot).insert(ChildOf(ship));
            }
        };
    app.add_systems(FixedUpdate, board);
    frame(&mut app, 100 * MS);
    assert_eq!((x(&app, pilot), drawn_x(&app, pilot)), (-1.0, 999.0));
    let leave = move |mut commands: Commands, mut query: Query<&mut Transform>| {
        query.get_mut(pilot).unwrap().translation.x = 999.0;
        commands.entity(pilot).remove::<ChildOf>();
    };
    app.add_systems(FixedUpdate, leave);
    frame(&mut app, 100 * MS);
    assert_eq!((x(&app, pilot), drawn_x(&app, pilot)), (999.0, 999.0));
}

#[test]
fn an_entity_that_is_no_longer_smoothed_is_drawn_at_its_state() {
    let mut app = app();
    let kinds: [fn(&mut EntityWorldMut); 2] = [
        |entity| _ = entity.remove::<TransformInterpolation>(),
        |entity| _ = entity.insert(NoTransformEasing),
    ];
    for stop in kinds {
        let ball = app.world_mut().spawn((TransformInterpolation, along_x())).id();
        frame(&mut app, 325 * MS);
        let drawn = drawn_x(&app, ball);
        stop(&mut app.world_mut().entity_mut(ball));
        assert_eq!(drawn_x(&app, ball), drawn.ceil());
        frame(&mut app, 100 * MS);
        assert_eq!(drawn_x(&app, ball), drawn.ceil() + 1.0);
        app.world_mut()
            .entity_mut(ball)
            .remove::<NoTransformEasing>()
            .insert(TransformInterpolation);
        frame(&mut app, 100 * MS);
        assert!((drawn_x(&app, ball) - (drawn + 2.0)).abs() < 1e-5, "it is smooth again");
        app.world_mut().despawn(ball);
        frame(&mut app, 75 * MS);
    }
}

#[test]
fn bodies_that_come_and_go_never_take_over_the_state_of_others() {
    let mut app = app();
    let mut balls: Vec<(Entity, u32)> = Vec::new();
    for number in 0..300_u32 {
        let start = number as f32 * 100.0;
        let new = (TransformInterpolation, along_x(), Transform::from_xyz(start, 0.0, 0.0));
        balls.push((app.world_mut().spawn(new).id(), number));
        if number % 3 == 2 {
            let (gone, _) = balls.remove((number as usize * 7) % balls.len());
            app.world_mut().despawn(gone);
        }
        frame(&mut app, 50 * MS);
        // The k-th ball came before frame k; a step runs in every second frame.
        let steps = |frames: u32| (frames / 2) as f32;
        for (ball, born) in &balls {
            let half = if number % 2 == 0 { 0.5 } else { 0.0 };
            let moved = (steps(number + 1) - steps(*born) - 1.0 + half).max(0.0);
            assert_eq!(
                drawn_x(&app, *ball),
                *born as f32 * 100.0 + moved,
                "of {born} after {number}"
            );
        }
    }
}

#[test]
fn extrapolation_draws_the_present_within_its_horizon() {
    let mut app = app();
    let velocity = TransformVelocity {
        linear: Vec3::X * 10.0,
        ..TransformVelocity::default()
    };
    let far = app
        .world_mut()
        .spawn((TransformExtrapolation::default(), velocity, along_x()))
        .id();
    let horizon = Duration::from_millis(20);
    let near = app
        .world_mut()
        .spawn((TransformExtrapolation { horizon }, velocity, along_x()))
        .id();
    for _ in 0..3 {
        frame(&mut app, 110 * MS);
    }
    assert!((drawn_x(&app, far) - 3.3).abs() < 1e-5 && (drawn_x(&app, near) - 3.2).abs() < 1e-5);
    app.world_mut().entity_mut(far).remove::<TransformExtrapolation>();
    assert_eq!(drawn_x(&app, far), 3.0);
}

#[test]
fn hermite_draws_a_curve_that_a_straight_line_misses() {
    // x = t², in steps of 0.1 s: the velocity is 2 t.
    #[derive(Component)]
    struct Falls;
    let mut app = app();
    let fall = |mut query: Query<(&mut Transform, &mut TransformVelocity), With<Falls>>, mut time: Local<f32>| {
        *time += 0.1;
        for (mut transform, mut velocity) in &mut query {
            transform.translation.x = *time * *time;
            velocity.linear.x = 2.0 * *time;
        }
    };
    app.add_systems(FixedUpdate, fall);
    let curve = app.world_mut().spawn((TransformHermite, Falls)).id();
    for _ in 0..40 {
        frame(&mut app, 30 * MS);
        let time = app
            .world()
            .resource::<LastFrame>()
            .shown_time(Smoothing::Interpolate)
            .as_secs_f32();
        assert!(
            (drawn_x(&app, curve) - time * time).abs() < 1e-5,
            "{} at {time}",
            drawn_x(&app, curve)
        );
    }
}

#[test]
fn entities_that_are_interpolated_extrapolated_and_on_curves_are_drawn_side_by_side_each_in_its_own_way() {
    for per_second in [30, 60, 144, 240] {
        let mut app = app();
        let velocity = TransformVelocity {
            linear: Vec3::X * 10.0,
            ..TransformVelocity::default()
        };
        let world = app.world_mut();
        let entities = [
            world.spawn((along_x(), TransformInterpolation)).id(),
            world.spawn((along_x(), TransformHermite, velocity)).id(),
            world
                .spawn((along_x(), TransformExtrapolation::default(), velocity))
                .id(),
            world.spawn((along_x(), Transform::default())).id(),
        ];
        for delta in frames(per_second, 2) {
            frame(&mut app, delta);
            let last = app.world().resource::<LastFrame>();
            if last.tick() == 0 {
                continue;
            }
            let (behind, newest) = (
                last.shown_time(Smoothing::Interpolate).as_secs_f32() * 10.0,
                last.tick() as f32,
            );
            let expected = [behind, behind, behind + 1.0, newest];
            for (entity, expected) in entities.into_iter().zip(expected) {
                let drawn = drawn_x(&app, entity);
                assert!((drawn - expected).abs() < 1e-4, "{drawn}, not {expected}");
            }
        }
    }
}
