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
    /// Copies what happened, before the step lets go of it. An error says what boxdd could not read; the rest is there.
    pub(super) fn gather(&mut self, step: &CompletedStep<'_>) -> boxdd::Result<()> {
        self.clear();
        let contacts = step.contact_events().map(|contacts| {
            self.begun.extend_from_slice(contacts.begin());
            self.ended.extend_from_slice(contacts.end());
            self.hits.extend_from_slice(contacts.hit());
        });
        let sensors = step.sensor_events().map(|sensors| {
            self.entered.extend_from_slice(sensors.begin());
            self.left.extend_from_slice(sensors.end());
        });
        contacts.and(sensors)
    }

    fn clear(&mut self) {
        self.begun.clear();
        self.ended.clear();
        self.hits.clear();
        self.entered.clear();
        self.left.clear();
    }

    /// Nothing has happened yet, and shapes touch.
    pub(super) fn of(bodies: FxHashMap<ShapeId, (BodyId, u32)>) -> Self {
        Self {
            bodies,
            ..Self::default()
        }
    }
}
