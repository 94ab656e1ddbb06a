//! Entities that change their parents: a pose belongs to a space, and nothing is drawn between two spaces.

use bevy_app::{
    App, First, FixedFirst, FixedLast, FixedPostUpdate, FixedPreUpdate, FixedUpdate, PostUpdate, PreUpdate,
    RunFixedMainLoop, RunFixedMainLoopSystems, Update,
};
use bevy_ecs::hierarchy::{ChildOf, Children};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleConfigs;
use bevy_ecs::system::ScheduleSystem;
use bevy_evenstep::{ExactLoopPlugin, LastFrame, SmoothTransform, SmoothTransformPlugin};
use bevy_time::{Fixed, Time, TimePlugin};
use bevy_transform::commands::BuildChildrenTransformExt;
use bevy_transform::components::{GlobalTransform, Transform};
use bevy_transform::{TransformPlugin, TransformSystems};

use crate::frames::{begin, frame, frames};

/// An item that changes its parent, from `old`, if it is a child, to `new`, if it becomes one.
#[derive(Component, Clone, Copy)]
struct Item {
    way: usize,
    old: Entity,
    new: Entity,
}

/// Moves by this in a step, along x.
#[derive(Component)]
struct Hand(f32);

/// How far an item moves in a step.
const SLIDE: f32 = 0.25;

/// Where an item is put by its new parent, or in the world.
const PLACE: Transform = Transform::from_xyz(1.0, 0.0, 0.0);

#[derive(Clone, Copy, PartialEq)]
enum Before {
    Free,
    Parent,
}

#[derive(Clone, Copy, PartialEq)]
enum Then {
    /// It is at `PLACE`.
    Put,
    /// A system that runs after the one with the command sets `PLACE`.
    PutLater,
    /// Its numbers stay.
    Stays,
    /// Its place in the world stays.
    InPlace,
}

type Change = fn(&mut Commands, Entity, Item);

