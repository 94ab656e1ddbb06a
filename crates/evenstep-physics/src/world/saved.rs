//! Saves and restores a world.

use std::collections::VecDeque;

use super::drawing::Drawing;
use super::event_buffer::EventBuffer;
use super::forces::Forces;
use super::touching::Touching;
use super::{Body, World};
use crate::arena::Arena;
use crate::contact::{Contact, ContactSide};
use crate::engine::Engine;
use crate::error::PhysicsError;

/// A saved copy of a world.
pub(crate) struct SavedWorld<E: Engine, U> {
    pub(super) engine: E::Saved,
    pub(super) bodies: Arena<Body<E::Handle, U>>,
    forces: Forces<E::Motion>,
    pub(super) drawing: Drawing<E::Motion>,
    has_engine_edits: bool,
    may_have_lost_shapes: bool,
    touching: Touching<E>,
    contacts: VecDeque<Contact<E>>,
}

impl<E: Engine, U: Clone> World<E, U> {
    pub(crate) fn save(&self) -> Result<SavedWorld<E, U>, PhysicsError> {
        let mut saved = SavedWorld {
            engine: self.engine.save()?,
            bodies: self.bodies.clone(),
            forces: Forces::new(),
            drawing: Drawing::new(),
            has_engine_edits: self.has_engine_edits,
            may_have_lost_shapes: self.may_have_lost_shapes,
            touching: Touching::new(),
            contacts: self.contacts.clone(),
        };
        self.forces.save_into(&mut saved.forces);
        self.drawing.save_into(&mut saved.drawing);
        saved.touching.copy_from(&self.touching);
        Ok(saved)
    }

    /// Saves into an existing copy, whose memory is reused. After an error the copy is unchanged.
    pub(crate) fn save_into(&self, saved: &mut SavedWorld<E, U>) -> Result<(), PhysicsError> {
        self.engine.save_into(&mut saved.engine)?;
        saved.bodies.clone_from(&self.bodies);
        self.forces.save_into(&mut saved.forces);
        self.drawing.save_into(&mut saved.drawing);
        saved.has_engine_edits = self.has_engine_edits;
        saved.may_have_lost_shapes = self.may_have_lost_shapes;
        saved.touching.copy_from(&self.touching);
        saved.contacts.clone_from(&self.contacts);
        Ok(())
    }

    /// Restores everything except the generation counter, so that no key is ever used twice. Handles of the time of the save are
    /// replaced by the present ones.
    pub(crate) fn restore(&mut self, saved: &SavedWorld<E, U>) -> Result<(), PhysicsError> {
        self.engine.restore(&saved.engine)?;
        let engine = &self.engine;
        let side = |side: ContactSide<E>| ContactSide {
            key: side.key,
            body: side.body.map(|body| engine.restored_body(body)),
            shape: engine.restored_shape(side.shape),
        };
        let restored = |contact: &Contact<E>| Contact {
            first: side(contact.first),
            second: side(contact.second),
            ..*contact
        };
        self.bodies.clone_from(&saved.bodies);
        for body in self.bodies.iter_mut() {
            body.handle = engine.restored_body(body.handle);
        }
        self.keys.clear();
        let keys = self.bodies.iter().map(|(key, body)| (body.handle, key));
        self.keys.extend(keys);
        self.forces.restore(&saved.forces);
        self.drawing.restore(&saved.drawing);
        self.has_engine_edits = saved.has_engine_edits;
        self.may_have_lost_shapes = saved.may_have_lost_shapes;
        self.touching.restore(&saved.touching, restored);
        self.contacts.clear();
        self.contacts.extend(saved.contacts.iter().map(restored));
        self.non_finite = EventBuffer::new();
        self.destroyed = EventBuffer::new();
        Ok(())
    }
}
