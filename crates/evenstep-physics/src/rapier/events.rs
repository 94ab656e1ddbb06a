//! Collects Rapier's collision events of a step.

use std::sync::Mutex;

use super::dim::rapier;
use rapier::prelude::{
    ColliderSet, CollisionEvent, ContactPair, EventHandler, Real, RigidBodySet, SoftBodySet, SoftBodyTearEvent,
};

/// Collects the events of a step.
#[derive(Default)]
pub(super) struct Collector(Mutex<Vec<CollisionEvent>>);

impl Collector {
    /// The events of the step.
    pub(super) fn events(&mut self) -> &mut Vec<CollisionEvent> {
        match self.0.get_mut() {
            Ok(events) => events,
            Err(poisoned) => poisoned.into_inner(),
        }
    }
}

impl EventHandler for Collector {
    fn handle_collision_event(
        &self,
        _: &RigidBodySet,
        _: &ColliderSet,
        event: CollisionEvent,
        _: Option<&ContactPair>,
    ) {
        if let Ok(mut events) = self.0.lock() {
            events.push(event);
        }
    }

    fn handle_contact_force_event(&self, _: Real, _: &RigidBodySet, _: &ColliderSet, _: &ContactPair, _: Real) {}

    fn handle_soft_body_tear_event(&self, _: &SoftBodySet, _: &SoftBodyTearEvent) {}
}
