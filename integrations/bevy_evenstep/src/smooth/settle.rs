//! Entities that begin or end to be smoothed, or change their parents, between steps.

use bevy_app::App;
use bevy_ecs::change_detection::DetectChangesMut;
use bevy_ecs::entity::Entity;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::lifecycle::{Add, Discard, Insert, Remove};
use bevy_ecs::observer::On;
use bevy_ecs::world::DeferredWorld;
use bevy_transform::components::{GlobalTransform, Transform};

use super::components::{NoSmoothTransform, SmoothAhead, SmoothTransform, Teleport};
use super::state::{Course, SmoothState, has_same_bits};
use super::systems::{Easing, check_ticks, fold};
use super::velocity::{SmoothVelocity, VelocityState};

pub(super) fn observe(app: &mut App) {
    app.add_observer(|on: On<Add, SmoothTransform>, world: DeferredWorld| begin(world, on.entity))
        .add_observer(|on: On<Remove, NoSmoothTransform>, world: DeferredWorld| begin(world, on.entity))
        .add_observer(|on: On<Remove, Disabled>, world: DeferredWorld| appear(world, on.entity))
        .add_observer(|on: On<Remove, SmoothTransform>, world: DeferredWorld| end(world, on.entity))
        .add_observer(|on: On<Add, NoSmoothTransform>, world: DeferredWorld| end(world, on.entity))
        .add_observer(|on: On<Add, Disabled>, world: DeferredWorld| end(world, on.entity))
        .add_observer(check_ticks)
        .add_observer(leave)
        .add_observer(arrive);
}

/// From now on the entity is smoothed: it rests where it is.
fn begin(mut world: DeferredWorld, entity: Entity) {
    if let Some(transform) = world.get::<Transform>(entity).copied()
        && let Some(mut state) = world.get_mut::<SmoothState>(entity)
    {
        *state = SmoothState::at_rest(transform);
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
    settle(&mut world, entity);
    begin(world, entity);
}

/// The simulated pose of a smoothed entity whose `Transform` is the drawn one.
fn simulated(world: &DeferredWorld, entity: Entity) -> Option<(SmoothState, Transform)> {
    let easing = world.get_resource::<Easing>().filter(|easing| easing.is_drawn)?;
    let entity = world.get_entity(entity).ok()?;
    let (mut state, transform) = (*entity.get::<SmoothState>()?, *entity.get::<Transform>()?);
    // Its velocity may have been removed since it was drawn.
    let ticks = entity.get_change_ticks::<Transform>();
    if ticks.is_some_and(|ticks| ticks.changed != easing.since) {
        let velocity = entity.get::<SmoothVelocity>().and(entity.get::<VelocityState>());
        let course = Course::new(velocity, entity.contains::<SmoothAhead>());
        let drawn = state.drawn(course, easing.at).unwrap_or(state.to);
        let mut teleport = entity.get::<Teleport>().copied().unwrap_or_default();
        fold(&mut state, &mut teleport, &drawn, &transform);
    }
    Some((state, transform))
}

/// Puts an entity where the simulation has it, at rest.
fn settle(world: &mut DeferredWorld, entity: Entity) {
    let Some((state, drawn)) = simulated(world, entity) else {
        return;
    };
    if let Some(mut kept) = world.get_mut::<SmoothState>(entity) {
        *kept = SmoothState::at_rest(state.to);
    }
    if !has_same_bits(&drawn, &state.to)
        && let Some(mut transform) = world.get_mut::<Transform>(entity)
    {
        *transform = state.to;
    }
}

fn is_smoothed(world: &DeferredWorld, entity: Entity) -> bool {
    world.get::<SmoothTransform>(entity).is_some() && world.get::<NoSmoothTransform>(entity).is_none()
}

/// The simulated pose of an entity in the world; none if neither it nor what it is part of is smoothed.
fn simulated_global(world: &DeferredWorld, entity: Entity) -> Option<GlobalTransform> {
    let (mut line, mut above, mut any_smoothed) = (Vec::new(), Some(entity), false);
    while let Some(entity) = above {
        let mut local = *world.get::<Transform>(entity)?;
        if is_smoothed(world, entity) {
            any_smoothed = true;
            local = simulated(world, entity).map_or(local, |(state, _)| state.to);
        }
        line.push(local);
        above = world.get::<ChildOf>(entity).map(ChildOf::parent);
    }
    let mut down = line.into_iter().rev();
    let root = GlobalTransform::from(down.next()?);
    any_smoothed.then(|| down.fold(root, |global, local| global.mul_transform(local)))
}

/// Bevy's `remove_parent_in_place` and `set_parent_in_place` read `GlobalTransform` once the parent has changed, and write what follows from it
/// to `Transform`. Here they find the simulated pose.
fn show_simulated(world: &mut DeferredWorld, entity: Entity) {
    if let Some(simulated) = simulated_global(world, entity)
        && let Some(mut global) = world.get_mut::<GlobalTransform>(entity)
    {
        *global = simulated;
    }
}

/// An entity is about to leave its parent.
fn leave(left: On<Discard, ChildOf>, mut world: DeferredWorld) {
    show_simulated(&mut world, left.entity);
    if is_smoothed(&world, left.entity) {
        settle(&mut world, left.entity);
    }
    if let Some(mut easing) = world.get_resource_mut::<Easing>() {
        easing.left = Some(left.entity);
    }
}

/// An entity has come to a parent.
fn arrive(come: On<Insert, ChildOf>, mut world: DeferredWorld) {
    let entity = come.entity;
    let left = world
        .get_resource_mut::<Easing>()
        .and_then(|mut easing| easing.left.take());
    let now = world.read_change_tick();
    let ticks = world.entity(entity).get_change_ticks::<GlobalTransform>();
    if ticks.is_none_or(|ticks| ticks.added == now) {
        return; // It was spawned there.
    }
    if left != Some(entity) && is_smoothed(&world, entity) {
        settle(&mut world, entity);
        if let Some(root) = world.get::<Transform>(entity).copied()
            && let Some(mut global) = world.get_mut::<GlobalTransform>(entity)
        {
            *global = root.into();
        }
    }
    if let Some(parent) = world.get::<ChildOf>(entity).map(ChildOf::parent) {
        show_simulated(&mut world, parent);
    }
}
