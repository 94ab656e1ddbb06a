//! Poses between steps, beyond what the table of the acceptance test has.

use std::time::Duration;

use crate::frames::{frame, frames};
use crate::moving::{Moves, along_x, app, drawn, drawn_x};
use bevy_app::{App, FixedUpdate, PreUpdate, Update};
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::prelude::*;
use bevy_evenstep::{
    LastFrame, NoSmoothTransform, SmoothAhead, SmoothTransform, SmoothTransformPlugin, SmoothVelocity, Teleport,
};
use bevy_math::{Quat, Vec3};
use bevy_time::{Fixed, Time, TimePlugin};
use bevy_transform::components::Transform;
use bevy_transform::{TransformPlugin, commands::BuildChildrenTransformExt};
use evenstep::Smoothing;
use proptest::prelude::*;

const MS: Duration = Duration::from_millis(1);

/// The ways to smooth.
const KINDS: [fn(&mut EntityWorldMut); 4] = [
    |entity| _ = entity.insert(SmoothTransform),
    |entity| _ = entity.insert((SmoothTransform, velocity())),
    |entity| _ = entity.insert((SmoothAhead, velocity())),
    |entity| _ = entity.insert(SmoothAhead),
];

fn velocity() -> SmoothVelocity {
    SmoothVelocity {
        linear: Vec3::X * 10.0,
        angular: Vec3::Y * 2.0,
    }
}

/// An entity that goes 1 along x and turns by 0.2 in a step, ten times a second.
fn spawn(app: &mut App, kind: fn(&mut EntityWorldMut)) -> Entity {
    let mut entity = app.world_mut().spawn(Moves { turn: 0.2, ..along_x() });
    kind(&mut entity);
    entity.id()
}

#[test]
fn entities_are_drawn_where_the_frame_says_each_in_its_own_way() {
    for display in [30, 60, 144, 240] {
        let mut app = app();
        let all = KINDS.map(|kind| spawn(&mut app, kind));
        for delta in frames(display, 2) {
            frame(&mut app, delta);
            let last = app.world().resource::<LastFrame>();
            let shown = last.shown_time(Smoothing::Interpolate).as_secs_f32() * 10.0;
            let has_moved = last.tick() > 0;
            for (number, entity) in all.into_iter().enumerate() {
                let x = if number >= 2 && has_moved { shown + 1.0 } else { shown };
                let drawn = drawn(&app, entity);
                assert!((drawn.translation.x - x).abs() < 1e-4, "kind {number} at {display} Hz");
                let turned = (drawn.rotation * Quat::from_rotation_y(0.2 * x).inverse())
                    .xyz()
                    .length()
                    * 2.0;
                assert!(turned < 1e-3, "kind {number} at {display} Hz: {turned}");
            }
        }
    }
}

#[test]
fn a_velocity_draws_a_curve_that_a_straight_line_misses() {
    // x = t², in steps of 0.1 s: the velocity is 2 t.
    #[derive(Component)]
    struct Falls;
    let mut app = app();
    let fall = |mut query: Query<(&mut Transform, &mut SmoothVelocity), With<Falls>>, mut time: Local<f32>| {
        *time += 0.1;
        for (mut transform, mut velocity) in &mut query {
            transform.translation.x = *time * *time;
            velocity.linear.x = 2.0 * *time;
        }
    };
    app.add_systems(FixedUpdate, fall);
    let curve = (Transform::default(), SmoothTransform, SmoothVelocity::default(), Falls);
    let curve = app.world_mut().spawn(curve).id();
    for _ in 0..40 {
        frame(&mut app, 30 * MS);
        let time = app
            .world()
            .resource::<LastFrame>()
            .shown_time(Smoothing::Interpolate)
            .as_secs_f32();
        let drawn = drawn_x(&app, curve);
        assert!((drawn - time * time).abs() < 1e-5, "{drawn} at {time}");
    }
}

