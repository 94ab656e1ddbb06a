//! Entities that begin or end to be smoothed between steps.

use bevy_app::App;
use bevy_ecs::change_detection::DetectChangesMut;
use bevy_ecs::entity::Entity;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::lifecycle::{Add, Insert, Remove};
use bevy_ecs::observer::On;
use bevy_ecs::world::DeferredWorld;
use bevy_transform::components::Transform;

use super::changed_bodies::{Body, change};
use super::components::{NoSmoothTransform, PreviousTransform, SmoothTransform};
use super::state::SmoothState;
use super::systems::{Easing, check_ticks};

pub(super) fn observe(app: &mut App) {
    app.add_observer(|on: On<Add<SmoothTransform>>, world: DeferredWorld| begin(world, on.entity))
        .add_observer(|on: On<Remove<NoSmoothTransform>>, world: DeferredWorld| begin(world, on.entity))
        .add_observer(|on: On<Remove<Disabled>>, world: DeferredWorld| appear(world, on.entity))
        .add_observer(|on: On<Remove<SmoothTransform>>, world: DeferredWorld| end(world, on.entity))
        .add_observer(|on: On<Add<NoSmoothTransform>>, world: DeferredWorld| end(world, on.entity))
        .add_observer(|on: On<Add<Disabled>>, world: DeferredWorld| end(world, on.entity))
        .add_observer(|on: On<Add<Transform>>, world: DeferredWorld| begin(world, on.entity))
        .add_observer(|on: On<Insert<Transform>>, world: DeferredWorld| place(world, on.entity))
        .add_observer(|on: On<Insert<ChildOf>>, world: DeferredWorld| come_to_parent(world, on.entity))
        .add_observer(|on: On<Remove<ChildOf>>, world: DeferredWorld| come_to_parent(world, on.entity))
        .add_observer(check_ticks);
}

/// From now on the entity is smoothed: it rests where it is.
fn begin(mut world: DeferredWorld, entity: Entity) {
    let now = world.read_change_tick();
    if let Some(transform) = world.get::<Transform>(entity).copied()
        && let Some(mut state) = world.get_mut::<SmoothState>(entity)
    {
        *state = SmoothState::at_rest(transform, now);
    }
}

/// Numbers of a former parent's space mean nothing here, unless both states were set.
fn come_to_parent(world: DeferredWorld, entity: Entity) {
    if world
        .get::<SmoothState>(entity)
        .is_some_and(|state| !state.is_previous_set)
    {
        place(world, entity);
    }
}

/// A `Transform` or a parent that a command gives to an entity before its first frame is its place, and no motion to there.
fn place(world: DeferredWorld, entity: Entity) {
    let Some(state) = world.get::<SmoothState>(entity) else {
        return;
    };
    let easing = world.get_resource::<Easing>();
    let is_new = easing.is_some_and(|easing| easing.is_new(state, world.read_change_tick()));
    // Its hook has set both states.
    if is_new && !world.entity(entity).contains::<PreviousTransform>() {
        begin(world, entity);
    }
}

/// Systems see the entity again. Propagation has missed what was written meanwhile, by `end` for one.
fn appear(mut world: DeferredWorld, entity: Entity) {
    if world.get::<SmoothState>(entity).is_some()
        && let Some(mut transform) = world.get_mut::<Transform>(entity)
    {
        transform.set_changed();
    }
    begin(world, entity);
}

/// From now on the entity is not smoothed: it is where the simulation has it, and has no states that differ.
fn end(mut world: DeferredWorld, entity: Entity) {
    let now = world.read_change_tick();
    let easing = world.get_resource::<Easing>().filter(|easing| easing.is_drawn).copied();
    // Systems may no longer see the entity, so it is looked at by itself.
    if let (Some(easing), Ok(mut entity)) = (easing, world.get_entity_mut(entity))
        && let Ok(body) = entity.get_components_mut::<Body>()
    {
        change(body, |mut body| {
            easing.apply_changes(&mut body, now);
            body.show_simulated(now);
        });
    }
    begin(world, entity);
}
