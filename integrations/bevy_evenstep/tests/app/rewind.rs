//! Rewinding, replaying and checking worlds.

use std::time::Duration;

use crate::common::app;
use crate::frames::{frame, frames};
use bevy_app::{App, FixedUpdate, Plugins};
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_evenstep::rewind::{
    ResimulateError, RestoreError, RewindHistory, RewindId, RewindPlugin, SyncTest, WorldState, resimulate,
};
use bevy_evenstep::{
    CurrentStep, ExactLoopPlugin, LastFrame, RatePlugin, SmoothTransform, SmoothTransformPlugin, SmoothVelocity,
    Timestep,
};
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;
use evenstep::{FixedTimestep, Inspect, Rate};

const MS: Duration = Duration::from_millis(1);

/// Entities of a state whose parents are gone.
pub(crate) fn lost(parents: Vec<(RewindId, Entity)>) -> RestoreError {
    RestoreError::LostTargets {
        type_name: std::any::type_name::<ChildOf>(),
        lost: parents,
    }
}

#[derive(Component, Clone, Copy)]
struct Health(f32);

#[derive(Component, Clone, Copy)]
struct Poisoned(u32);

#[derive(Resource, Clone)]
struct Dice(u64);

/// What players do in each tick.
#[derive(Resource, Default)]
struct Orders(Vec<u64>);

fn roll(mut dice: ResMut<Dice>, step: Res<CurrentStep>, orders: Res<Orders>) {
    let order = orders.0.get(step.tick as usize).copied().unwrap_or(0);
    dice.0 = (dice.0 ^ order)
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
}

/// Entities come, change their components, and go.
fn live(
    mut commands: Commands,
    dice: Res<Dice>,
    step: Res<CurrentStep>,
    mut query: Query<(Entity, &mut Health, Option<&Poisoned>)>,
) {
    let roll = dice.0 >> 40;
    if roll.is_multiple_of(4) {
        commands.spawn((RewindId(step.tick), Health(roll as f32)));
    }
    for (entity, mut health, poisoned) in &mut query {
        match poisoned {
            Some(Poisoned(by)) => health.0 -= *by as f32,
            None if roll.is_multiple_of(3) => _ = commands.entity(entity).insert(Poisoned(roll as u32 % 1000)),
            None => health.0 *= 0.99,
        }
        if health.0 < 0.0 {
            commands.entity(entity).despawn();
        } else if roll.is_multiple_of(5) {
            commands.entity(entity).remove::<Poisoned>();
        }
    }
}

fn world() -> App {
    world_with(())
}

fn world_with<M>(plugins: impl Plugins<M>) -> App {
    let mut app = app((
        plugins,
        ExactLoopPlugin::hz(60),
        RewindPlugin::new(|health: &Health| health.0.to_bits()),
        RewindPlugin::new(|poisoned: &Poisoned| poisoned.0),
        RewindPlugin::new(|dice: &Dice| dice.0),
    ));
    app.insert_resource(Dice(1)).init_resource::<Orders>();
    app.add_systems(FixedUpdate, (roll, live).chain());
    app
}

fn hash(app: &mut App) -> u64 {
    WorldState::save(app.world_mut()).hash()
}

#[test]
fn a_restored_world_is_what_it_was_and_goes_the_same_way_again() {
    let mut app = world();
    frames(60, 1).for_each(|delta| frame(&mut app, delta));
    let saved = WorldState::save(app.world_mut());
    let after = [(), ()].map(|()| {
        saved.restore(app.world_mut()).unwrap();
        assert_eq!(hash(&mut app), saved.hash());
        frames(60, 2).for_each(|delta| frame(&mut app, delta));
        let state = WorldState::save(app.world_mut());
        // Numbers of entities follow ticks, which continue: the dice and what is left of health do not.
        let dice = app.world().resource::<Dice>().0;
        let mut query = app.world_mut().query::<&Health>();
        let mut health: Vec<u32> = query.iter(app.world()).map(|health| health.0.to_bits()).collect();
        health.sort_unstable();
        assert!(health.len() > 3 && saved.hash() != state.hash());
        (dice, health)
    });
    assert_eq!(after[0], after[1]);
}

