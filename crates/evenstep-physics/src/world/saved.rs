//! A world put aside and put back.

use super::World;
use crate::arena::Arena;
use crate::record::{Mark, Record};
use crate::{BodyKey, BodyMotion, Engine, ManyPoses as _, PhysicsError};

/// A world at a moment.
pub(crate) struct SavedWorld<E: Engine, U> {
    engine: E::Saved,
    bodies: Arena<Record<E, U>>,
    marks: Vec<Mark>,
    captured: <E::Motion as BodyMotion>::Poses,
    curved: Vec<BodyKey>,
    steps: u32,
    loaded: Vec<BodyKey>,
}

impl<E: Engine, U: Clone> World<E, U> {
    pub(crate) fn save(&self) -> Result<SavedWorld<E, U>, PhysicsError> {
        Ok(SavedWorld {
            engine: self.engine.save()?,
            bodies: self.bodies.clone(),
            marks: self.marks.clone(),
            captured: self.captured.clone(),
            curved: self.curved.clone(),
            steps: self.steps,
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
        self.marks.clone_from(&saved.marks);
        self.captured.restore(&saved.captured);
        let captured = &self.captured;
        self.blended.clear();
        self.blended
            .extend((0..captured.len()).filter_map(|slot| captured.current(slot)));
        self.curved.clone_from(&saved.curved);
        self.steps = saved.steps;
        self.loaded.clone_from(&saved.loaded);
        self.broken.clear();
        self.changed.clear();
        for (slot, mark) in (0..).zip(&mut self.marks) {
            mark.is_changed = mark.is_alive;
            self.changed.extend(mark.is_alive.then(|| mark.key(slot)));
        }
        Ok(())
    }
}
