//! Translates Box2D's contact events of a step into the engine-independent report.

use super::Box2d;
use super::convert::position;
use super::events::Events;
use crate::engine::{ContactKind, Report};

/// Adds the contacts to the report. `impulses` are those of the hits; a hit whose impulse is `None` is omitted.
pub(super) fn report(events: &Events, impulses: &[Option<f32>], report: &mut Report<Box2d>) {
    let (contacts, sensors) = (&events.contacts, &events.sensors);
    let report = &mut report.contacts;
    // A contact that the program destroyed between two steps may begin again in the step.
    for event in &contacts.end {
        report.push((event.shape_a, event.shape_b, ContactKind::End));
    }
    for event in &sensors.end {
        report.push((event.sensor_shape, event.visitor_shape, ContactKind::SensorEnd));
    }
    for event in &contacts.begin {
        report.push((event.shape_a, event.shape_b, ContactKind::Begin));
    }
    for event in &sensors.begin {
        report.push((event.sensor_shape, event.visitor_shape, ContactKind::SensorBegin));
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
        report.push((hit.shape_a, hit.shape_b, kind));
    }
}
