//! What Box2D reports of contacts in a step.

use boxdd::{
    BodyId, CompletedStep, ContactBeginTouchEvent, ContactEndTouchEvent, ContactHitEvent, SensorBeginTouchEvent,
    SensorEndTouchEvent, ShapeId,
};
use rustc_hash::FxHashMap;

/// Room for the events of a step, and what is known of shapes.
#[derive(Default)]
pub(super) struct Events {
    pub(super) begun: Vec<ContactBeginTouchEvent>,
    pub(super) ended: Vec<ContactEndTouchEvent>,
    pub(super) hits: Vec<ContactHitEvent>,
    pub(super) entered: Vec<SensorBeginTouchEvent>,
    pub(super) left: Vec<SensorEndTouchEvent>,
    /// Bodies of shapes that touch something, and how many things: when a shape is destroyed, Box2D tells that its contacts
    /// ended, but no longer whose it was.
    pub(super) bodies: FxHashMap<ShapeId, (BodyId, u32)>,
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
