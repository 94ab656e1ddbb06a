//! How bodies come and go.

use super::World;
use super::acting::refused;
use super::body::Body;
use super::drawing::of_origin;
use crate::arena::BodyKey;
use crate::body::BodyDef;
use crate::engine::{BodyMotion as _, Engine, PoseOf};
use crate::error::PhysicsError;

impl<E: Engine, U> World<E, U> {
    /// Creates a body of one shape, at any time. It is drawn where it is, not on its way from anywhere.
    ///
    /// # Errors
    ///
    /// If something about the definition is not finite or not possible; the error names the field.
    pub fn create(&mut self, def: &BodyDef<E::Motion>, data: U) -> Result<BodyKey, PhysicsError> {
        def.check()?;
        let handle = self.engine.create(def)?;
        if let Some(field) = self.engine.lacks(handle) {
            self.engine.destroy(handle);
            let (body, reason) = (None, "must be above zero; make the shape larger or denser");
            return Err(PhysicsError::Refused { body, field, reason });
        }
        Ok(self.insert(handle, def.motion.pose(), data))
    }

    /// Takes a body of the engine's own API into the world: from now on it is smoothed, named in contacts, saved and
    /// restored, and controllers and forces can act on it. What it is made of stays the engine's affair.
    ///
    /// # Errors
    ///
    /// If the engine has no such body, if it has a key already, if its state is not finite, or if it is dynamic and its mass
    /// or inertia is zero while it is free to move and turn.
    pub fn adopt(&mut self, handle: E::Handle, data: U) -> Result<BodyKey, PhysicsError> {
        // What was destroyed through the engine must not pass for adopted.
        self.notice();
        let refuse = |field, reason| {
            let handle = format!("{handle:?}");
            Err(PhysicsError::NotAdopted { handle, field, reason })
        };
        let Some(motion) = self.engine.motion(handle) else {
            return refuse("handle", "must be that of a body in this engine");
        };
        if let Some(key) = self.key(handle) {
            return Err(refused(key, "handle", "must not be adopted already"));
        }
        if !motion.is_finite() {
            return refuse("motion", "must be finite");
        }
        if let Some(field) = self.engine.lacks(handle) {
            return refuse(
                field,
                "must be above zero; give it a shape with a density, or lock its axes",
            );
        }
        Ok(self.insert(handle, motion.pose(), data))
    }

    fn insert(&mut self, handle: E::Handle, pose: PoseOf<E>, data: U) -> BodyKey {
        let key = self.bodies.insert(self.next_generation, Body { handle, data });
        self.next_generation += 1;
        self.engine.adopt(handle, key.slot);
        self.drawing.insert(key, pose);
        key
    }

    /// Leaves a body to the engine: its key is stale from now on, the body stays.
    ///
    /// # Errors
    ///
    /// [`PhysicsError::StaleKey`].
    pub fn release(&mut self, key: BodyKey) -> Result<(E::Handle, U), PhysicsError> {
        let body = self.bodies.remove(key).ok_or(PhysicsError::StaleKey(key))?;
        self.engine.release(body.handle);
        self.drawing.remove(key);
        Ok((body.handle, body.data))
    }

    /// Removes a body, at any time, and answers with what the program kept with it. Its contacts that have not been handed
    /// over yet are discarded.
    ///
    /// # Errors
    ///
    /// [`PhysicsError::StaleKey`].
    pub fn remove(&mut self, key: BodyKey) -> Result<U, PhysicsError> {
        let (handle, data) = self.release(key)?;
        self.engine.destroy(handle);
        Ok(data)
    }

    /// Looks at what the program did to bodies through the engine.
    pub(crate) fn notice(&mut self) {
        if !std::mem::take(&mut self.is_unchecked) {
            return;
        }
        let (mut gone, mut non_finite) = (Vec::new(), Vec::new());
        for (key, body) in self.bodies.iter() {
            let is_curved = self.drawing.is_curved(key);
            match look(&self.engine, body.handle, is_curved) {
                None => gone.push(key),
                Some(motion) if !motion.is_finite() => non_finite.push(key),
                Some(motion) => {
                    let motion = if is_curved {
                        of_origin(&self.engine, body.handle, motion)
                    } else {
                        motion
                    };
                    if self.drawing.current(key) == Some(motion.pose()) {
                        self.drawing.set_velocity(key, motion);
                    } else {
                        self.drawing.teleport(key, motion);
                    }
                }
            }
        }
        for key in gone {
            if let Ok((_, data)) = self.release(key) {
                self.destroyed.push((key, data));
            }
        }
        for key in non_finite {
            self.put_back(key);
        }
    }
}

/// A body's motion, or its pose alone where that is all that matters: every number costs a call of the engine.
fn look<E: Engine>(engine: &E, body: E::Handle, is_curved: bool) -> Option<E::Motion> {
    if is_curved || !E::REFUSES_NON_FINITE {
        engine.motion(body)
    } else {
        engine.pose_of(body).map(E::Motion::at)
    }
}