#[test]
fn a_resource_that_is_removed_comes_back_and_one_that_comes_later_goes() {
    let mut app = app((ExactLoopPlugin::hz(60), RewindPlugin::new(|dice: &Dice| dice.0)));
    let world = app.world_mut();
    let without = WorldState::save(world);
    world.insert_resource(Dice(5));
    let with = WorldState::save(world);
    assert!(with.hash() != without.hash());
    without.restore(world).unwrap();
    assert!(!world.contains_resource::<Dice>());
    with.restore(world).unwrap();
    assert_eq!(world.resource::<Dice>().0, 5);
    assert_eq!(WorldState::save(world).hash(), with.hash());
}

#[test]
fn a_resource_comes_back_in_another_app_that_never_had_it() {
    let mut saved = world();
    frames(60, 1).for_each(|delta| frame(&mut saved, delta));
    let saved = WorldState::save(saved.world_mut());
    let mut other = app((
        ExactLoopPlugin::hz(60),
        RewindPlugin::new(|health: &Health| health.0.to_bits()),
        RewindPlugin::new(|poisoned: &Poisoned| poisoned.0),
        RewindPlugin::new(|dice: &Dice| dice.0),
    ));
    for _ in 0..2 {
        saved.restore(other.world_mut()).unwrap();
        assert!(other.world().contains_resource::<Dice>());
        assert_eq!(hash(&mut other), saved.hash());
    }
}

#[test]
fn late_input_leads_to_the_state_that_timely_input_would_have_led_to() {
    let play = |orders: Vec<u64>| {
        let mut app = world();
        app.insert_resource(RewindHistory::new(64))
            .insert_resource(Orders(orders));
        frames(144, 2).for_each(|delta| frame(&mut app, delta));
        app
    };
    let mut timely: Vec<u64> = (0..120).map(|tick| tick * 7).collect();
    timely[80] = 99;
    let mut late = timely.clone();
    late[80] = 0;
    let (mut with, mut without) = (play(timely.clone()), play(late));
    assert_ne!(hash(&mut with), hash(&mut without));
    without.insert_resource(Orders(timely));
    let time = *without.world().resource::<Time<Fixed>>();
    assert_eq!(resimulate(without.world_mut(), 80), Ok(40));
    assert_eq!(hash(&mut with), hash(&mut without));
    assert_eq!(without.world().resource::<Time<Fixed>>().elapsed(), time.elapsed());
    assert_eq!(without.world().resource::<Time<Fixed>>().overstep(), time.overstep());
}

#[test]
fn only_so_many_states_are_kept_and_others_are_refused() {
    let mut app = world();
    app.insert_resource(RewindHistory::new(10));
    frames(60, 1).for_each(|delta| frame(&mut app, delta));
    assert!(app.world().resource::<RewindHistory>().ticks().eq(50..60));
    let before = hash(&mut app);
    assert_eq!(
        resimulate(app.world_mut(), 49),
        Err(ResimulateError::NotKept { tick: 49 })
    );
    assert_eq!(hash(&mut app), before);
    assert_eq!(resimulate(app.world_mut(), 50), Ok(10));
    assert_eq!(hash(&mut app), before);
    assert!(app.world().resource::<RewindHistory>().ticks().eq(50..60));
}

#[test]
fn within_a_step_nothing_is_simulated_again_and_nothing_restored() {
    #[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
    struct Decide;
    #[derive(Resource, Default)]
    struct Answers(Vec<Result<u64, ResimulateError>>);
    let ask = |world: &mut World| {
        let before = world.resource::<Dice>().0;
        let tick = world.resource::<CurrentStep>().tick;
        if world.resource::<Timestep>().tick() > 30 {
            let answer = resimulate(world, 20);
            world.resource_mut::<Answers>().0.push(answer);
        }
        assert_eq!(world.resource::<Dice>().0, before);
        assert_eq!(world.resource::<CurrentStep>().tick, tick);
    };
    let [mut plain, mut app] = [(); 2].map(|()| world_with(RatePlugin::new(Decide, Rate::hz(60))));
    for app in [&mut plain, &mut app] {
        app.insert_resource(RewindHistory::new(64));
    }
    app.init_resource::<Answers>()
        .add_systems(FixedUpdate, ask.after(live))
        .add_systems(Decide, ask);
    for app in [&mut plain, &mut app] {
        frames(60, 1).for_each(|delta| frame(app, delta));
    }
    let answers = &app.world().resource::<Answers>().0;
    assert!(answers.len() > 50 && answers.iter().all(|answer| *answer == Err(ResimulateError::WithinStep)));
    assert_eq!(hash(&mut app), hash(&mut plain));
    assert_eq!(resimulate(app.world_mut(), 20), Ok(40), "outside of steps it does");
}

