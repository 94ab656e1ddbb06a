//! A world put aside and put back.

use super::drawing::Drawing;
use super::forces::SavedForces;
use super::{Body, World};
use crate::arena::Arena;
use crate::{Engine, PhysicsError};

/// A world at a moment.
pub(crate) struct SavedWorld<E: Engine, U> {
    engine: E::Saved,
    bodies: Arena<Body<E, U>>,
    forces: SavedForces<E>,
    drawing: Drawing<E::Motion>,
    is_unchecked: bool,
}

impl<E: Engine, U: Clone> World<E, U> {
    pub(crate) fn save(&self) -> Result<SavedWorld<E, U>, PhysicsError> {
        Ok(SavedWorld {
            engine: self.engine.save()?,
            bodies: self.bodies.clone(),
            forces: self.forces.save(),
            drawing: self.drawing.save(),
            is_unchecked: self.is_unchecked,
        })
    }

    /// Puts everything back but the count of generations, so that no key is ever used twice.
    pub(crate) fn restore(&mut self, saved: &SavedWorld<E, U>) -> Result<(), PhysicsError> {
        let mut renamed = Vec::new();
        self.engine
            .restore(&saved.engine, |slot, handle| renamed.push((slot, handle)))?;
        self.bodies.clone_from(&saved.bodies);
        for (slot, handle) in renamed {
            if let Some(body) = self.bodies.in_slot_mut(slot) {
                body.handle = handle;
            }
        }
        self.forces.restore(&saved.forces);
        self.drawing.restore(&saved.drawing);
        self.is_unchecked = saved.is_unchecked;
        self.non_finite.clear();
        self.destroyed.clear();
        Ok(())
    }
}
