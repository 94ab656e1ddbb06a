//! Translates Box2D's contact events of a step into the engine-independent report.

use boxdd::{BodyId, ShapeId, World};
use rustc_hash::FxHashMap;

use super::Box2d;
use super::convert::position;
use super::events::Events;
use crate::engine::{ContactKind, RawContactSide, Report};

/// Adds the contacts to the report. `impulses` are those of the hits; a hit whose impulse is `None` is omitted.
pub(super) fn report(
    events: &Events,
    impulses: &[Option<f32>],
    world: &mut World,
    slots: &FxHashMap<BodyId, u32>,
    report: &mut Report<Box2d>,
) {
    let mut side = |shape: ShapeId| {
        let body = world.shape(shape).and_then(|shape| shape.body_id()).ok();
        RawContactSide {
            slot: body.and_then(|body| slots.get(&body).copied()),
            body,
            shape,
        }
    };
    let (contacts, sensors) = (&events.contacts, &events.sensors);
    let report = &mut report.contacts;
    // A contact that the program destroyed between two steps may begin again in the step.
    for event in &contacts.end {
        report.push((side(event.shape_a), side(event.shape_b), ContactKind::End));
    }
    for event in &sensors.end {
        let (sensor, visitor) = (side(event.sensor_shape), side(event.visitor_shape));
        report.push((sensor, visitor, ContactKind::SensorEnd));
    }
    for event in &contacts.begin {
        report.push((side(event.shape_a), side(event.shape_b), ContactKind::Begin));
    }
    for event in &sensors.begin {
        let (sensor, visitor) = (side(event.sensor_shape), side(event.visitor_shape));
        report.push((sensor, visitor, ContactKind::SensorBegin));
    }
    for (index, hit) in contacts.hit.iter().enumerate() {
        let Some(impulse) = impulses.get(index).copied().unwrap_or(Some(0.0)) else {
            continue;
        };
        let kind = ContactKind::Hit {
            point: position(hit.point),
            normal: [hit.normal.x, hit.normal.y],
            impulse,
        };
        report.push((side(hit.shape_a), side(hit.shape_b), kind));
    }
}
