//! The last two poses and velocities of an entity.

use bevy_ecs::change_detection::Tick;
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_ecs::world::DeferredWorld;
use evenstep::Smoothed;
use evenstep::poses::Motion3;

use super::globals::stop_drawing;

/// The last two states of an entity with a velocity; none before its first step.
#[derive(Component, Clone, Copy, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(super) struct Motion {
    pub(super) states: Option<Smoothed<Motion3>>,
    /// Whether it came in before the current step.
    pub(super) is_new: bool,
    /// Whether it is drawn elsewhere than its transform says.
    pub(super) is_drawn: bool,
}

/// Times that are common to all entities with a velocity.
#[derive(Resource, Default)]
pub(super) struct Motions {
    /// When a step was captured last.
    pub(super) captured: Tick,
    /// When they were drawn last.
    pub(super) drawn: Tick,
}

/// Forgets an entity, which is no longer drawn between steps.
pub(super) fn release(world: &mut DeferredWorld, entity: Entity) {
    let motion = world
        .get_mut::<Motion>(entity)
        .map(|mut motion| core::mem::take(&mut *motion));
    if motion.is_some_and(|motion| motion.is_drawn) {
        stop_drawing(world, entity);
    }
}