/// All that changes the parent of an entity in Bevy 0.20.
const WAYS: &[(&str, Before, Then, Change)] = {
    use Before::{Free, Parent};
    use Then::{InPlace, Put, PutLater, Stays};
    &[
        ("insert both", Free, Put, |c, e, i| {
            _ = c.entity(e).insert((ChildOf(i.new), PLACE))
        }),
        ("insert both, from another", Parent, Put, |c, e, i| {
            _ = c.entity(e).insert((PLACE, ChildOf(i.new)))
        }),
        ("insert ChildOf, Transform", Free, Put, |c, e, i| {
            _ = c.entity(e).insert(ChildOf(i.new)).insert(PLACE)
        }),
        ("insert Transform, ChildOf", Free, Put, |c, e, i| {
            _ = c.entity(e).insert(PLACE).insert(ChildOf(i.new))
        }),
        ("the same from another", Parent, Put, |c, e, i| {
            _ = c.entity(e).insert(PLACE).insert(ChildOf(i.new))
        }),
        ("insert, set later", Free, PutLater, |c, e, i| {
            _ = c.entity(e).insert(ChildOf(i.new))
        }),
        ("insert from another, set later", Parent, PutLater, |c, e, i| {
            _ = c.entity(e).insert(ChildOf(i.new))
        }),
        ("insert ChildOf", Free, Stays, |c, e, i| {
            _ = c.entity(e).insert(ChildOf(i.new))
        }),
        ("insert ChildOf from another", Parent, Stays, |c, e, i| {
            _ = c.entity(e).insert(ChildOf(i.new))
        }),
        ("insert_batch", Free, Put, |c, e, i| {
            c.insert_batch([(e, (ChildOf(i.new), PLACE))])
        }),
        ("try_insert_batch", Parent, Put, |c, e, i| {
            c.try_insert_batch([(e, (ChildOf(i.new), PLACE))])
        }),
        ("insert_if_new", Free, Stays, |c, e, i| {
            _ = c.entity(e).insert_if_new((ChildOf(i.new), PLACE))
        }),
        ("add_child", Free, Put, |c, e, i| {
            c.entity(i.new).add_child(e);
            c.entity(e).insert(PLACE);
        }),
        ("add_children from another", Parent, Put, |c, e, i| {
            c.entity(e).insert(PLACE);
            c.entity(i.new).add_children(&[e]);
        }),
        ("insert_child", Free, PutLater, |c, e, i| {
            _ = c.entity(i.new).insert_child(0, e)
        }),
        ("insert_children from another", Parent, PutLater, |c, e, i| {
            _ = c.entity(i.new).insert_children(0, &[e])
        }),
        ("replace_children", Free, PutLater, |c, e, i| {
            _ = c.entity(i.new).replace_children(&[e])
        }),
        ("replace_children_with_difference", Free, PutLater, |c, e, i| {
            c.entity(i.new).replace_children_with_difference(&[], &[e], &[e]);
        }),
        ("add_related", Free, PutLater, |c, e, i| {
            _ = c.entity(i.new).add_related::<ChildOf>(&[e])
        }),
        ("add_one_related from another", Parent, PutLater, |c, e, i| {
            c.entity(i.new).add_one_related::<ChildOf>(e);
        }),
        ("insert_related", Free, PutLater, |c, e, i| {
            _ = c.entity(i.new).insert_related::<ChildOf>(0, &[e])
        }),
        ("replace_related", Free, Stays, |c, e, i| {
            _ = c.entity(i.new).replace_related::<ChildOf>(&[e])
        }),
        ("move_components", Parent, PutLater, |c, _, i| {
            _ = c.entity(i.old).move_components::<Children>(i.new)
        }),
        ("move_components, numbers stay", Parent, Stays, |c, _, i| {
            c.entity(i.old).move_components::<Children>(i.new);
        }),
        ("set_parent_in_place", Free, InPlace, |c, e, i| {
            _ = c.entity(e).set_parent_in_place(i.new)
        }),
        ("set_parent_in_place from another", Parent, InPlace, |c, e, i| {
            _ = c.entity(e).set_parent_in_place(i.new)
        }),
        ("remove ChildOf", Parent, Stays, |c, e, _| {
            _ = c.entity(e).remove::<ChildOf>()
        }),
        ("remove ChildOf, insert Transform", Parent, Put, |c, e, _| {
            c.entity(e).remove::<ChildOf>().insert(PLACE);
        }),
        ("insert Transform, remove ChildOf", Parent, Put, |c, e, _| {
            c.entity(e).insert(PLACE).remove::<ChildOf>();
        }),
        ("try_remove, set later", Parent, PutLater, |c, e, _| {
            _ = c.entity(e).try_remove::<ChildOf>()
        }),
        ("remove Children", Parent, PutLater, |c, _, i| {
            _ = c.entity(i.old).remove::<Children>()
        }),
        ("detach_child", Parent, PutLater, |c, e, i| {
            _ = c.entity(i.old).detach_child(e)
        }),
        ("detach_children", Parent, Put, |c, e, i| {
            c.entity(i.old).detach_children(&[e]);
            c.entity(e).insert(PLACE);
        }),
        ("detach_all_children", Parent, PutLater, |c, _, i| {
            _ = c.entity(i.old).detach_all_children()
        }),
        ("detach_all_related", Parent, Stays, |c, _, i| {
            _ = c.entity(i.old).detach_all_related::<ChildOf>()
        }),
        ("remove_related", Parent, PutLater, |c, e, i| {
            _ = c.entity(i.old).remove_related::<ChildOf>(&[e])
        }),
        ("replace_children with none", Parent, PutLater, |c, _, i| {
            _ = c.entity(i.old).replace_children(&[])
        }),
        ("replace_related_with_difference", Parent, PutLater, |c, e, i| {
            c.entity(i.old)
                .replace_related_with_difference::<ChildOf>(&[e], &[], &[]);
        }),
        ("remove_parent_in_place", Parent, InPlace, |c, e, _| {
            _ = c.entity(e).remove_parent_in_place()
        }),
    ]
};

