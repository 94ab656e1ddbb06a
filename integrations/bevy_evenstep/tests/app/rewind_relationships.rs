//! Relationships of a game's own, rewound.

use std::collections::BTreeMap;

use crate::common::app;
use crate::frames::{frame, frames};
use bevy_app::{App, FixedUpdate, Plugin};
use bevy_ecs::entity::EntityHashSet;
use bevy_ecs::prelude::*;
use bevy_ecs::relationship::Relationship;
use bevy_evenstep::rewind::{RestoreError, RewindHistory, RewindId, RewindPlugin, SyncTest, WorldState, resimulate};
use bevy_evenstep::{CurrentStep, ExactLoopPlugin};

macro_rules! relationship {
    ($source:ident, $target:ident($list:ty) $(, $linked:ident)?) => {
        #[derive(Component, Clone)]
        #[relationship(relationship_target = $target)]
        struct $source(Entity);

        #[derive(Component)]
        #[relationship_target(relationship = $source $(, $linked)?)]
        struct $target($list);
    };
}

relationship!(Hunts, HuntedBy(Vec<Entity>));
relationship!(Likes, LikedBy(EntityHashSet));
relationship!(OwnedBy, Owns(Vec<Entity>), linked_spawn);
relationship!(Views, ViewedBy(Entity));

/// It has data beside its target.
#[derive(Component, Clone)]
#[relationship(relationship_target = GuardedBy)]
struct Guards {
    #[relationship]
    target: Entity,
    since: u32,
}

#[derive(Component)]
#[relationship_target(relationship = Guards)]
struct GuardedBy(Vec<Entity>);

/// Not registered: it is lost with its entity.
#[derive(Component)]
struct Picture;

fn named(world: &mut World, id: u64) -> Entity {
    let mut all = world.query::<(Entity, &RewindId)>();
    let found = all.iter(world).find(|(_, RewindId(of))| *of == id);
    let found = found.map(|(entity, _)| entity);
    found.unwrap_or_else(|| world.spawn((RewindId(id), Picture)).id())
}

/// Makes an entity point to another one.
fn point<R: Relationship>(world: &mut World, source: u64, target: u64) {
    let (source, target) = (named(world, source), named(world, target));
    world.entity_mut(source).insert(<R as Relationship>::from(target));
}

type Links = (BTreeMap<u64, u64>, BTreeMap<u64, Vec<u64>>, Vec<u64>);

/// What each entity points to, what points to each, in order, and which have a picture.
fn links<R: Relationship>(world: &mut World) -> Links {
    let id = |world: &World, entity| world.get::<RewindId>(entity).map_or(0, |id| id.0);
    let mut sources = world.query::<(&RewindId, &R)>();
    let sources = sources
        .iter(world)
        .map(|(of, to)| (of.0, id(world, to.get())))
        .collect();
    let mut targets = world.query::<(&RewindId, &R::RelationshipTarget)>();
    let list = |list: &R::RelationshipTarget| list.iter().map(|entity| id(world, entity)).collect();
    let targets = targets.iter(world).map(|(of, target)| (of.0, list(target))).collect();
    let mut pictures = world.query_filtered::<&RewindId, With<Picture>>();
    let mut pictures: Vec<u64> = pictures.iter(world).map(|id| id.0).collect();
    pictures.sort_unstable();
    (sources, targets, pictures)
}

/// What happens between two states, by a function that makes the first number's entity point to the second's.
type Change = fn(&mut World, point: fn(&mut World, u64, u64));

const CHANGES: [(&str, Change); 10] = [
    ("a target goes", |world, _| {
        let target = named(world, 1);
        world.despawn(target);
    }),
    ("a target goes and another one comes with its number", |world, point| {
        let target = named(world, 1);
        world.despawn(target);
        point(world, 12, 1);
    }),
    ("a source goes", |world, _| {
        let source = named(world, 11);
        world.despawn(source);
    }),
    ("a source points elsewhere and back", |world, point| {
        point(world, 11, 2);
        point(world, 11, 1);
    }),
    ("sources change places", |world, point| {
        point(world, 11, 2);
        point(world, 14, 1);
    }),
    ("sources come in the order of their numbers", |world, point| {
        (11..15).for_each(|source| point(world, source, 1))
    }),
    ("a target comes", |world, point| point(world, 12, 50)),
    ("a target points to what pointed to another one", |world, point| {
        point(world, 14, 1);
        point(world, 2, 14);
    }),
    ("all go", |world, _| {
        for id in [1, 2, 11, 12, 13, 14] {
            let entity = named(world, id);
            world.despawn(entity);
        }
    }),
    ("nothing changes", |_, _| ()),
];