/// A state of the run before must not be put back into the new one.
#[test]
fn states_of_a_timestep_that_was_replaced_are_not_kept_for_the_new_one() {
    let mut app = world();
    app.insert_resource(RewindHistory::new(64));
    frames(60, 1).for_each(|delta| frame(&mut app, delta));
    app.insert_resource(Timestep::from(FixedTimestep::new(Rate::hz(60))));
    let before = hash(&mut app);
    for tick in [0, 20, 59, 60] {
        assert_eq!(
            resimulate(app.world_mut(), tick),
            Err(ResimulateError::NotKept { tick })
        );
        assert_eq!(hash(&mut app), before);
    }
}

#[test]
fn a_sound_world_passes_the_sync_test_with_the_same_outcome() {
    let run = |test: bool| {
        let mut app = world();
        if test {
            app.init_resource::<SyncTest>();
        }
        frames(60, 2).for_each(|delta| frame(&mut app, delta));
        let desync = app.world().get_resource::<SyncTest>().and_then(SyncTest::desync);
        assert_eq!(desync, None);
        hash(&mut app)
    };
    assert_eq!(run(true), run(false));
}

/// A fighter, compared by its fields.
#[derive(Component, Clone, Inspect)]
struct Fighter {
    position: [f32; 2],
    stamina: f32,
}

#[derive(Resource, Clone, Inspect)]
struct Round {
    number: u32,
}

fn fight(mut query: Query<&mut Fighter>, mut round: ResMut<Round>, step: Res<CurrentStep>) {
    round.number = 1 + (step.tick / 60) as u32;
    query.iter_mut().for_each(|mut fighter| fighter.stamina -= 0.01);
}

fn fighters() -> App {
    let mut app = app((
        ExactLoopPlugin::hz(60),
        RewindPlugin::<Fighter>::by_field(),
        RewindPlugin::<Round>::by_field(),
        RewindPlugin::new(|poisoned: &Poisoned| poisoned.0),
    ));
    app.insert_resource(Round { number: 1 }).add_systems(FixedUpdate, fight);
    for id in 0..3 {
        let (position, stamina) = ([0.0; 2], 10.0);
        app.world_mut()
            .spawn((RewindId(id), Fighter { position, stamina }, Poisoned(1)));
    }
    app
}

#[test]
fn the_sync_test_names_the_entity_the_type_and_the_field() {
    let mut app = fighters();
    app.init_resource::<SyncTest>();
    app.add_systems(
        FixedUpdate,
        |mut query: Query<(&RewindId, &mut Fighter)>, step: Res<CurrentStep>, mut runs: Local<u32>| {
            *runs += 1;
            for (id, mut fighter) in &mut query {
                if step.tick == 17 && id.0 == 2 {
                    fighter.position[1] = *runs as f32;
                }
            }
        },
    );
    frames(60, 1).for_each(|delta| frame(&mut app, delta));
    let desync = app.world().resource::<SyncTest>().desync().unwrap();
    assert_eq!(desync.tick, 18);
    let [difference] = &desync.differences[..] else {
        panic!("{desync}");
    };
    let path = format!("entities[2].{}.position[1]", std::any::type_name::<Fighter>());
    assert_eq!(difference.path, path, "{desync}");
}

