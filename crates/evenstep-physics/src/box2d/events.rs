//! Collects Box2D's contact and sensor events of a step.

use boxdd::{
    CompletedStep, ContactBeginTouchEvent, ContactEndTouchEvent, ContactHitEvent, SensorBeginTouchEvent,
    SensorEndTouchEvent,
};

/// Buffers for the events of a step.
#[derive(Default)]
pub(super) struct Events {
    pub(super) begun: Vec<ContactBeginTouchEvent>,
    pub(super) ended: Vec<ContactEndTouchEvent>,
    pub(super) hits: Vec<ContactHitEvent>,
    pub(super) entered: Vec<SensorBeginTouchEvent>,
    pub(super) left: Vec<SensorEndTouchEvent>,
}

impl Events {
    /// Copies the events of a step. On error, some events could not be read; the others are complete.
    pub(super) fn gather(&mut self, step: &CompletedStep<'_>) -> boxdd::Result<()> {
        self.begun.clear();
        self.ended.clear();
        self.hits.clear();
        self.entered.clear();
        self.left.clear();
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
}
