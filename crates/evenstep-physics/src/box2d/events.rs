//! Collects Box2D's contact and sensor events of a step.

use boxdd::{CompletedStep, ContactEvents, SensorEvents};

/// Buffers for the events of a step.
#[derive(Default)]
pub(super) struct Events {
    pub(super) contacts: ContactEvents,
    pub(super) sensors: SensorEvents,
}

impl Events {
    /// Copies the events of a step. On error, some events could not be read; the others are complete.
    pub(super) fn gather(&mut self, step: &CompletedStep<'_>) -> boxdd::Result<()> {
        let contacts = step.contact_events();
        let contacts = contacts.and_then(|events| events.clone_into(&mut self.contacts));
        if contacts.is_err() {
            self.contacts = ContactEvents::default();
        }
        let sensors = step.sensor_events();
        let sensors = sensors.and_then(|events| events.clone_into(&mut self.sensors));
        if sensors.is_err() {
            self.sensors = SensorEvents::default();
        }
        contacts.and(sensors)
    }
}