#[test]
fn a_dump_tells_which_entities_are_there_and_has_keys_of_types_whose_fields_are_unknown() {
    let mut app = fighters();
    let before = WorldState::save(app.world_mut());
    app.world_mut().spawn((
        RewindId(9),
        Fighter {
            position: [0.0; 2],
            stamina: 1.0,
        },
    ));
    let mut query = app.world_mut().query::<(&RewindId, &mut Poisoned)>();
    let poisoned = query.iter_mut(app.world_mut()).find(|(id, _)| id.0 == 1);
    poisoned.unwrap().1.0 = 2;
    app.world_mut().resource_mut::<Round>().number = 5;
    let after = WorldState::save(app.world_mut());
    let desync = before.dump(0).compare(&after.dump(0)).unwrap();
    let name = |name: &str| format!("{}::{name}", module_path!());
    let mut paths: Vec<_> = desync
        .differences
        .iter()
        .map(|difference| difference.path.clone())
        .collect();
    paths.sort_unstable();
    let mut expected = [
        "entities.len()".to_owned(),
        "entities[9]".to_owned(),
        format!("entities[1].{}", name("Poisoned")),
        format!("resources.{}.number", name("Round")),
    ];
    expected.sort_unstable();
    assert_eq!(paths, expected);
}

/// Everything goes 1 along x in a step, ten times a second.
fn walking() -> App {
    let place = RewindPlugin::new(|transform: &Transform| transform.translation.x);
    let mut app = app((ExactLoopPlugin::hz(10), SmoothTransformPlugin::default(), place));
    app.add_systems(FixedUpdate, |mut all: Query<&mut Transform>| {
        all.iter_mut().for_each(|mut transform| transform.translation.x += 1.0);
    });
    app
}

/// What was drawn is no part of the past, also where it looks like what is restored.
#[test]
fn a_smoothed_transform_is_rewound_to_its_truth() {
    for (millis, back) in [(100, 1), (100, 2), (125, 1), (150, 2)] {
        let mut app = walking();
        app.insert_resource(RewindHistory::new(10));
        let kinds = [
            app.world_mut()
                .spawn((RewindId(1), Transform::default(), SmoothTransform))
                .id(),
            app.world_mut()
                .spawn((
                    RewindId(2),
                    Transform::default(),
                    SmoothTransform,
                    SmoothVelocity::default(),
                ))
                .id(),
        ];
        (0..5).for_each(|_| frame(&mut app, millis * MS));
        let steps = app.world().resource::<LastFrame>().tick();
        assert_eq!(resimulate(app.world_mut(), steps - back), Ok(back));
        for kind in kinds {
            app.world_mut().entity_mut(kind).remove::<SmoothTransform>();
            let x = app.world().get::<Transform>(kind).unwrap().translation.x;
            assert_eq!(x, steps as f32, "{back} steps back of {steps}");
        }
    }
}

#[test]
fn steps_that_are_run_twice_are_interpolated_as_well() {
    let mut app = walking();
    app.init_resource::<SyncTest>();
    let ball = app
        .world_mut()
        .spawn((RewindId(1), Transform::default(), SmoothTransform))
        .id();
    (0..2).for_each(|_| frame(&mut app, 125 * MS));
    assert_eq!(app.world().get::<Transform>(ball).unwrap().translation.x, 1.5);
}

/// A soldier rides on a vehicle, which comes later and goes again.
#[test]
fn entities_come_back_to_the_parents_that_they_had_and_outlive_those_that_came_later() {
    let health = RewindPlugin::new(|health: &Health| health.0.to_bits());
    let mut app = app((ExactLoopPlugin::hz(60), health));
    let world = app.world_mut();
    let soldier = world.spawn((RewindId(1), Health(1.0))).id();
    let on_foot = WorldState::save(world);
    let vehicle = world.spawn((RewindId(2), Health(2.0))).id();
    world.entity_mut(soldier).insert(ChildOf(vehicle));
    let riding = WorldState::save(world);
    assert!(on_foot.hash() != riding.hash());
    let dump = riding.dump(0);
    let parent = ("entities[1].bevy_ecs::hierarchy::ChildOf", "2");
    assert!(dump.values().any(|value| value == parent), "{dump}");
    on_foot.restore(world).unwrap();
    assert!(world.get_entity(vehicle).is_err());
    assert_eq!(world.get::<Health>(soldier).map(|health| health.0), Some(1.0));
    assert!(world.get::<ChildOf>(soldier).is_none());
    riding.restore(world).unwrap();
    let vehicle = world.get::<ChildOf>(soldier).unwrap().parent();
    assert_eq!(world.get::<RewindId>(vehicle), Some(&RewindId(2)));
    assert_eq!(WorldState::save(world).hash(), riding.hash());
    // The other way round, in one go.
    world.entity_mut(soldier).remove::<ChildOf>();
    world.entity_mut(vehicle).insert(ChildOf(soldier));
    riding.restore(world).unwrap();
    assert_eq!(WorldState::save(world).hash(), riding.hash());
}