#[test]
fn a_curve_begins_with_the_velocity_that_a_body_had_while_it_rested_or_was_not_smoothed() {
    #[derive(Component)]
    struct Blocked;
    let mut app = app();
    let push = |mut bodies: Query<(&mut Transform, &mut SmoothVelocity, Has<Blocked>)>| {
        for (mut transform, mut velocity, is_blocked) in &mut bodies {
            velocity.linear.x = 5.0;
            if !is_blocked {
                transform.translation.x += 0.5;
            }
        }
    };
    app.add_systems(FixedUpdate, push);
    let body = (SmoothTransform, SmoothVelocity::default());
    let bodies = [
        app.world_mut().spawn((body, Blocked)).id(),
        app.world_mut().spawn((body, NoSmoothTransform, Blocked)).id(),
    ];
    frame(&mut app, 325 * MS);
    for body in bodies {
        app.world_mut()
            .entity_mut(body)
            .remove::<(Blocked, NoSmoothTransform)>();
    }
    frame(&mut app, 100 * MS);
    for body in bodies {
        let drawn = drawn_x(&app, body);
        assert!((drawn - 0.125).abs() < 1e-6, "{drawn}");
    }
}

#[test]
fn smoothing_that_ends_after_the_velocity_was_removed_leaves_the_simulated_pose() {
    for is_drawn_between in [false, true] {
        let mut app = app();
        let fast = SmoothVelocity {
            linear: Vec3::X * 50.0,
            ..SmoothVelocity::default()
        };
        let ball = app.world_mut().spawn((SmoothTransform, fast, along_x())).id();
        frame(&mut app, 325 * MS);
        app.world_mut().entity_mut(ball).remove::<SmoothVelocity>();
        if is_drawn_between {
            frame(&mut app, 30 * MS);
        }
        app.world_mut().entity_mut(ball).remove::<SmoothTransform>();
        assert_eq!(app.world().get::<Transform>(ball).unwrap().translation.x, 3.0);
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
fn a_mark_before_the_write_counts_for_it_in_a_step_or_in_a_frame() {
    let mut app = app();
    let ball = app.world_mut().spawn((SmoothTransform, along_x())).id();
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
fn a_mark_without_a_motion_ends_with_its_step_or_with_the_next() {
    for in_step in [true, false] {
        let mut app = app();
        let ball = app.world_mut().spawn((SmoothTransform, Moves::default())).id();
        if in_step {
            app.add_systems(
                FixedUpdate,
                |mut teleport: Single<&mut Teleport>, mut done: Local<bool>| {
                    if !core::mem::replace(&mut *done, true) {
                        teleport.mark();
                    }
                },
            );
        } else {
            app.world_mut().get_mut::<Teleport>(ball).unwrap().mark();
        }
        frame(&mut app, 125 * MS);
        app.world_mut().get_mut::<Moves>(ball).unwrap().by = Vec3::X;
        frame(&mut app, 100 * MS);
        assert_eq!(drawn_x(&app, ball), 0.25, "marked in a step: {in_step}");
    }
}

#[test]
fn parents_that_change_in_place_keep_what_is_drawn() {
    let mut app = app();
    let [first, second] = [0, 1].map(|_| app.world_mut().spawn((SmoothTransform, along_x())).id());
    let ball = app.world_mut().spawn((SmoothTransform, along_x(), ChildOf(first))).id();
    frame(&mut app, 125 * MS);
    app.world_mut().entity_mut(ball).insert(Moves::default());
    let drawn = drawn_x(&app, ball);
    app.world_mut().entity_mut(ball).remove_parent_in_place();
    frame(&mut app, 10 * MS);
    assert_eq!(drawn_x(&app, ball), drawn);
    app.world_mut().entity_mut(ball).set_parent_in_place(second);
    let by_now = drawn_x(&app, second);
    for _ in 0..30 {
        frame(&mut app, 10 * MS);
        let carried = drawn_x(&app, second) - by_now;
        assert!((drawn_x(&app, ball) - drawn - carried).abs() < 1e-5);
    }
}

#[test]
fn all_entities_are_smoothed_if_that_is_asked_for() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, TransformPlugin, SmoothTransformPlugin::interpolate_all()))
        .insert_resource(Time::<Fixed>::from_hz(10.0))
        .add_systems(FixedUpdate, crate::moving::go);
    crate::frames::begin(&mut app);
    let ball = app.world_mut().spawn(along_x()).id();
    frame(&mut app, 125 * MS);
    assert_eq!(drawn_x(&app, ball), 0.25);
}

