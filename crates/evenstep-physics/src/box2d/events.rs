//! What Box2D reports of contacts in a step.

use boxdd::{
    BodyId, CompletedStep, ContactBeginTouchEvent, ContactEndTouchEvent, ContactHitEvent, SensorBeginTouchEvent,
    SensorEndTouchEvent, ShapeId, World,
};
use rustc_hash::FxHashMap;

use super::{Box2d, position};
use crate::ContactKind;
use crate::engine::{Report, Side, Touch};

/// Room for the events of a step, and what is known of shapes.
#[derive(Default)]
pub(super) struct Events {
    begun: Vec<ContactBeginTouchEvent>,
    ended: Vec<ContactEndTouchEvent>,
    hits: Vec<ContactHitEvent>,
    entered: Vec<SensorBeginTouchEvent>,
    left: Vec<SensorEndTouchEvent>,
    /// Bodies of shapes that touch something, and how many things: when a shape is destroyed, Box2D tells that its contacts
    /// ended, but no longer whose it was.
    bodies: FxHashMap<ShapeId, (BodyId, u32)>,
}

impl Events {
    /// Copies what happened, before the step lets go of it.
    pub(super) fn gather(&mut self, step: &CompletedStep<'_>) -> boxdd::Result<()> {
        let contacts = step.contact_events()?;
        refill(&mut self.begun, contacts.begin());
        refill(&mut self.ended, contacts.end());
        refill(&mut self.hits, contacts.hit());
        let sensors = step.sensor_events()?;
        refill(&mut self.entered, sensors.begin());
        refill(&mut self.left, sensors.end());
        Ok(())
    }

    /// Says whose shapes they were.
    pub(super) fn report(&mut self, world: &mut World, slots: &FxHashMap<BodyId, u32>, report: &mut Report<Box2d>) {
        let mut sides = Sides {
            world,
            slots,
            bodies: &mut self.bodies,
        };
        let contacts = &mut report.contacts;
        for event in &self.begun {
            contacts.push(sides.begin(event.shape_a, event.shape_b, ContactKind::Begin));
        }
        for event in &self.ended {
            contacts.push(sides.end(event.shape_a, event.shape_b, ContactKind::End));
        }
        for event in &self.entered {
            contacts.push(sides.begin(event.sensor_shape, event.visitor_shape, ContactKind::SensorBegin));
        }
        for event in &self.left {
            contacts.push(sides.end(event.sensor_shape, event.visitor_shape, ContactKind::SensorEnd));
        }
        for hit in &self.hits {
            let points = |data: boxdd::ContactData| {
                let points = data.manifold.points().iter();
                points.map(|point| point.total_normal_impulse).sum()
            };
            let kind = ContactKind::Hit {
                point: position(hit.point),
                normal: [hit.normal.x, hit.normal.y],
                impulse: sides.world.contact_data(hit.contact_id).map_or(0.0, points),
            };
            contacts.push((sides.side(hit.shape_a), sides.side(hit.shape_b), kind));
        }
    }

    /// Of shapes that touch: their bodies, and how many things they touch.
    pub(super) const fn bodies(&self) -> &FxHashMap<ShapeId, (BodyId, u32)> {
        &self.bodies
    }

    /// Nothing has happened yet, and shapes touch.
    pub(super) fn of(bodies: FxHashMap<ShapeId, (BodyId, u32)>) -> Self {
        Self {
            bodies,
            ..Self::default()
        }
    }
}

fn refill<T: Clone>(room: &mut Vec<T>, events: &[T]) {
    room.clear();
    room.extend_from_slice(events);
}

/// Finds out whose shapes are.
struct Sides<'a> {
    world: &'a mut World,
    slots: &'a FxHashMap<BodyId, u32>,
    bodies: &'a mut FxHashMap<ShapeId, (BodyId, u32)>,
}

impl Sides<'_> {
    fn begin(&mut self, first: ShapeId, second: ShapeId, kind: ContactKind<[f32; 2]>) -> Touch<Box2d> {
        let sides = (self.side(first), self.side(second), kind);
        for side in [&sides.0, &sides.1] {
            if let Some(body) = side.body {
                self.bodies.entry(side.shape).or_insert((body, 0)).1 += 1;
            }
        }
        sides
    }

    fn end(&mut self, first: ShapeId, second: ShapeId, kind: ContactKind<[f32; 2]>) -> Touch<Box2d> {
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

    fn side(&mut self, shape: ShapeId) -> Side<Box2d> {
        let known = self.bodies.get(&shape).map(|(body, _)| *body);
        let body = known.or_else(|| self.world.shape(shape).and_then(|shape| shape.body_id()).ok());
        Side {
            slot: body.and_then(|body| self.slots.get(&body).copied()),
            body,
            shape,
        }
    }
}
