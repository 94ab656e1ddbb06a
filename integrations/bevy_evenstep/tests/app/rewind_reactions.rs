//! What a restore makes of the game's own code that runs during it: observers, hooks and required components; and of misuse.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::common::app;
use crate::frames::{begin, frame, frames};
use crate::rewind::lost;
use bevy_app::{App, FixedUpdate};
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::query::Allow;
use bevy_ecs::world::DeferredWorld;
use bevy_evenstep::rewind::{
    Respawned, RestoreError, RewindHistory, RewindId, RewindPlugin, SyncTest, WorldState, resimulate,
};
use bevy_evenstep::{CurrentStep, ExactLoopPlugin};
use bevy_time::TimePlugin;

/// What comes and goes, with what it requires.
#[derive(Component, Clone, Default)]
#[require(Armor(3))]
struct Bullet(u32);

#[derive(Component, Clone, Default)]
struct Armor(u32);

#[derive(Component, Clone)]
#[component(immutable)]
struct Team(u32);

#[derive(Resource, Clone, Default)]
struct Ammunition(i64);

/// A team's color is a picture: not registered.
#[derive(Component)]
struct Picture;

/// What the game does when a bullet comes, changes or goes.
type Reaction = fn(&mut World);

fn named(world: &mut World, id: u64) -> Option<Entity> {
    let mut query = world.query_filtered::<(&RewindId, Entity), Allow<Disabled>>();
    query.iter(world).find(|(of, _)| of.0 == id).map(|(_, entity)| entity)
}

fn with(world: &mut World, id: u64, act: impl FnOnce(EntityWorldMut)) {
    if let Some(entity) = named(world, id) {
        act(world.entity_mut(entity));
    }
}

const REACTIONS: [(&str, Reaction); 12] = [
    ("takes ammunition", |world| {
        if let Some(mut ammunition) = world.get_resource_mut::<Ammunition>() {
            ammunition.0 -= 1;
        }
    }),
    ("removes the resource", |world| {
        _ = world.remove_resource::<Ammunition>()
    }),
    ("inserts the resource", |world| world.insert_resource(Ammunition(77))),
    ("spawns", |world| {
        if named(world, 1000).is_none() {
            world.spawn((RewindId(1000), Armor(1)));
        }
    }),
    ("spawns once more", |world| {
        let id = 2000 + world.entities().count_spawned() as u64;
        world.spawn((RewindId(id), Armor(1)));
    }),
    ("despawns", |world| with(world, 2, |entity| entity.despawn())),
    ("writes", |world| {
        with(world, 1, |mut entity| {
            if let Some(mut armor) = entity.get_mut::<Armor>() {
                armor.0 += 1;
            }
        });
    }),
    ("inserts", |world| {
        with(world, 1, |mut entity| {
            if !entity.contains::<Bullet>() {
                entity.insert(Bullet(9));
            }
        });
    }),
    ("removes", |world| {
        with(world, 1, |mut entity| _ = entity.remove::<Armor>())
    }),
    ("replaces what is immutable", |world| {
        with(world, 1, |mut entity| _ = entity.insert(Team(8)))
    }),
    ("moves a child to the front", |world| {
        if let (Some(parent), Some(child)) = (named(world, 1), named(world, 3)) {
            world.entity_mut(parent).insert_children(0, &[child]);
        }
    }),
    ("takes a child away", |world| {
        with(world, 3, |mut entity| _ = entity.remove::<ChildOf>())
    }),
];

/// How the game's code is called.
const WAYS: [&str; 10] = [
    "On<Add>",
    "On<Insert>",
    "On<Discard>",
    "On<Remove>",
    "On<Despawn>",
    "on_add",
    "on_insert",
    "on_discard",
    "on_remove",
    "on_despawn",
];

#[derive(Resource, Clone, Copy)]
struct React(Reaction);

fn queue(mut world: DeferredWorld, _: HookContext) {
    if let Some(React(reaction)) = world.get_resource().copied() {
        world.commands().queue(reaction);
    }
}