/// The schedules, and where in them the parents change.
const SCHEDULES: [(&str, fn(&mut App, ScheduleConfigs<ScheduleSystem>)); 13] = [
    ("First", |app, systems| _ = app.add_systems(First, systems)),
    ("PreUpdate", |app, systems| _ = app.add_systems(PreUpdate, systems)),
    ("before the fixed loop", |app, systems| {
        app.add_systems(
            RunFixedMainLoop,
            systems.in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
        );
    }),
    ("FixedFirst", |app, systems| _ = app.add_systems(FixedFirst, systems)),
    ("FixedPreUpdate", |app, systems| {
        _ = app.add_systems(FixedPreUpdate, systems)
    }),
    ("FixedUpdate", |app, systems| _ = app.add_systems(FixedUpdate, systems)),
    ("FixedPostUpdate", |app, systems| {
        _ = app.add_systems(FixedPostUpdate, systems)
    }),
    ("FixedLast", |app, systems| _ = app.add_systems(FixedLast, systems)),
    ("between the fixed loop and what is after it", |app, systems| {
        let systems = systems.after(RunFixedMainLoopSystems::FixedMainLoop);
        app.add_systems(
            RunFixedMainLoop,
            systems.before(RunFixedMainLoopSystems::AfterFixedMainLoop),
        );
    }),
    ("after the fixed loop", |app, systems| {
        app.add_systems(
            RunFixedMainLoop,
            systems.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
        );
    }),
    ("Update", |app, systems| _ = app.add_systems(Update, systems)),
    ("PostUpdate", |app, systems| {
        app.add_systems(PostUpdate, systems.before(TransformSystems::Propagate));
    }),
    ("PostUpdate, after propagation", |app, systems| {
        app.add_systems(PostUpdate, systems.after(TransformSystems::Propagate));
    }),
];

/// Whether items change their parents in this frame, or have done so and move again.
#[derive(Resource, Default, PartialEq)]
enum Phase {
    #[default]
    Before,
    Now,
    After,
    Sliding,
}

#[derive(Resource, Default)]
struct Slides(u32);

fn carry(mut hands: Query<(&mut Transform, &Hand)>) {
    hands.iter_mut().for_each(|(mut hand, by)| hand.translation.x += by.0);
}

fn slide(mut items: Query<&mut Transform, With<Item>>, phase: Res<Phase>, mut slides: ResMut<Slides>) {
    if *phase == Phase::Sliding {
        slides.0 += 1;
        items.iter_mut().for_each(|mut item| item.translation.x += SLIDE);
    }
}

fn fall(mut items: Query<&mut Transform, With<Item>>, phase: Res<Phase>) {
    if *phase == Phase::Before {
        items.iter_mut().for_each(|mut item| item.translation.x += SLIDE);
    }
}

fn change(items: Query<(Entity, &Item)>, mut phase: ResMut<Phase>, mut commands: Commands) {
    if *phase == Phase::Now {
        items
            .iter()
            .for_each(|(entity, item)| WAYS[item.way].3(&mut commands, entity, *item));
        *phase = Phase::After;
    }
}

