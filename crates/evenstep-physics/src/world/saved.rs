//! A world put aside and put back.

use super::World;
use crate::arena::Arena;
use crate::record::Record;
use crate::{BodyKey, Engine, PhysicsError};

/// A world at a moment.
pub(crate) struct SavedWorld<E: Engine, U> {
    engine: E::Saved,
    bodies: Arena<Record<E, U>>,
    steps: u64,
    moving: Vec<BodyKey>,
    loaded: Vec<BodyKey>,
}

impl<E: Engine, U: Clone> World<E, U> {
    pub(crate) fn save(&self) -> Result<SavedWorld<E, U>, PhysicsError> {
        Ok(SavedWorld {
            engine: self.engine.save()?,
            bodies: self.bodies.clone(),
            steps: self.steps,
            moving: self.moving.clone(),
            loaded: self.loaded.clone(),
        })
    }

    /// Puts everything back but the count of births, so that no key is ever used twice.
    pub(crate) fn restore(&mut self, saved: &SavedWorld<E, U>) -> Result<(), PhysicsError> {
        let mut renamed = Vec::new();
        self.engine
            .restore(&saved.engine, |slot, handle| renamed.push((slot, handle)))?;
        self.bodies.clone_from(&saved.bodies);
        for (slot, handle) in renamed {
            if let Some((_, body)) = self.bodies.in_slot(slot) {
                body.handle = handle;
            }
        }
        self.steps = saved.steps;
        self.moving.clone_from(&saved.moving);
        self.loaded.clone_from(&saved.loaded);
        self.broken.clear();
        self.changed.clear();
        for (key, body) in self.bodies.iter_mut() {
            body.is_changed = true;
            self.changed.push(key);
        }
        Ok(())
    }
}
