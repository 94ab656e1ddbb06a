//! What Rapier reports of contacts in a step.

use std::sync::Mutex;

use super::dim::{self, rapier};
use super::engine::Rapier;
use crate::engine::{Report, Side, VectorOf};
use crate::{ContactKind, PhysicsVector as _};
use rapier::prelude::{
    ColliderHandle, ColliderSet, CollisionEvent, ContactPair, EventHandler, PhysicsWorld, Real, RigidBodyHandle,
    RigidBodySet,
};

/// The approach speed in m/s above which a contact is reported as a hit, as Box2D has it by default.
const HIT_SPEED: f32 = 1.0;

/// Gathers the events of a step, each with the bodies of its colliders.
#[derive(Default)]
pub(super) struct Collector(Mutex<Vec<Event>>);

type Event = (CollisionEvent, [Option<RigidBodyHandle>; 2]);

impl Collector {
    /// Says whose colliders they were, and empties the room.
    pub(super) fn report(
        &mut self,
        world: &PhysicsWorld,
        slot: impl Fn(RigidBodyHandle) -> Option<u32>,
        report: &mut Report<Rapier>,
    ) {
        let events = match self.0.get_mut() {
            Ok(events) => events,
            Err(poisoned) => poisoned.into_inner(),
        };
        let side = |shape, body: Option<RigidBodyHandle>| Side {
            slot: body.and_then(&slot),
            body,
            shape,
        };
        for (event, bodies) in events.iter() {
            let first = side(event.collider1(), bodies[0]);
            let second = side(event.collider2(), bodies[1]);
            let is_sensor =
                |side: &Side<Rapier>| world.colliders.get(side.shape).is_some_and(|shape| shape.is_sensor());
            let kind = match (event.sensor(), event.started()) {
                (false, true) => ContactKind::Begin,
                (false, false) => ContactKind::End,
                (true, true) => ContactKind::SensorBegin,
                (true, false) => ContactKind::SensorEnd,
            };
            let swap = event.sensor() && is_sensor(&second) && !is_sensor(&first);
            report.contacts.push(if swap {
                (second, first, kind)
            } else {
                (first, second, kind)
            });
        }
        for (event, bodies) in events.drain(..) {
            if event.started() && !event.sensor() {
                let first = side(event.collider1(), bodies[0]);
                let second = side(event.collider2(), bodies[1]);
                if let Some(kind) = hit(world, first.shape, second.shape) {
                    report.contacts.push((first, second, kind));
                }
            }
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

/// How hard two colliders hit each other that began to touch; none if they are slower than the threshold.
fn hit(world: &PhysicsWorld, first: ColliderHandle, second: ColliderHandle) -> Option<ContactKind<VectorOf<Rapier>>> {
    let pair = world.narrow_phase.contact_pair(first, second)?;
    let collider = world.colliders.get(pair.collider1)?;
    let (manifold, contact) = pair.find_deepest_contact()?;
    let impulse = pair.total_impulse_magnitude();
    let inverse_mass = |handle| {
        let parent = world.colliders.get(handle).and_then(|collider| collider.parent());
        let body = parent.and_then(|parent| world.bodies.get(parent));
        body.filter(|body| body.is_dynamic() && body.mass() > 0.0)
            .map_or(0.0, |body| 1.0 / body.mass())
    };
    let change = impulse * (inverse_mass(first) + inverse_mass(second));
    if change < HIT_SPEED * world.integration_parameters.length_unit {
        return None;
    }
    let normal = dim::from_vector(manifold.data.normal);
    let point = collider.position().transform_point(contact.local_p1);
    Some(ContactKind::Hit {
        point: dim::from_vector(point),
        normal: if pair.collider1 == first {
            normal
        } else {
            normal.times(-1.0)
        },
        impulse,
    })
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

    fn handle_soft_body_tear_event(&self, _: &rapier::prelude::SoftBodySet, _: &rapier::prelude::SoftBodyTearEvent) {}
}