#[test]
fn an_entity_that_is_disabled_is_saved_and_restored_and_is_a_parent_as_any_other() {
    let health = RewindPlugin::new(|health: &Health| health.0);
    let mut app = app((ExactLoopPlugin::hz(60), health, RewindPlugin::new(|_: &Disabled| ())));
    let world = app.world_mut();
    let vehicle = world.spawn((RewindId(1), Health(1.0), Disabled)).id();
    let soldier = world.spawn((RewindId(2), Health(2.0), ChildOf(vehicle))).id();
    let before = WorldState::save(world);
    world.entity_mut(vehicle).insert(Health(0.5)).remove::<Disabled>();
    world.entity_mut(soldier).insert(Disabled).remove::<ChildOf>();
    assert!(WorldState::save(world).hash() != before.hash());
    before.restore(world).unwrap();
    assert_eq!(WorldState::save(world).hash(), before.hash());
    assert_eq!(world.get::<Health>(vehicle).unwrap().0, 1.0);
    assert_eq!(world.get::<ChildOf>(soldier).unwrap().parent(), vehicle);
    assert!(world.entity(vehicle).contains::<Disabled>() && !world.entity(soldier).contains::<Disabled>());
}

#[test]
fn a_state_whose_entities_would_lose_a_parent_is_refused_with_their_names_and_changes_nothing() {
    let health = RewindPlugin::new(|health: &Health| health.0.to_bits());
    let mut app = app((ExactLoopPlugin::hz(60), health));
    let world = app.world_mut();
    let camp = world.spawn_empty().id();
    let soldier = world.spawn((RewindId(7), Health(1.0), ChildOf(camp))).id();
    let before = WorldState::save(world);
    world.entity_mut(soldier).remove::<ChildOf>();
    world.despawn(camp);
    world.get_mut::<Health>(soldier).unwrap().0 = 0.5;
    let error = before.restore(world).unwrap_err();
    let parents = vec![(RewindId(7), camp)];
    assert_eq!(error, lost(parents));
    assert!(
        error.to_string().ends_with(&format!("RewindId(7) of {camp}")),
        "{error}"
    );
    assert_eq!(world.get::<Health>(soldier).unwrap().0, 0.5);
}

#[test]
fn a_parent_without_a_number_is_kept_unless_it_goes_with_another_or_is_part_of_its_child_now() {
    let mut app = app(ExactLoopPlugin::hz(60));
    let world = app.world_mut();
    let vehicle = world.spawn(RewindId(1)).id();
    let seat = world.spawn(ChildOf(vehicle)).id();
    let soldier = world.spawn((RewindId(2), ChildOf(seat))).id();
    let before = WorldState::save(world);
    let ferry = world.spawn(RewindId(3)).id();
    world.entity_mut(vehicle).insert(ChildOf(ferry));
    before.restore(world).unwrap();
    assert!(world.get_entity(ferry).is_err() && world.get::<ChildOf>(vehicle).is_none());
    for other in [soldier, world.spawn(RewindId(4)).id()] {
        world.entity_mut(soldier).remove::<ChildOf>();
        world.entity_mut(seat).insert(ChildOf(other));
        let parents = vec![(RewindId(2), seat)];
        assert_eq!(before.restore(world), Err(lost(parents)));
    }
}

#[test]
fn a_state_that_is_saved_and_restored_in_update_is_the_simulations() {
    let mut app = walking();
    let ball = (RewindId(1), Transform::default(), SmoothTransform);
    let ball = app.world_mut().spawn(ball).id();
    (0..3).for_each(|_| frame(&mut app, 125 * MS));
    let x = |app: &App| app.world().get::<Transform>(ball).unwrap().translation.x;
    assert_eq!(x(&app), 2.75);
    let saved = WorldState::save(app.world_mut());
    assert_eq!(x(&app), 2.75, "it is still drawn");
    (0..4).for_each(|_| frame(&mut app, 125 * MS));
    saved.restore(app.world_mut()).unwrap();
    assert_eq!(x(&app), 3.0);
    frame(&mut app, 100 * MS);
    assert_eq!(x(&app), 3.75);
}
