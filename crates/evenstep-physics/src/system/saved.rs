//! A system put aside and put back.

use std::collections::VecDeque;

use evenstep::{FixedTimestep, Frame};

use super::PhysicsSystem;
use crate::contact::Contact;
use crate::controller::Attachment;
use crate::engine::Engine;
use crate::error::PhysicsError;
use crate::world::saved::SavedWorld;

/// A [`PhysicsSystem`] at a moment: engine, bodies, forces, controllers, timestep, and contacts that were not handed over.
pub struct SavedSystem<E: Engine, U> {
    system: u64,
    timestep: FixedTimestep,
    world: SavedWorld<E, U>,
    controllers: Vec<Attachment<E, U>>,
    frame: Frame,
    contacts: VecDeque<Contact<E>>,
}

impl<E: Engine, U: Clone> PhysicsSystem<E, U> {
    /// Copies everything, so that it can be put back.
    ///
    /// # Errors
    ///
    /// If the engine cannot be copied.
    pub fn save(&self) -> Result<SavedSystem<E, U>, PhysicsError> {
        Ok(SavedSystem {
            system: self.id,
            timestep: self.timestep.clone(),
            world: self.world.save()?,
            controllers: self.controllers.clone(),
            frame: self.frame,
            contacts: self.contacts.clone(),
        })
    }

    /// The same into a state that is not needed any more, whose memory is used again: for a ring of states to roll back to.
    ///
    /// # Errors
    ///
    /// If the engine cannot be copied; the state is as it was then. [`PhysicsError::ForeignState`] if another system was saved
    /// in it.
    pub fn save_into(&self, saved: &mut SavedSystem<E, U>) -> Result<(), PhysicsError> {
        if saved.system != self.id {
            return Err(PhysicsError::ForeignState);
        }
        self.world.save_into(&mut saved.world)?;
        saved.timestep.clone_from(&self.timestep);
        saved.controllers.clone_from(&self.controllers);
        saved.frame = self.frame;
        saved.contacts.clone_from(&self.contacts);
        Ok(())
    }

    /// Puts everything back. Keys of bodies that lived then are valid again, also if they were removed since; keys of
    /// bodies that were created since are stale, and stay so. A frame that was begun is forgotten. Contacts that the program's
    /// code had not taken then, because it failed, are handed over before the next step.
    ///
    /// # Errors
    ///
    /// [`PhysicsError::ForeignState`] if another system was saved.
    pub fn restore(&mut self, saved: &SavedSystem<E, U>) -> Result<(), PhysicsError> {
        if saved.system != self.id {
            return Err(PhysicsError::ForeignState);
        }
        let mut contacts = saved.contacts.clone();
        self.world.restore(&saved.world, &mut contacts)?;
        self.timestep.clone_from(&saved.timestep);
        self.controllers.clone_from(&saved.controllers);
        self.frame = saved.frame;
        self.begun = None;
        self.contacts = contacts;
        Ok(())
    }
}
