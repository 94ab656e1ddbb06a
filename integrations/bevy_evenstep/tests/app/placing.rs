//! A place that comes before an entity's first frame is a place, by whatever idiom of Bevy's, and motion stays motion.

use bevy_app::{App, FixedPreUpdate, FixedUpdate, Last};
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::prelude::*;
use bevy_evenstep::{ExactLoopPlugin, SmoothTransform, SmoothTransformPlugin};
use bevy_time::{Fixed, Time, TimePlugin};
use bevy_transform::TransformPlugin;
use bevy_transform::components::{GlobalTransform, Transform};

use crate::frames::{begin, frame, frames};

#[derive(Component, Clone)]
struct Shot;

/// As a sprite does.
#[derive(Component, Clone)]
#[require(Transform)]
struct Picture;

#[derive(Component, Clone)]
#[require(SmoothTransform)]
struct Prefab;

#[derive(Component)]
struct Template;

const AT: Transform = Transform::from_xyz(100.0, 0.0, 0.0);

/// Spawns a shot, which a system may still have to place.
type Spawn = fn(&mut Commands, Entity);

const BY_COMMANDS: [(&str, Spawn); 12] = [
    ("one bundle", |c, _| _ = c.spawn((Shot, SmoothTransform, AT))),
    ("the place later", |c, _| {
        _ = c.spawn((Shot, SmoothTransform)).insert(AT)
    }),
    ("smooth later", |c, _| _ = c.spawn((Shot, AT)).insert(SmoothTransform)),
    ("required", |c, _| _ = c.spawn((Shot, Prefab)).insert(AT)),
    ("required twice", |c, _| _ = c.spawn((Picture, Shot, Prefab)).insert(AT)),
    ("placed twice", |c, _| {
        let elsewhere = Transform::from_xyz(-50.0, 3.0, 0.0);
        c.spawn((Shot, SmoothTransform, elsewhere)).insert(AT);
    }),
    ("a clone", |c, template| {
        c.entity(template)
            .clone_and_spawn()
            .remove::<Template>()
            .insert((Shot, AT));
    }),
    ("a child that is placed", |c, _| {
        let parent = c.spawn(Transform::default()).id();
        let child = c.spawn((Shot, SmoothTransform)).id();
        c.entity(parent).add_child(child);
        c.entity(child).insert(AT);
    }),
    ("a child of a parent elsewhere", |c, _| {
        let parent = c.spawn(Transform::from_xyz(99.0, 0.0, 0.0)).id();
        let child = c
            .spawn((Shot, SmoothTransform, Transform::from_xyz(50.0, 0.0, 0.0)))
            .id();
        c.entity(parent).add_child(child);
        c.entity(child).insert(Transform::from_xyz(1.0, 0.0, 0.0));
    }),
    ("a child that leaves its parent", |c, _| {
        let parent = c.spawn(Transform::from_xyz(99.0, 0.0, 0.0)).id();
        let child = c.spawn((Shot, SmoothTransform, ChildOf(parent))).id();
        c.entity(child).remove::<ChildOf>().insert(AT);
    }),
    ("the template itself, without a place for a moment", |c, template| {
        c.entity(template).remove::<Transform>();
        c.entity(template).insert((Shot, AT));
    }),
    ("not smoothed for a moment", |c, _| {
        let mut shot = c.spawn((Shot, SmoothTransform));
        shot.remove::<SmoothTransform>().insert((SmoothTransform, AT));
    }),
];

/// Spawned without a place, for a system that runs later.
const BY_A_SYSTEM: [(&str, Spawn); 4] = [
    ("smooth", |c, _| _ = c.spawn((Shot, SmoothTransform))),
    ("required", |c, _| _ = c.spawn((Shot, Prefab))),
    ("a picture", |c, _| _ = c.spawn((Picture, Shot, SmoothTransform))),
    ("a picture, smooth later", |c, _| {
        c.spawn((Picture, Shot)).insert(SmoothTransform);
    }),
];