/// Whatever happens between two states, each restores what it had, and entities that were there all the time stay the same.
fn sweep<R: Relationship + Clone>(keeps_order: bool)
where
    RewindPlugin<R>: Plugin,
{
    for (what, change) in CHANGES {
        let mut app = app((ExactLoopPlugin::hz(60), RewindPlugin::<R>::relationship()));
        let world = app.world_mut();
        for (source, target) in [(13, 1), (11, 1), (12, 1), (14, 2)] {
            point::<R>(world, source, target);
        }
        let mut states = Vec::new();
        for is_after in [false, true] {
            if is_after {
                change(world, point::<R>);
            }
            states.push((WorldState::save(world), links::<R>(world)));
        }
        for round in 0..2 {
            for (state, (sources, mut lists, pictures)) in states.iter().map(|(state, links)| (state, links.clone())) {
                state.restore(world).unwrap_or_else(|error| panic!("{what}: {error}"));
                let saved = WorldState::save(world);
                assert!(
                    state.dump(0).compare(&saved.dump(0)).is_none() && state.hash() == saved.hash(),
                    "{what}"
                );
                let mut there = links::<R>(world);
                if !keeps_order {
                    let both = lists.values_mut().chain(there.1.values_mut());
                    both.for_each(|list| list.sort_unstable());
                }
                assert_eq!((&there.0, &there.1), (&sources, &lists), "{what}, round {round}");
                // An entity that the last state had is not spawned again.
                let is_kept =
                    |id: &u64| !["go", "goes"].iter().any(|word| what.contains(word)) && pictures.contains(id);
                assert!(
                    sources.keys().filter(|id| is_kept(id)).all(|id| there.2.contains(id)),
                    "{what}"
                );
            }
        }
    }
}

#[test]
fn whatever_happens_to_sources_and_targets_a_restore_brings_back_who_points_to_whom_and_the_order() {
    sweep::<Hunts>(true);
    sweep::<OwnedBy>(true);
    sweep::<Likes>(false);
    sweep::<Views>(true);
    sweep::<ChildOf>(true);
}

#[test]
fn other_data_of_a_relationship_is_restored_with_it() {
    let mut app = app((ExactLoopPlugin::hz(60), RewindPlugin::<Guards>::relationship()));
    let world = app.world_mut();
    let target = named(world, 1);
    let guard = world.spawn((RewindId(2), Guards { target, since: 5 })).id();
    let before = WorldState::save(world);
    world.entity_mut(guard).insert(Guards { target, since: 9 });
    before.restore(world).unwrap();
    let guards = world.get::<Guards>(guard).unwrap();
    assert_eq!((guards.target, guards.since), (target, 5));
    assert_eq!(world.get::<GuardedBy>(target).unwrap().0, [guard]);
}

#[test]
fn a_target_without_a_number_that_is_gone_is_refused_with_its_name_and_changes_nothing() {
    let mut app = app((
        ExactLoopPlugin::hz(60),
        RewindPlugin::<Hunts>::relationship(),
        RewindPlugin::new(|score: &Score| score.0),
    ));
    let world = app.world_mut();
    world.insert_resource(Score(1));
    let target = world.spawn_empty().id();
    world.spawn((RewindId(2), Hunts(target)));
    let kept = WorldState::save(world);
    kept.restore(world).unwrap();
    world.despawn(target);
    world.insert_resource(Score(2));
    point::<Hunts>(world, 3, 2);
    let before = WorldState::save(world);
    let error = kept.restore(world).unwrap_err();
    let type_name = std::any::type_name::<Hunts>();
    let lost = vec![(RewindId(2), target)];
    assert_eq!(error, RestoreError::LostTargets { type_name, lost });
    assert_eq!(WorldState::save(world).hash(), before.hash());
    assert_eq!(world.resource::<Score>().0, 2);
}

/// A target goes with the entity that came after the state, whatever links the two.
#[test]
fn a_target_without_a_number_that_would_go_with_its_owner_is_refused_and_changes_nothing() {
    const KEPT: u64 = 4;
    const LATE: u64 = 3;
    let chains: [&[&str]; 9] = [
        &["child"],
        &["owned"],
        &["both"],
        &["child", "owned"],
        &["owned", "child"],
        &["owned", "owned", "child"],
        &["hunts"],
        &["hunts", "owned"],
        &["owned", "hunts"],
    ];
    for (chain, owner) in chains.into_iter().flat_map(|chain| [(chain, KEPT), (chain, LATE)]) {
        let mut app = app((
            ExactLoopPlugin::hz(60),
            RewindPlugin::<Hunts>::relationship(),
            RewindPlugin::<OwnedBy>::relationship(),
            RewindPlugin::new(|score: &Score| score.0),
        ));
        let world = app.world_mut();
        let target = world.spawn_empty().id();
        let hunter_of_it = named(world, 2);
        world.entity_mut(hunter_of_it).insert(Hunts(target));
        named(world, KEPT);
        let kept = WorldState::save(world);
        let (mut below, last) = (target, chain.len() - 1);
        for (place, link) in chain.iter().enumerate() {
            let above = if place == last {
                named(world, owner)
            } else {
                world.spawn_empty().id()
            };
            let mut below_it = world.entity_mut(below);
            match *link {
                "child" => below_it.insert(ChildOf(above)),
                "owned" => below_it.insert(OwnedBy(above)),
                "both" => below_it.insert((ChildOf(above), OwnedBy(above))),
                // Nothing is despawned with what it hunts.
                _ => below_it.insert(Hunts(above)),
            };
            below = above;
        }
        world.insert_resource(Score(2));
        let before = WorldState::save(world);
        let restored = kept.restore(world);
        if owner == KEPT || chain.contains(&"hunts") {
            assert_eq!(restored, Ok(()), "{chain:?} to {owner}");
            assert_eq!(
                world.get::<Hunts>(hunter_of_it).map(|hunts| hunts.0),
                Some(target),
                "{chain:?} to {owner}"
            );
        } else {
            let type_name = std::any::type_name::<Hunts>();
            let lost = vec![(RewindId(2), target)];
            assert_eq!(
                restored,
                Err(RestoreError::LostTargets { type_name, lost }),
                "{chain:?} to {owner}"
            );
            assert_eq!(WorldState::save(world).hash(), before.hash(), "{chain:?} to {owner}");
            assert_eq!(world.resource::<Score>().0, 2, "{chain:?} to {owner}");
        }
    }
}

