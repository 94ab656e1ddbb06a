//! Delivers contacts: begins and ends as differences of the table of touching pairs.

use super::World;
use crate::contact::Contact;
use crate::engine::{ContactKind, Engine};

impl<E: Engine, U> World<E, U> {
    /// Takes the next contact that the program is to receive.
    pub(crate) fn next_contact(&mut self) -> Option<Contact<E>> {
        while let Some(contact) = self.contacts.pop_front() {
            let admitted = self.accept(contact);
            if admitted.is_some() {
                return admitted;
            }
        }
        None
    }

    /// Enters a contact into the table of touching pairs. Returns `None` for the begin of a pair that touches already or of which a side no
    /// longer exists, the end of a pair that has not begun, and the hit of a body that was removed.
    fn accept(&mut self, contact: Contact<E>) -> Option<Contact<E>> {
        match contact.kind {
            ContactKind::Begin | ContactKind::SensorBegin => {
                let exist = self.engine.has_shape(contact.first.shape) && self.engine.has_shape(contact.second.shape);
                let contact = self.with_valid_keys(contact);
                (exist && self.touching.begin(&contact)).then_some(contact)
            }
            ContactKind::End | ContactKind::SensorEnd => {
                let Contact { first, second, .. } = self.touching.end(&contact)?;
                Some(self.with_valid_keys(Contact {
                    first,
                    second,
                    ..contact
                }))
            }
            ContactKind::Hit { .. } => {
                let is_valid = contact.keys().into_iter().flatten().all(|key| self.contains(key));
                is_valid.then_some(contact)
            }
        }
    }

    /// Adds the ends of the pairs of which a side was destroyed since the last step.
    pub(super) fn end_lost_contacts(&mut self) {
        if std::mem::take(&mut self.may_have_lost_shapes) {
            let (touching, engine) = (&self.touching, &self.engine);
            let lost = touching.lost(self.tick, |side| engine.has_shape(side.shape));
            self.contacts.extend(lost);
        }
    }

    /// The same contact without the keys of bodies that were removed or released.
    fn with_valid_keys(&self, mut contact: Contact<E>) -> Contact<E> {
        for side in [&mut contact.first, &mut contact.second] {
            side.key = side.key.filter(|key| self.contains(*key));
        }
        contact
    }
}
