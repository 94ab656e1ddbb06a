//! Collects Rapier's collision events of a step.

use std::sync::Mutex;

use super::dim::rapier;
use rapier::prelude::{
    ColliderSet, CollisionEvent, ContactPair, EventHandler, Real, RigidBodyHandle, RigidBodySet, SoftBodySet,
    SoftBodyTearEvent,
};

/// Collects the events of a step, each with the bodies of its colliders.
#[derive(Default)]
pub(super) struct Collector(Mutex<Vec<Event>>);

/// An event, and the bodies of its colliders.
pub(super) type Event = (CollisionEvent, [Option<RigidBodyHandle>; 2]);

impl Collector {
    /// The events of the step.
    pub(super) fn events(&mut self) -> &mut Vec<Event> {
        match self.0.get_mut() {
            Ok(events) => events,
            Err(poisoned) => poisoned.into_inner(),
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

impl EventHandler for Collector {
    fn handle_collision_event(
        &self,
        _: &RigidBodySet,
        colliders: &ColliderSet,
        event: CollisionEvent,
        _: Option<&ContactPair>,
    ) {
        let body = |handle| colliders.get(handle).and_then(|collider| collider.parent());
        let Ok(mut events) = self.0.lock() else { return };
        events.push((event, [body(event.collider1()), body(event.collider2())]));
    }

    fn handle_contact_force_event(&self, _: Real, _: &RigidBodySet, _: &ColliderSet, _: &ContactPair, _: Real) {}

    fn handle_soft_body_tear_event(&self, _: &SoftBodySet, _: &SoftBodyTearEvent) {}
}