/// What a system does to an entity in every frame or step that its period divides, by how much a second or at once.
#[derive(Clone, Copy, Debug)]
enum Write {
    Move(Vec3),
    Turn(f32),
    Grow(f32),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum When {
    Step,
    Update,
    PreUpdate,
}

#[derive(Component, Clone, Copy)]
struct Number(usize);

#[derive(Resource, Clone)]
struct Habits(Vec<(usize, When, u64, Write)>);

fn live(when: When) -> impl FnMut(Query<(&Number, &mut Transform)>, Res<Habits>, Local<u64>) {
    move |mut entities, habits, mut runs| {
        for (entity, at, every, write) in &habits.0 {
            let found = entities.iter_mut().find(|(number, _)| number.0 == *entity);
            if *at == when
                && runs.is_multiple_of(*every)
                && let Some((_, mut transform)) = found
            {
                match write {
                    Write::Move(by) => transform.translation += *by,
                    Write::Turn(by) => transform.rotate_y(*by),
                    Write::Grow(by) => transform.scale += Vec3::splat(*by),
                }
            }
        }
        *runs += 1;
    }
}

fn any_habit() -> impl Strategy<Value = (usize, When, u64, Write)> {
    let write = prop_oneof![
        prop::array::uniform3(-4.0..4.0_f32).prop_map(|by| Write::Move(Vec3::from_array(by))),
        (-0.5..0.5_f32).prop_map(Write::Turn),
        (0.0..0.1_f32).prop_map(Write::Grow),
    ];
    let when = prop::sample::select(vec![When::Step, When::Update, When::PreUpdate]);
    (0..6_usize, when, 1..4_u64, write)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn additions_in_steps_and_frames_lead_to_the_same_simulation_as_without_smoothing(
        habits in prop::collection::vec(any_habit(), 0..12),
        parents in prop::collection::vec(prop::option::of(0..6_usize), 6),
        removed in 0..60_usize,
        display in prop::sample::select(vec![30_u64, 60, 144, 240]),
    ) {
        let played = [true, false].map(|is_smoothed| {
            let mut app = App::new();
            app.add_plugins((TimePlugin, TransformPlugin))
                .insert_resource(Time::<Fixed>::from_hz(64.0))
                .insert_resource(Habits(habits.clone()))
                .add_systems(PreUpdate, live(When::PreUpdate))
                .add_systems(FixedUpdate, live(When::Step))
                .add_systems(Update, live(When::Update));
            if is_smoothed {
                app.add_plugins(SmoothTransformPlugin::default());
            }
            crate::frames::begin(&mut app);
            let mut entities: Vec<Entity> = Vec::new();
            for (number, parent) in parents.iter().enumerate() {
                let mut entity = app.world_mut().spawn((Number(number), Transform::from_xyz(number as f32, 0.0, 0.0)));
                if let Some(parent) = parent.and_then(|parent| entities.get(parent)) {
                    entity.insert(ChildOf(*parent));
                }
                if is_smoothed {
                    entity.insert(SmoothTransform);
                }
                entities.push(entity.id());
            }
            for (number, delta) in frames(display, 1).take(60).enumerate() {
                if number == removed {
                    app.world_mut().entity_mut(entities[0]).remove::<SmoothTransform>();
                    app.world_mut().entity_mut(entities[1]).despawn();
                }
                frame(&mut app, delta);
            }
            let states = entities.iter().map(|entity| {
                let mut entity = app.world_mut().get_entity_mut(*entity).ok()?;
                entity.remove::<SmoothTransform>();
                entity.get::<Transform>().copied()
            });
            states.collect::<Vec<_>>()
        });
        for (smooth, plain) in played[0].iter().zip(&played[1]) {
            prop_assert_eq!(smooth.is_some(), plain.is_some());
            if let (Some(smooth), Some(plain)) = (smooth, plain) {
                let off = smooth.translation.distance(plain.translation) / plain.translation.length().max(1.0);
                let turned = (smooth.rotation.normalize() * plain.rotation.normalize().inverse()).xyz().length();
                let grown = smooth.scale.distance(plain.scale);
                prop_assert!(off < 1e-4 && turned < 1e-3 && grown < 1e-3, "{smooth:?}, not {plain:?}");
            }
        }
    }
}