/// The lowest and the highest place at which the shot is drawn, over all frames.
fn drawn(mut build: impl FnMut(&mut App), spawn: Spawn, hertz: u32, display: u64, is_exact: bool) -> (f32, f32) {
    #[derive(Resource)]
    struct Drawn(f32, f32);
    let mut app = App::new();
    app.add_plugins((TimePlugin, TransformPlugin, SmoothTransformPlugin::default()));
    if is_exact {
        app.add_plugins(ExactLoopPlugin::hz(hertz));
    }
    let template = app.world_mut().spawn((Template, SmoothTransform)).id();
    let mut steps = 0;
    app.insert_resource(Time::<Fixed>::from_hz(f64::from(hertz)))
        .insert_resource(Drawn(f32::MAX, f32::MIN))
        .add_systems(FixedPreUpdate, move |mut commands: Commands| {
            steps += 1;
            if steps == 11 {
                spawn(&mut commands, template);
            }
        })
        .add_systems(
            Last,
            |shot: Query<&GlobalTransform, With<Shot>>, mut drawn: ResMut<Drawn>| {
                for shot in &shot {
                    let x = shot.translation().x;
                    *drawn = Drawn(drawn.0.min(x), drawn.1.max(x));
                }
            },
        );
    build(&mut app);
    begin(&mut app);
    frames(display, 1).for_each(|delta| frame(&mut app, delta));
    let Drawn(low, high) = *app.world().resource::<Drawn>();
    (low, high)
}

const LOOPS: [(u32, u64, bool); 5] = [
    (60, 60, false),
    (50, 144, false),
    (50, 144, true),
    (120, 30, false),
    (120, 30, true),
];

#[test]
fn a_place_that_commands_give_in_the_first_step_is_where_the_entity_is_in_every_frame() {
    for (name, spawn) in BY_COMMANDS {
        for (hertz, display, is_exact) in LOOPS {
            let drawn = drawn(|_| (), spawn, hertz, display, is_exact);
            assert_eq!(drawn, (100.0, 100.0), "{name}: {hertz} on {display}, exact: {is_exact}");
        }
    }
}

#[test]
fn what_is_spawned_without_a_place_is_where_a_system_of_its_step_puts_it() {
    let place = |mut shots: Query<&mut Transform, Added<Shot>>| shots.iter_mut().for_each(|mut shot| *shot = AT);
    for (name, spawn) in BY_A_SYSTEM {
        for (hertz, display, is_exact) in LOOPS {
            let build = |app: &mut App| _ = app.add_systems(FixedUpdate, place);
            let drawn = drawn(build, spawn, hertz, display, is_exact);
            assert_eq!(drawn, (100.0, 100.0), "{name}: {hertz} on {display}, exact: {is_exact}");
        }
    }
}

/// From its place on, and not a step's motion further.
#[test]
fn what_moves_after_it_was_placed_is_drawn_from_its_place_on() {
    let fly = |mut shots: Query<&mut Transform, With<Shot>>| {
        shots.iter_mut().for_each(|mut shot| shot.translation.x += 1.0);
    };
    for (name, spawn) in BY_COMMANDS {
        if name == "a child of a parent elsewhere" {
            continue; // its own x is 1
        }
        let build = |app: &mut App| _ = app.add_systems(FixedUpdate, fly);
        let (low, high) = drawn(build, spawn, 50, 200, false);
        assert!(
            (100.0..100.01).contains(&low) && high > 130.0,
            "{name}: {low} to {high}"
        );
    }
}

/// Once it was drawn, a command moves it as any write in a step does.
#[test]
fn a_place_that_comes_after_the_first_frame_is_motion() {
    let spawn: Spawn = |c, _| _ = c.spawn((Shot, SmoothTransform, AT));
    let move_on = |shots: Query<Entity, With<Shot>>, mut commands: Commands, mut age: Local<u32>| {
        for entity in &shots {
            *age += 1;
            if *age == 5 {
                commands.entity(entity).insert(Transform::from_xyz(102.0, 0.0, 0.0));
            }
        }
    };
    #[derive(Resource, Default)]
    struct Between(bool);
    let build = |app: &mut App| {
        app.init_resource::<Between>()
            .add_systems(FixedUpdate, move_on)
            .add_systems(
                Last,
                |shot: Query<&GlobalTransform, With<Shot>>, mut between: ResMut<Between>| {
                    between.0 |= shot.iter().any(|shot| (100.2..101.8).contains(&shot.translation().x));
                    assert!(between.0 || shot.iter().all(|shot| shot.translation().x < 101.8));
                },
            );
    };
    assert_eq!(drawn(build, spawn, 20, 200, false), (100.0, 102.0));
}