fn react_by(app: &mut App, way: &str) {
    macro_rules! observe {
        ($event:ident) => {
            _ = app.add_observer(
                |_: On<$event<Bullet>>, react: Option<Res<React>>, mut commands: Commands| {
                    if let Some(react) = react {
                        commands.queue(react.0);
                    }
                },
            )
        };
    }
    match way {
        "On<Add>" => observe!(Add),
        "On<Insert>" => observe!(Insert),
        "On<Discard>" => observe!(Discard),
        "On<Remove>" => observe!(Remove),
        "On<Despawn>" => observe!(Despawn),
        hook => {
            let hooks = app.world_mut().register_component_hooks::<Bullet>();
            match hook {
                "on_add" => hooks.on_add(queue),
                "on_insert" => hooks.on_insert(queue),
                "on_discard" => hooks.on_discard(queue),
                "on_remove" => hooks.on_remove(queue),
                _ => hooks.on_despawn(queue),
            };
        }
    }
}

/// Registers the types in an order.
fn register(app: &mut App, order: usize) {
    let types: [fn(&mut App); 4] = [
        |app| _ = app.add_plugins(RewindPlugin::new(|bullet: &Bullet| bullet.0)),
        |app| _ = app.add_plugins(RewindPlugin::new(|armor: &Armor| armor.0)),
        |app| _ = app.add_plugins(RewindPlugin::new(|team: &Team| team.0)),
        |app| _ = app.add_plugins(RewindPlugin::new(|ammunition: &Ammunition| ammunition.0)),
    ];
    for index in 0..types.len() {
        types[(index + order) % types.len()](app);
    }
}

fn registered(order: usize) -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ExactLoopPlugin::hz(60)));
    register(&mut app, order);
    begin(&mut app);
    app
}

/// A gun with three parts.
fn gun(world: &mut World) {
    let gun = world.spawn((RewindId(1), Armor(1), Team(1))).id();
    for id in 2..5 {
        world.spawn((RewindId(id), Bullet(id as u32), ChildOf(gun)));
    }
    world.insert_resource(Ammunition(10));
}

/// What makes of a world another one, before which and after which it is saved.
const CHANGES: [Reaction; 5] = [
    |world| _ = world.spawn((RewindId(50), Bullet(1), Team(2))),
    |world| with(world, 3, |entity| entity.despawn()),
    |world| {
        with(world, 1, |mut gun| {
            _ = gun.insert((Bullet(4), Team(5))).remove::<Armor>()
        })
    },
    |world| with(world, 2, |mut part| _ = part.remove::<(Bullet, ChildOf)>()),
    |world| {
        with(world, 2, |mut part| _ = part.remove::<Armor>());
        world.remove_resource::<Ammunition>();
    },
];

#[test]
#[ignore = "it sweeps 2 400 cases"]
fn whatever_observers_hooks_and_required_components_do_a_restored_world_is_that_of_the_state_or_an_error_names_it() {
    let mut unsettled = BTreeSet::new();
    for way in WAYS {
        for order in [0, 3] {
            for is_first in [true, false] {
                let mut app = App::new();
                app.add_plugins(TimePlugin);
                if is_first {
                    react_by(&mut app, way);
                }
                app.add_plugins(ExactLoopPlugin::hz(60));
                register(&mut app, order);
                if !is_first {
                    react_by(&mut app, way);
                }
                let world = app.world_mut();
                gun(world);
                let before = WorldState::save(world);
                let changes = CHANGES
                    .into_iter()
                    .flat_map(|change| REACTIONS.map(|reaction| (change, reaction)));
                for (change, (what, reaction)) in changes {
                    change(world);
                    let after = WorldState::save(world);
                    world.insert_resource(React(reaction));
                    for state in [&before, &after] {
                        match state.restore(world) {
                            Ok(()) => {
                                let restored = WorldState::save(world);
                                let difference = restored.dump(0).compare(&state.dump(0));
                                assert!(difference.is_none(), "{way} {what}, {order}: {}", difference.unwrap());
                                assert_eq!(restored.hash(), state.hash(), "{way} {what}, {order}");
                            }
                            Err(RestoreError::Unsettled { type_name, .. }) => _ = unsettled.insert((what, type_name)),
                            Err(error) => panic!("{way} {what}, {order}: {error}"),
                        }
                    }
                    world.remove_resource::<React>();
                    before.restore(world).unwrap();
                }
            }
        }
    }
    // What comes makes others come or go, without an end.
    assert!(
        unsettled.iter().all(|(what, _)| ["despawns", "inserts"].contains(what)),
        "{unsettled:?}"
    );
}

