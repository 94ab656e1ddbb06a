//! A system put aside and put back.

use evenstep::{FixedTimestep, Frame};

use super::PhysicsSystem;
use crate::controller::Attachment;
use crate::world::SavedWorld;
use crate::{Engine, PhysicsError};

/// A [`PhysicsSystem`] at a moment: engine, bodies, forces, controllers and timestep.
pub struct SavedSystem<E: Engine, U> {
    system: u64,
    timestep: FixedTimestep,
    world: SavedWorld<E, U>,
    controllers: Vec<Attachment<E, U>>,
    frame: Frame,
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
        })
    }

    /// Puts everything back. Keys of bodies that lived then are valid again, also if they were removed since; keys of
    /// bodies that were created since are stale, and stay so. A frame that was begun and contacts that have not been handed
    /// over are forgotten.
    ///
    /// # Errors
    ///
    /// [`PhysicsError::ForeignState`] if another system was saved.
    pub fn restore(&mut self, saved: &SavedSystem<E, U>) -> Result<(), PhysicsError> {
        if saved.system != self.id {
            return Err(PhysicsError::ForeignState);
        }
        self.world.restore(&saved.world)?;
        self.timestep.clone_from(&saved.timestep);
        self.controllers.clone_from(&saved.controllers);
        self.frame = saved.frame;
        self.begun = None;
        self.contacts.clear();
        Ok(())
    }
}
