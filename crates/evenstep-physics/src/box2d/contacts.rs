//! Translates Box2D's contact and sensor events of a step into the engine-independent report.

use boxdd::CompletedStep;

use super::Box2d;
use super::convert::position;
use crate::engine::{ContactKind, Report};

/// Adds the contacts of a step to the report, hits last. `impulses` are those of the hits; a hit whose impulse is `None` is omitted. On error, contacts
/// or sensors could not be read; the others are complete.
pub(super) fn report(
    step: &CompletedStep<'_>,
    impulses: &[Option<f32>],
    report: &mut Report<Box2d>,
) -> boxdd::Result<()> {
    let report = &mut report.contacts;
    // Ends come first: a contact that the program destroyed between two steps may begin again in the step.
    let contacts = step.contact_events();
    if let Ok(events) = &contacts {
        let (ends, begins) = (events.end().iter(), events.begin().iter());
        report.extend(ends.map(|event| (event.shape_a, event.shape_b, ContactKind::End)));
        report.extend(begins.map(|event| (event.shape_a, event.shape_b, ContactKind::Begin)));
    }
    let sensors = step.sensor_events().map(|events| {
        let (ends, begins) = (events.end().iter(), events.begin().iter());
        report.extend(ends.map(|event| (event.sensor_shape, event.visitor_shape, ContactKind::SensorEnd)));
        report.extend(begins.map(|event| (event.sensor_shape, event.visitor_shape, ContactKind::SensorBegin)));
    });
    let hits = contacts.iter().flat_map(|events| events.hit());
    for (index, hit) in hits.enumerate() {
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
    contacts.and(sensors)
}
