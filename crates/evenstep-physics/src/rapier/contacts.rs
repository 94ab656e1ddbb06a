//! Translates Rapier's collision events of a step into the engine-independent report.

use super::dim::{self, rapier};
use super::events::Collector;
use super::world::Rapier;
use crate::engine::{ContactKind, Report, VectorOf};
use rapier::prelude::{ColliderHandle, PhysicsWorld};

/// The approach speed in m/s above which a contact is reported as a hit: Box2D's default.
const HIT_SPEED: f32 = 1.0;

/// Adds the contacts to the report, hits last, and empties the collector.
pub(super) fn report(collector: &mut Collector, world: &PhysicsWorld, report: &mut Report<Rapier>) {
    let is_sensor = |shape| world.colliders.get(shape).is_some_and(|shape| shape.is_sensor());
    let mut hits = Vec::new();
    for event in collector.events().drain(..) {
        let (first, second) = (event.collider1(), event.collider2());
        let kind = match (event.sensor(), event.started()) {
            (false, true) => ContactKind::Begin,
            (false, false) => ContactKind::End,
            (true, true) => ContactKind::SensorBegin,
            (true, false) => ContactKind::SensorEnd,
        };
        if kind == ContactKind::Begin
            && let Some(hit) = hit(world, first, second)
        {
            hits.push((first, second, hit));
        }
        let swap = event.sensor() && is_sensor(second) && !is_sensor(first);
        report.contacts.push(if swap {
            (second, first, kind)
        } else {
            (first, second, kind)
        });
    }
    report.contacts.append(&mut hits);
}

/// The hit of two colliders that began to touch; `None` if their approach speed is below the threshold.
fn hit(world: &PhysicsWorld, first: ColliderHandle, second: ColliderHandle) -> Option<ContactKind<VectorOf<Rapier>>> {
    let pair = world.narrow_phase.contact_pair(first, second)?;
    let collider = world.colliders.get(first)?;
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
    let point = collider.position().transform_point(contact.local_p1);
    Some(ContactKind::Hit {
        point: dim::from_vector(point),
        normal: dim::from_vector(manifold.data.normal),
        impulse,
    })
}
