//! Many entities in several tables, which come and go.

use std::time::Duration;

use crate::frames::frame;
use crate::moving::{Moves, along_x, app, drawn_x};
use bevy_app::App;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::prelude::*;
use bevy_evenstep::{LastFrame, NoSmoothTransform, SmoothTransform};
use bevy_math::Vec3;
use bevy_transform::components::Transform;

#[derive(Component)]
struct Marked;

/// What hides an entity from queries, in a sparse set: all queries are then no longer dense.
#[derive(Component)]
#[component(storage = "SparseSet")]
struct Asleep;

/// Where an entity ought to be.
struct Expected {
    entity: Entity,
    by: f32,
    previous: f32,
    current: f32,
}

impl Expected {
    /// Spawns one in one of several tables.
    fn spawn(app: &mut App, parent: Entity, random: &mut fastrand::Rng) -> Self {
        let by = [0.0, 0.0, 1.0, 2.0][random.usize(..4)];
        let start = f32::from(random.u16(..1000));
        let moves = Moves {
            by: Vec3::X * by,
            ..Moves::default()
        };
        let mut new = app
            .world_mut()
            .spawn((SmoothTransform, moves, Transform::from_xyz(start, 0.0, 0.0)));
        match random.usize(..4) {
            0 => _ = new.insert(Marked),
            1 => _ = new.insert(ChildOf(parent)),
            _ => {}
        }
        Self {
            entity: new.id(),
            by,
            previous: start,
            current: start,
        }
    }

    fn go(&mut self, steps: u64) {
        for _ in 0..steps {
            self.previous = self.current;
            self.current += self.by;
        }
    }

    fn assert_drawn(&self, app: &App, alpha: f64) {
        let expected = self.previous + (self.current - self.previous) * alpha as f32;
        let drawn = drawn_x(app, self.entity);
        assert!((drawn - expected).abs() < 1e-3, "{drawn}, not {expected}");
    }
}

/// Entities come, go, are disabled and change their tables for some hundred steps; each is drawn where it would be alone.
fn come_and_go(mut app: App) {
    let mut random = fastrand::Rng::with_seed(7);
    let parent = app.world_mut().spawn(Transform::default()).id();
    let hidden = |place: f32| (SmoothTransform, Transform::from_xyz(place, 0.0, 0.0), Disabled);
    let hidden: Vec<Entity> = (0..20)
        .map(|place| app.world_mut().spawn(hidden(place as f32)).id())
        .collect();
    let moving = app.world_mut().spawn((SmoothTransform, along_x())).id();
    let mut moving = Expected {
        entity: moving,
        by: 1.0,
        previous: 0.0,
        current: 0.0,
    };
    let mut all: Vec<Expected> = (0..600)
        .map(|_| Expected::spawn(&mut app, parent, &mut random))
        .collect();
    for number in 0..150 {
        for entity in hidden.iter().chain([&moving.entity]) {
            let mut entity = app.world_mut().entity_mut(*entity);
            match number {
                20 => _ = entity.insert(Disabled),
                90 => _ = entity.remove::<Disabled>(),
                _ => {}
            }
        }
        for _ in 0..random.usize(..6) {
            let gone = all.swap_remove(random.usize(..all.len()));
            app.world_mut().despawn(gone.entity);
            all.push(Expected::spawn(&mut app, parent, &mut random));
        }
        let (changed, kind) = (random.usize(..all.len()), random.usize(..3));
        let mut entity = app.world_mut().entity_mut(all[changed].entity);
        match kind {
            0 => _ = entity.insert(Marked),
            1 => _ = entity.remove::<Marked>(),
            _ => {
                entity.insert(NoSmoothTransform).remove::<NoSmoothTransform>();
                all[changed].previous = all[changed].current;
            }
        }
        frame(&mut app, Duration::from_millis(random.u64(..300)));
        let last = app.world().resource::<LastFrame>();
        let (steps, alpha) = (u64::from(last.step_count()), last.alpha());
        for entity in &mut all {
            entity.go(steps);
            entity.assert_drawn(&app, alpha);
        }
        if (20..90).contains(&number) {
            let stays = app.world().get::<Transform>(moving.entity).unwrap();
            assert_eq!(stays.translation.x, moving.current);
            moving.previous = moving.current;
        } else {
            moving.go(steps);
            moving.assert_drawn(&app, alpha);
        }
    }
    for (place, entity) in hidden.into_iter().enumerate() {
        let transform = app.world().get::<Transform>(entity).unwrap();
        assert_eq!(transform.translation.x, place as f32);
    }
}

#[test]
fn each_entity_is_drawn_where_it_would_be_alone_while_others_spawn_and_despawn() {
    come_and_go(app());
}

#[test]
fn the_same_holds_where_bevy_iterates_entities_one_by_one() {
    let mut app = app();
    app.world_mut().register_disabling_component::<Asleep>();
    app.world_mut().spawn((Transform::default(), SmoothTransform, Asleep));
    come_and_go(app);
}
