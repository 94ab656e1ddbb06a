//! Saves and restores a physics system.

use std::fmt;

use evenstep::Inspect;
use evenstep::inspect::Visitor;

use super::{Frames, PhysicsSystem};
use crate::controller::Attachment;
use crate::engine::Engine;
use crate::error::PhysicsError;
use crate::world::saved::SavedWorld;

/// A saved copy of a [`PhysicsSystem`]: engine, bodies, forces, controllers, timestep, and contacts that were not delivered.
pub struct SavedSystem<E: Engine, U> {
    system: u64,
    frames: Frames,
    world: SavedWorld<E, U>,
    controllers: Vec<Attachment<E, U>>,
}

impl<E: Engine, U> fmt::Debug for SavedSystem<E, U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SavedSystem")
            .field("system", &self.system)
            .field("timestep", &self.frames.timestep)
            .finish_non_exhaustive()
    }
}

/// The saved bodies by slot, in the same form as for [`PhysicsSystem`]. For Box2D, poses are included but velocities are not, because
/// Box2D's saved state cannot be read.
impl<E: Engine, U: Inspect> Inspect for SavedSystem<E, U> {
    fn visit(&self, visitor: &mut impl Visitor) {
        self.world.visit(visitor);
    }
}

impl<E: Engine, U: Clone> PhysicsSystem<E, U> {
    /// Saves the whole state. Saved between [`advance`](Self::advance) and [`run`](Self::run), it is the state in which the steps of the
    /// frame were given back: its tick is the bodies'.
    ///
    /// # Errors
    ///
    /// If the engine cannot be saved.
    pub fn save(&self) -> Result<SavedSystem<E, U>, PhysicsError> {
        Ok(SavedSystem {
            system: self.id,
            frames: self.frames_of_bodies(),
            world: self.world.save()?,
            controllers: self.controllers.clone(),
        })
    }

    /// The frames at the tick of the bodies: without one that was begun and has not been run.
    fn frames_of_bodies(&self) -> Frames {
        let mut frames = self.frames.clone();
        frames.drop_unrun();
        frames
    }

    /// Saves the whole state into an existing copy: for a ring buffer of states for rollback. With Rapier it takes as long as [`save`](Self::save): its
    /// sets do not reuse memory.
    ///
    /// # Errors
    ///
    /// If the engine cannot be saved; `saved` is then unchanged. [`PhysicsError::ForeignState`] if `saved` is the state of another
    /// system.
    pub fn save_into(&self, saved: &mut SavedSystem<E, U>) -> Result<(), PhysicsError> {
        if saved.system != self.id {
            return Err(PhysicsError::ForeignState);
        }
        self.world.save_into(&mut saved.world)?;
        saved.frames = self.frames_of_bodies();
        saved.controllers.clone_from(&self.controllers);
        Ok(())
    }

    /// Restores the whole state. The keys of bodies that existed at the save are valid again, even if the bodies were removed since;
    /// the keys of bodies that were created since become stale for good. A frame that was begun is discarded. Contacts that had not
    /// been delivered at the save, because the program returned an error, are delivered before the next step.
    ///
    /// # Errors
    ///
    /// [`PhysicsError::ForeignState`] if the state was saved by another system.
    pub fn restore(&mut self, saved: &SavedSystem<E, U>) -> Result<(), PhysicsError> {
        if saved.system != self.id {
            return Err(PhysicsError::ForeignState);
        }
        self.world.restore(&saved.world)?;
        self.frames.clone_from(&saved.frames);
        self.controllers.clone_from(&saved.controllers);
        Ok(())
    }
}