fn shoot(step: Res<CurrentStep>, mut commands: Commands, query: Query<(Entity, &RewindId)>) {
    match step.tick {
        20 => _ = commands.spawn((RewindId(50), Bullet(0))),
        35 => {
            let bullet = query.iter().find(|(_, id)| id.0 == 50);
            commands.entity(bullet.unwrap().0).despawn();
        }
        _ => {}
    }
}

#[test]
fn ammunition_that_an_observer_takes_is_the_same_after_a_resimulation_in_each_order_of_registration() {
    for order in 0..4 {
        for is_tested in [false, true] {
            let mut app = registered(order);
            app.insert_resource(RewindHistory::new(60))
                .insert_resource(Ammunition(10))
                .add_observer(|_: On<Add<Bullet>>, mut ammunition: ResMut<Ammunition>| ammunition.0 -= 1)
                .add_systems(FixedUpdate, shoot);
            if is_tested {
                app.init_resource::<SyncTest>();
            }
            frames(60, 1).take(45).for_each(|delta| frame(&mut app, delta));
            assert_eq!(app.world().resource::<Ammunition>().0, 9);
            assert_eq!(resimulate(app.world_mut(), 30), Ok(15));
            assert_eq!(app.world().resource::<Ammunition>().0, 9);
            let test = app.world().get_resource::<SyncTest>();
            assert!(test.is_none_or(|test| test.desync().is_none() && test.error().is_none()));
        }
    }
}

#[test]
fn an_observer_that_never_lets_a_state_settle_is_named_by_type_and_entity() {
    let mut app = registered(0);
    let world = app.world_mut();
    gun(world);
    let before = WorldState::save(world);
    with(world, 1, |mut gun| _ = gun.remove::<Armor>());
    world.add_observer(|on: On<Add<Armor>>, mut commands: Commands| _ = commands.entity(on.entity).remove::<Armor>());
    let error = before.restore(world).unwrap_err();
    let type_name = std::any::type_name::<Armor>();
    let id = Some(RewindId(1));
    assert_eq!(error, RestoreError::Unsettled { type_name, id });
    assert!(error.to_string().contains("Armor of RewindId(1)"), "{error}");
}

#[test]
fn a_clone_that_differs_is_found_and_named_in_debug_builds() {
    #[derive(Resource)]
    struct Forgetful(u32);
    impl Clone for Forgetful {
        fn clone(&self) -> Self {
            Self(self.0 / 2)
        }
    }
    let mut app = app((ExactLoopPlugin::hz(60), RewindPlugin::new(|value: &Forgetful| value.0)));
    app.insert_resource(Forgetful(8));
    let state = WorldState::save(app.world_mut());
    let type_name = std::any::type_name::<Forgetful>();
    let expected = Err(RestoreError::Unsettled { type_name, id: None });
    assert_eq!(
        state.restore(app.world_mut()),
        if cfg!(debug_assertions) { expected } else { Ok(()) }
    );
}

/// As a value that is written in place: no observer runs for what is there before and after.
#[test]
fn values_of_mutable_components_are_restored_without_running_observers() {
    let mut app = registered(0);
    let world = app.world_mut();
    gun(world);
    let state = WorldState::save(world);
    with(world, 1, |mut gun| gun.get_mut::<Armor>().unwrap().0 = 5);
    world.resource_mut::<Ammunition>().0 = 3;
    world.add_observer(|_: On<Insert<Armor>>| panic!("it is not inserted"));
    world.add_observer(|_: On<Insert<Ammunition>>| panic!("it is not inserted"));
    state.restore(world).unwrap();
    assert_eq!(WorldState::save(world).hash(), state.hash());
}

#[test]
fn the_order_of_children_is_restored_hashed_and_dumped() {
    let mut app = registered(0);
    let world = app.world_mut();
    gun(world);
    let gun = named(world, 1).unwrap();
    let stock = world.spawn(ChildOf(gun)).id();
    world.entity_mut(gun).insert_children(1, &[stock]);
    let order = |world: &World| world.get::<Children>(gun).unwrap().to_vec();
    let (first, before) = (order(world), WorldState::save(world));
    world.get_mut::<Children>(gun).unwrap().swap(0, 2);
    let swapped = WorldState::save(world);
    let desync = before.dump(0).compare(&swapped.dump(0)).expect("they differ");
    assert!(desync.differences[0].path.ends_with("Children[0]"), "{desync}");
    assert_ne!(swapped.hash(), before.hash());
    with(world, 3, |entity| entity.despawn());
    let scope = world.spawn(ChildOf(gun)).id();
    world.entity_mut(gun).insert_children(0, &[scope]);
    before.restore(world).unwrap();
    assert_eq!(WorldState::save(world).hash(), before.hash());
    let (third, new) = (named(world, 3).unwrap(), order(world));
    assert_eq!(new, [first[0], stock, third, first[3], scope], "others come last");
    assert_eq!(first[1], stock);
}