#[derive(Resource, Clone, Default)]
struct Score(u64);

/// A hunter changes its target and comes back: the last one in the list, not the first.
#[test]
fn what_steps_read_in_a_list_is_the_same_in_a_resimulation() {
    fn change(step: Res<CurrentStep>, mut commands: Commands, all: Query<(Entity, &RewindId)>) {
        let of = |id| all.iter().find(|(_, of)| of.0 == id).map(|(entity, _)| entity);
        match (step.tick, of(1), of(2), of(11)) {
            (40, _, Some(other), Some(hunter)) => _ = commands.entity(hunter).insert(Hunts(other)),
            (42, Some(target), _, Some(hunter)) => _ = commands.entity(hunter).insert(Hunts(target)),
            (44, Some(target), ..) => commands.entity(target).despawn(),
            _ => {}
        }
    }
    fn read(mut score: ResMut<Score>, lists: Query<(&RewindId, &HuntedBy)>, ids: Query<&RewindId>) {
        let first = lists.iter().find(|(id, _)| id.0 == 1);
        for id in first.iter().flat_map(|(_, list)| &list.0) {
            score.0 = score.0.wrapping_mul(31).wrapping_add(ids.get(*id).unwrap().0);
        }
    }
    let play = |is_tested| {
        let plugins = (
            RewindPlugin::<Hunts>::relationship(),
            RewindPlugin::new(|score: &Score| score.0),
        );
        let mut app: App = app((ExactLoopPlugin::hz(60), plugins));
        app.init_resource::<Score>().insert_resource(RewindHistory::new(60));
        app.add_systems(FixedUpdate, (read, change).chain());
        if is_tested {
            app.init_resource::<SyncTest>();
        }
        (11..14).for_each(|source| point::<Hunts>(app.world_mut(), source, 1));
        named(app.world_mut(), 2);
        frames(60, 1).take(48).for_each(|delta| frame(&mut app, delta));
        app
    };
    let mut app = play(false);
    let before = WorldState::save(app.world_mut());
    for from in [30, 41, 43, 45] {
        assert_eq!(resimulate(app.world_mut(), from), Ok(48 - from));
        let after = WorldState::save(app.world_mut());
        assert!(
            before.hash() == after.hash(),
            "{from}: {:?}",
            before.dump(0).compare(&after.dump(0))
        );
    }
    let test = play(true);
    let test = test.world().resource::<SyncTest>();
    assert!(test.desync().is_none() && test.error().is_none(), "{test:?}");
}

/// As in a message, a scene or a clone: Bevy's mapping of entities.
#[test]
fn a_field_that_bevy_maps_names_the_entity_that_was_spawned_again() {
    #[derive(Component, Clone)]
    struct Aim(#[entities] Entity);
    let mut app = app((ExactLoopPlugin::hz(60), RewindPlugin::new(|_: &Aim| ())));
    let world = app.world_mut();
    let target = named(world, 1);
    let gun = world.spawn((RewindId(2), Aim(target))).id();
    let before = WorldState::save(world);
    world.despawn(target);
    for entity in [gun, named(world, 3)] {
        if entity != gun {
            world.despawn(gun);
        }
        before.restore(world).unwrap();
        let (gun, target) = (named(world, 2), named(world, 1));
        assert_eq!(world.get::<Aim>(gun).unwrap().0, target);
    }
}

#[test]
#[should_panic(expected = "by RewindPlugin::relationship")]
fn a_relationship_that_is_registered_as_a_component_is_an_error_that_names_the_way() {
    let _ = app((
        ExactLoopPlugin::hz(60),
        RewindPlugin::new(|hunts: &Hunts| hunts.0.to_bits()),
    ));
}
