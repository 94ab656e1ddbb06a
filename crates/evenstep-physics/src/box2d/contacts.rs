//! Translates Box2D's contact events of a step into the engine-independent report.

use boxdd::{BodyId, ShapeId, World};
use rustc_hash::FxHashMap;

use super::Box2d;
use super::convert::position;
use super::events::Events;
use crate::engine::{ContactKind, RawContact, RawContactSide, Report};

/// Adds the contacts to the report. `impulses` are those of the hits; a hit whose impulse is `None` is omitted.
pub(super) fn report(
    events: &mut Events,
    impulses: &[Option<f32>],
    world: &mut World,
    slots: &FxHashMap<BodyId, u32>,
    report: &mut Report<Box2d>,
) {
    let mut sides = SideLookup {
        world,
        slots,
        bodies: &mut events.bodies,
    };
    let contacts = &mut report.contacts;
    for event in &events.begun {
        contacts.push(sides.begin(event.shape_a, event.shape_b, ContactKind::Begin));
    }
    for event in &events.ended {
        contacts.push(sides.end(event.shape_a, event.shape_b, ContactKind::End));
    }
    for event in &events.entered {
        contacts.push(sides.begin(event.sensor_shape, event.visitor_shape, ContactKind::SensorBegin));
    }
    for event in &events.left {
        contacts.push(sides.end(event.sensor_shape, event.visitor_shape, ContactKind::SensorEnd));
    }
    for (index, hit) in events.hits.iter().enumerate() {
        let Some(impulse) = impulses.get(index).copied().unwrap_or(Some(0.0)) else {
            continue;
        };
        let kind = ContactKind::Hit {
            point: position(hit.point),
            normal: [hit.normal.x, hit.normal.y],
            impulse,
        };
        contacts.push((sides.side(hit.shape_a), sides.side(hit.shape_b), kind));
    }
}

/// Looks up the bodies of shapes.
struct SideLookup<'a> {
    world: &'a mut World,
    slots: &'a FxHashMap<BodyId, u32>,
    bodies: &'a mut FxHashMap<ShapeId, (BodyId, u32)>,
}

impl SideLookup<'_> {
    fn begin(&mut self, first: ShapeId, second: ShapeId, kind: ContactKind<[f32; 2]>) -> RawContact<Box2d> {
        let sides = (self.side(first), self.side(second), kind);
        for side in [&sides.0, &sides.1] {
            if let Some(body) = side.body {
                self.bodies.entry(side.shape).or_insert((body, 0)).1 += 1;
            }
        }
        sides
    }

    fn end(&mut self, first: ShapeId, second: ShapeId, kind: ContactKind<[f32; 2]>) -> RawContact<Box2d> {
        let sides = (self.side(first), self.side(second), kind);
        for shape in [first, second] {
            if let Some((_, count)) = self.bodies.get_mut(&shape) {
                *count -= 1;
                if *count == 0 {
                    self.bodies.remove(&shape);
                }
            }
        }
        sides
    }

    fn side(&mut self, shape: ShapeId) -> RawContactSide<Box2d> {
        let known = self.bodies.get(&shape).map(|(body, _)| *body);
        let body = known.or_else(|| self.world.shape(shape).and_then(|shape| shape.body_id()).ok());
        RawContactSide {
            slot: body.and_then(|body| self.slots.get(&body).copied()),
            body,
            shape,
        }
    }
}
