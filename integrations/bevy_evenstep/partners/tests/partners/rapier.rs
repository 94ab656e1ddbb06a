//! `bevy_rapier2d` 0.36. A game that wants the same bits at every frame rate puts it into the fixed schedule, with a fixed timestep.

use std::collections::BTreeSet;

use bevy::prelude::*;
use bevy_rapier2d::prelude::*;

use crate::apps::{DISPLAYS, Loop, Number, app, heap, play, steps_and_hash};

/// With the same components as the others, the floor lies in their table, and comes first in every world.
const FLOOR: Number = Number(u32::MAX);

/// How Rapier runs.
#[derive(Clone, Copy, PartialEq)]
enum Settings {
    /// As it comes: once a frame, as long as the frame.
    Default,
    /// Once a step, as long as the step.
    Fixed,
}

/// Three seconds of a heap that falls on a floor.
fn fallen(
    app: App,
    (settings, hertz, per_second): (Settings, u32, u64),
    bundles: (impl Bundle + Clone, impl Bundle),
) -> App {
    let mut app = with_heap(app, (settings, hertz), bundles);
    play(&mut app, per_second, 3);
    app
}

/// An app with a heap over a floor, each body with `extra`, and the floor with `of_floor`.
fn with_heap(
    mut app: App,
    (settings, hertz): (Settings, u32),
    (extra, of_floor): (impl Bundle + Clone, impl Bundle),
) -> App {
    let physics = RapierPhysicsPlugin::<NoUserData>::default();
    if settings == Settings::Default {
        app.add_plugins(physics);
    } else {
        let (dt, substeps) = (1.0 / hertz as f32, 1);
        app.insert_resource(TimestepMode::Fixed { dt, substeps })
            .add_plugins(physics.in_fixed_schedule());
    }
    let floor = (RigidBody::Fixed, Collider::cuboid(20.0, 0.5), Transform::default());
    app.world_mut().spawn((floor, of_floor));
    for (number, place) in heap() {
        let body = (RigidBody::Dynamic, Collider::cuboid(0.5, 0.5), number, place);
        app.world_mut().spawn((body, extra.clone()));
    }
    app
}

#[test]
fn at_30_60_144_and_1000_frames_a_second_the_bits_are_the_same() {
    let run = |per_second| fallen(app(Loop::Exact, 60), (Settings::Fixed, 60, per_second), ((), ()));
    let all = DISPLAYS.map(|per_second| steps_and_hash(run(per_second)));
    assert!(all.iter().all(|other| *other == all[0]) && all[0].0 == 180, "{all:?}");
}

#[test]
fn with_default_settings_under_bevys_loop_each_frame_rate_leads_to_bits_of_its_own() {
    let run = |per_second| fallen(app(Loop::Bevys, 64), (Settings::Default, 64, per_second), ((), ()));
    let all = DISPLAYS.map(|per_second| steps_and_hash(run(per_second)).1);
    assert_eq!(BTreeSet::from(all).len(), DISPLAYS.len(), "{all:?}");
}

#[test]
fn at_60_hz_bevys_loop_is_a_step_behind_after_a_second() {
    for per_second in DISPLAYS {
        let run = |fixed| {
            let mut app = with_heap(app(fixed, 60), (Settings::Fixed, 60), ((), FLOOR));
            play(&mut app, per_second, 1); // after three, all bodies rest
            steps_and_hash(app)
        };
        let [bevys, ours] = [Loop::Bevys, Loop::Exact].map(run);
        assert_eq!((bevys.0, ours.0), (59, 60));
        assert_ne!(bevys.1, ours.1);
    }
}

#[test]
fn at_the_64_hz_of_bevys_default_both_loops_lead_to_the_same_bits() {
    let run = |fixed, per_second| fallen(app(fixed, 64), (Settings::Fixed, 64, per_second), ((), FLOOR));
    let all = DISPLAYS.map(|per_second| [Loop::Bevys, Loop::Exact].map(|fixed| steps_and_hash(run(fixed, per_second))));
    assert!(all.as_flattened().iter().all(|other| *other == all[0][0]), "{all:?}");
    assert_eq!(all[0][0].0, 192);
}

#[test]
fn drawing_between_steps_does_not_change_the_bits() {
    let settings = |per_second| (Settings::Fixed, 60, per_second);
    let plain = steps_and_hash(fallen(app(Loop::Exact, 60), settings(144), ((), FLOOR)));
    for per_second in DISPLAYS {
        let smooth = bevy_evenstep::SmoothTransform;
        let app = fallen(app(Loop::Exact, 60), settings(per_second), (smooth, (FLOOR, smooth)));
        assert_eq!(steps_and_hash(app), plain, "at {per_second} frames a second");
    }
}

#[derive(Component)]
struct Mark<const N: usize>;

/// A world as other plugins would leave it: with a number of further archetypes.
fn with_archetypes(count: u32) -> App {
    let mut app = app(Loop::Bevys, 64);
    for marks in 1..=count {
        let mut other = app.world_mut().spawn_empty();
        let insert: [fn(&mut EntityWorldMut); 5] = [
            |other| _ = other.insert(Mark::<0>),
            |other| _ = other.insert(Mark::<1>),
            |other| _ = other.insert(Mark::<2>),
            |other| _ = other.insert(Mark::<3>),
            |other| _ = other.insert(Mark::<4>),
        ];
        let marked = insert.iter().enumerate().filter(|(bit, _)| marks & (1 << bit) != 0);
        marked.for_each(|(_, insert)| insert(&mut other));
    }
    app
}

/// Rapier numbers bodies as a query shows them, and its bits follow from that. Bevy 0.19.1 shows one table after another in the order of
/// a hash map of archetypes (`bevy_ecs/src/query/state.rs`, line 596), and each resource of any plugin has an archetype.
#[test]
fn which_table_of_bodies_comes_first_depends_on_other_plugins_and_the_bits_on_that() {
    let settings = (Settings::Fixed, 64, 60);
    let seen = |mut app: App| (is_floor_first(&mut app), steps_and_hash(app));
    let worlds = || (0..16).map(with_archetypes);
    let apart: BTreeSet<_> = worlds().map(|app| seen(fallen(app, settings, ((), ())))).collect();
    let orders: BTreeSet<_> = apart.iter().map(|(order, _)| order).collect();
    let bits: BTreeSet<_> = apart.iter().map(|(_, bits)| bits).collect();
    assert!(orders.len() > 1 && bits.len() > 1, "{apart:?}");
    let together: BTreeSet<_> = worlds().map(|app| seen(fallen(app, settings, ((), FLOOR)))).collect();
    assert_eq!(together.len(), 1, "{together:?}");
    assert!(together.iter().all(|(order, _)| *order == [true, true]));
}

/// Whether the floor is Rapier's first body, and its first collider.
fn is_floor_first(app: &mut App) -> [bool; 2] {
    let mut bodies = app
        .world_mut()
        .query::<(&RigidBody, &RapierRigidBodyHandle, &RapierColliderHandle)>();
    let floor = bodies.iter(app.world()).find(|(body, ..)| **body == RigidBody::Fixed);
    let (_, body, collider) = floor.unwrap();
    [body.0.into_raw_parts().0 == 0, collider.0.into_raw_parts().0 == 0]
}