fn set_later(mut items: Query<(&Item, &mut Transform)>, mut is_done: Local<bool>, phase: Res<Phase>) {
    if *phase == Phase::After && !core::mem::replace(&mut *is_done, true) {
        for (item, mut transform) in &mut items {
            if WAYS[item.way].2 == Then::PutLater {
                *transform = PLACE;
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Bevy,
    Ours,
    Exact,
}

/// Where an item is drawn.
#[derive(Clone, Copy, Debug)]
struct Drawn {
    /// From its parent, if it has one.
    local: f32,
    global: f32,
    is_child: bool,
}

struct Played {
    /// The frame in which parents change.
    changed: usize,
    /// In each frame by item.
    drawn: Vec<Vec<Drawn>>,
    /// How many steps items have moved since they changed their parents, and alpha.
    slid: Vec<(u32, f32)>,
}

/// Plays these ways, each with an item of its own, in one app.
fn play(kind: Kind, schedule: usize, display: u64, falls: bool, ways: &[usize]) -> Played {
    let mut app = App::new();
    app.add_plugins((TimePlugin, TransformPlugin));
    match kind {
        Kind::Bevy => {}
        Kind::Ours => _ = app.add_plugins(SmoothTransformPlugin::default()),
        Kind::Exact => _ = app.add_plugins((SmoothTransformPlugin::default(), ExactLoopPlugin::hz(50))),
    }
    app.insert_resource(Time::<Fixed>::from_hz(50.0));
    app.init_resource::<Phase>().init_resource::<Slides>();
    app.add_systems(FixedUpdate, (carry, slide));
    if falls {
        app.add_systems(FixedUpdate, fall);
    }
    SCHEDULES[schedule].1(&mut app, (change, set_later).chain());
    let items: Vec<Entity> = ways.iter().map(|way| spawn(app.world_mut(), kind, *way)).collect();
    begin(&mut app);
    let mut played = Played {
        changed: 0,
        drawn: vec![],
        slid: vec![],
    };
    for (number, delta) in frames(display, 1).take(display as usize / 2).enumerate() {
        let now = number as u64 * 1000 / display;
        let mut phase = app.world_mut().resource_mut::<Phase>();
        match *phase {
            Phase::Before if now >= 200 => {
                *phase = Phase::Now;
                played.changed = number;
            }
            Phase::After if now >= 300 => *phase = Phase::Sliding,
            _ => {}
        }
        frame(&mut app, delta);
        let slides = app.world().resource::<Slides>().0;
        let alpha = app
            .world()
            .get_resource::<LastFrame>()
            .map_or(1.0, |last| last.alpha() as f32);
        played.slid.push((slides, alpha));
        played
            .drawn
            .push(items.iter().map(|item| drawn(app.world(), *item)).collect());
    }
    played
}

fn spawn(world: &mut World, kind: Kind, way: usize) -> Entity {
    let old = world.spawn((Hand(1.0), Transform::from_xyz(20.0, 0.0, 0.0))).id();
    let new = world.spawn((Hand(-0.5), Transform::from_xyz(-30.0, 0.0, 0.0))).id();
    let item = world
        .spawn((Item { way, old, new }, Transform::from_xyz(3.0, 0.0, 0.0)))
        .id();
    if WAYS[way].1 == Before::Parent {
        world.entity_mut(item).insert(ChildOf(old));
    }
    if kind != Kind::Bevy {
        for entity in [old, new, item] {
            world.entity_mut(entity).insert(SmoothTransform);
        }
    }
    item
}

fn drawn(world: &World, item: Entity) -> Drawn {
    let at = |entity| world.get::<GlobalTransform>(entity).unwrap().translation().x;
    let (parent, global) = (world.get::<ChildOf>(item).map(ChildOf::parent), at(item));
    Drawn {
        local: global - parent.map_or(0.0, at),
        global,
        is_child: parent.is_some(),
    }
}

/// Where the item has to be in each frame, beside what it is without the plugin.
fn check(way: usize, what: &str, ours: &Played, bevys: &Played, index: usize) {
    let then = WAYS[way].2;
    let is_propagated_later = what.contains("after propagation");
    let mut last: Option<Drawn> = None;
    for (number, (frame, bevy)) in ours.drawn.iter().zip(&bevys.drawn).enumerate() {
        if is_propagated_later && number == ours.changed {
            continue; // its place is that in the former space, and its parent the new one
        }
        let (ours_is, bevy_is) = (frame[index], bevy[index]);
        let what = format!(
            "{} {what}, frame {number}: {ours_is:?}, without the plugin {bevy_is:?}",
            WAYS[way].0
        );
        assert_eq!(ours_is.is_child, bevy_is.is_child, "{what}");
        let (slid, alpha) = ours.slid[number];
        let is_put = matches!(then, Then::Put | Then::PutLater);
        let is_there = (bevy_is.local - PLACE.translation.x).abs() < 1e-3;
        if is_put && is_there && slid == 0 {
            assert!((ours_is.local - PLACE.translation.x).abs() < 1e-4, "{what}");
        } else if is_put && slid > 0 {
            let expected = PLACE.translation.x + SLIDE * (slid as f32 - 1.0 + alpha);
            assert!((ours_is.local - expected).abs() < 1e-3, "{what}, not {expected}");
        } else if then != Then::InPlace || slid == 0 {
            // In place the numbers follow from what is drawn, which is up to a step behind: an item on the old hand from the new one.
            let behind = if then == Then::InPlace { 1.5 + SLIDE } else { SLIDE } + 1e-3;
            assert!((ours_is.local - bevy_is.local).abs() <= behind, "{what}");
        }
        if then == Then::InPlace
            && let Some(last) = last
        {
            // The hands move up to one a step, and so does the item on the screen.
            let jump = (ours_is.global - last.global).abs();
            assert!(jump <= 2.0 * (1.0 + SLIDE), "{what}, a jump of {jump}");
        }
        last = Some(ours_is);
    }
}

fn sweep(schedules: &[usize], displays: &[u64], at_once: usize) {
    let all: Vec<usize> = (0..WAYS.len()).collect();
    for (schedule, display) in schedules
        .iter()
        .flat_map(|schedule| displays.iter().map(|display| (*schedule, *display)))
    {
        for (falls, ways) in [false, true]
            .into_iter()
            .flat_map(|falls| all.chunks(at_once).map(move |ways| (falls, ways)))
        {
            let bevys = play(Kind::Bevy, schedule, display, falls, ways);
            for kind in [Kind::Ours, Kind::Exact] {
                let ours = play(kind, schedule, display, falls, ways);
                for (index, way) in ways.iter().enumerate() {
                    let name = SCHEDULES[schedule].0;
                    let what = format!("in {name} under {kind:?} at {display}, moving: {falls}");
                    check(*way, &what, &ours, &bevys, index);
                }
            }
        }
    }
}

#[test]
fn entities_that_change_their_parents_in_a_step_or_in_update_are_drawn_where_they_are_without_the_plugin() {
    sweep(&[5, 10], &[144], WAYS.len());
}

#[test]
#[ignore = "takes several seconds"]
fn so_they_are_in_every_schedule_and_at_every_frame_rate() {
    let all: Vec<usize> = (0..SCHEDULES.len()).collect();
    sweep(&all, &[30, 60, 75, 240], WAYS.len());
}

#[test]
#[ignore = "takes several seconds"]
fn so_is_an_entity_alone() {
    sweep(&[5, 10], &[60], 1);
}

#[test]
fn an_entity_that_becomes_its_own_ancestor_hangs_nothing() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, SmoothTransformPlugin::default()));
    begin(&mut app);
    let [one, other] = [0, 1].map(|_| app.world_mut().spawn(SmoothTransform).id());
    app.world_mut().entity_mut(one).insert(ChildOf(one));
    app.world_mut().flush();
    assert!(app.world().get::<ChildOf>(one).is_none(), "Bevy removes it");
    app.world_mut().entity_mut(one).insert(ChildOf(other));
    app.world_mut().entity_mut(other).insert(ChildOf(one));
    frames(60, 1).for_each(|delta| frame(&mut app, delta));
    app.world_mut().entity_mut(one).remove::<SmoothTransform>();
    app.world_mut().entity_mut(other).remove_parent_in_place();
    app.world_mut().entity_mut(one).set_parent_in_place(other);
    frames(60, 1).for_each(|delta| frame(&mut app, delta));
}