#[test]
fn two_entities_with_one_number_are_an_error_with_both_and_one_that_comes_later_goes() {
    let mut app = registered(0);
    let world = app.world_mut();
    let one = world.spawn((RewindId(5), Bullet(1))).id();
    let alone = WorldState::save(world);
    let other = world.spawn((RewindId(5), Bullet(2))).id();
    let both = WorldState::save(world);
    let Err(RestoreError::Ambiguous { id, entities }) = both.restore(world) else {
        panic!("it is ambiguous");
    };
    assert!(id == RewindId(5) && entities.contains(&one) && entities.contains(&other));
    alone.restore(world).unwrap();
    assert!(world.get_entity(other).is_err() && world.get::<Bullet>(one).unwrap().0 == 1);
    // The test that runs steps twice says so.
    app.init_resource::<SyncTest>();
    app.world_mut().spawn(RewindId(5));
    frame(&mut app, Duration::from_millis(20));
    let error = app.world().resource::<SyncTest>().error().unwrap().to_string();
    assert!(error.contains("RewindId(5) was that of"), "{error}");
}

#[test]
fn a_number_that_an_entity_got_later_is_an_error_with_its_name_and_changes_nothing() {
    let mut app = registered(0);
    let world = app.world_mut();
    let entity = world.spawn(Bullet(1)).id();
    let before = WorldState::save(world);
    world.entity_mut(entity).insert(RewindId(9));
    let id = RewindId(9);
    assert_eq!(before.restore(world), Err(RestoreError::LateId { id, entity }));
    assert!(world.get::<Bullet>(entity).is_some());
    // One that comes and goes with the states does not.
    let with_it = WorldState::save(world);
    world.despawn(entity);
    let without = WorldState::save(world);
    for _ in 0..3 {
        with_it.restore(world).unwrap();
        without.restore(world).unwrap();
    }
}

#[test]
fn an_entity_that_is_spawned_again_is_told_with_the_components_that_it_lacks() {
    let mut app = registered(0);
    app.add_observer(
        |on: On<Respawned>, mut commands: Commands, components: &bevy_ecs::component::Components| {
            let picture = components.component_id::<Picture>().unwrap();
            assert_eq!((on.id, &on.missing[..]), (RewindId(7), &[picture][..]));
            commands.entity(on.entity).insert(Picture);
        },
    );
    let world = app.world_mut();
    let bullet = world.spawn((RewindId(7), Bullet(1), Picture)).id();
    let state = WorldState::save(world);
    state.restore(world).unwrap();
    world.despawn(bullet);
    state.restore(world).unwrap();
    let bullet = named(world, 7).unwrap();
    assert!(world.get::<Picture>(bullet).is_some());
    assert_eq!(WorldState::save(world).hash(), state.hash());
}

#[test]
fn parents_in_a_circle_are_no_endless_walk() {
    let mut app = app(ExactLoopPlugin::hz(60));
    let world = app.world_mut();
    let [one, other] = [(); 2].map(|()| world.spawn_empty().id());
    world.spawn((RewindId(1), ChildOf(one)));
    let state = WorldState::save(world);
    world.entity_mut(one).insert(ChildOf(other));
    world.entity_mut(other).insert(ChildOf(one));
    let parents = vec![(RewindId(1), one)];
    assert_eq!(state.restore(world), Err(lost(parents)));
}

#[test]
fn a_parent_below_a_hundred_thousand_entities_needs_no_stack_for_them() {
    let mut app = app(ExactLoopPlugin::hz(60));
    let world = app.world_mut();
    let root = world.spawn_empty().id();
    let parent = (0..100_000).fold(root, |parent, _| world.spawn(ChildOf(parent)).id());
    let child = world.spawn((RewindId(1), ChildOf(parent))).id();
    let state = WorldState::save(world);
    world.entity_mut(child).remove::<ChildOf>();
    state.restore(world).unwrap();
    let child = named(world, 1).unwrap();
    assert_eq!(world.get::<ChildOf>(child).map(ChildOf::parent), Some(parent));
}
