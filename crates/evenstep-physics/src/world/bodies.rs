//! Creates, adopts, releases and removes bodies, and synchronises edits that the program made through the engine.

use super::drawing::with_origin_velocity;
use super::{Body, World};
use crate::arena::BodyKey;
use crate::body::BodyDef;
use crate::engine::{BodyMotion as _, Engine, PoseOf};
use crate::error::{PhysicsError, check};

impl<E: Engine, U> World<E, U> {
    /// Creates a body of one shape, at any time. Its first frames show it at its initial pose, unless
    /// it gets a [previous one](Self::set_previous).
    ///
    /// # Errors
    ///
    /// [`PhysicsError::InvalidValue`] with the name of the field, if a value of the definition is out of range or not finite.
    pub fn create(&mut self, def: &BodyDef<E::Motion>, data: U) -> Result<BodyKey, PhysicsError> {
        def.check(self.engine.max_speed())?;
        let handle = self.engine.create(def)?;
        Ok(self.insert(handle, def.motion.pose(), data))
    }

    /// Adopts a body that was created with the engine's own API. From now on, its motion is smoothed, it has a key in contacts, it is
    /// saved and restored, and controllers and forces can act on it. Its shapes and settings remain with the engine.
    ///
    /// # Errors
    ///
    /// If the engine has no such body, if the body already has a key, if its state is not finite, or if it is dynamic and its mass or
    /// inertia is zero while it is free to move and turn.
    pub fn adopt(&mut self, handle: E::Handle, data: U) -> Result<BodyKey, PhysicsError> {
        // A body that was destroyed through the engine must not count as adopted.
        self.sync_engine_edits();
        let cannot_adopt = |field, reason| {
            let handle = format!("{handle:?}");
            Err(PhysicsError::CannotAdopt { handle, field, reason })
        };
        let Some(motion) = self.engine.motion(handle) else {
            return cannot_adopt("handle", "must be that of a body in this engine");
        };
        let key = self.key(handle);
        check(key, "handle", key.is_none(), "must not be adopted already")?;
        if !motion.is_finite() {
            return cannot_adopt("motion", "must be finite");
        }
        if let Some(field) = self.engine.missing_mass_property(handle) {
            return cannot_adopt(
                field,
                "must be above zero; give it a shape with a density, or lock its axes",
            );
        }
        Ok(self.insert(handle, motion.pose(), data))
    }

    fn insert(&mut self, handle: E::Handle, pose: PoseOf<E>, data: U) -> BodyKey {
        let key = self.bodies.insert(self.next_generation, Body { handle, data });
        self.next_generation += 1;
        self.keys.insert(handle, key);
        self.drawing.insert(key.slot, pose);
        key
    }

    /// Releases a body: its key becomes stale, and the body stays in the engine. A kinematic body that [`move_to`](Self::move_to) moves
    /// stops.
    ///
    /// # Errors
    ///
    /// [`PhysicsError::StaleKey`].
    pub fn release(&mut self, key: BodyKey) -> Result<(E::Handle, U), PhysicsError> {
        let body = self.bodies.remove(key).ok_or(PhysicsError::StaleKey(key))?;
        if self.forces.clear_target(key)
            && let Some(motion) = self.engine.motion(body.handle)
        {
            // Nothing would stop it after the release. The engine accepts the body's own pose.
            let _ = self.engine.set_motion(body.handle, &E::Motion::at(motion.pose()));
        }
        self.keys.remove(&body.handle);
        self.drawing.remove(key.slot);
        Ok((body.handle, body.data))
    }

    /// Removes a body, at any time, and returns the program's data of the body. Begins of its contacts that have not been delivered yet are
    /// discarded. Its other contacts end with the next step; the body then has no key.
    ///
    /// # Errors
    ///
    /// [`PhysicsError::StaleKey`].
    pub fn remove(&mut self, key: BodyKey) -> Result<U, PhysicsError> {
        let (handle, data) = self.release(key)?;
        self.engine.destroy(handle);
        self.may_have_lost_shapes = true;
        Ok(data)
    }

    /// Synchronises the world with edits that the program made through [`engine_mut`](Self::engine_mut): moved, destroyed and
    /// non-finite bodies.
    pub(crate) fn sync_engine_edits(&mut self) {
        if !std::mem::take(&mut self.has_engine_edits) {
            return;
        }
        let (mut destroyed, mut non_finite) = (Vec::new(), Vec::new());
        for (key, body) in self.bodies.iter() {
            match self.engine.motion(body.handle) {
                None => destroyed.push(key),
                Some(motion) if !motion.is_finite() => non_finite.push(key),
                Some(motion) => {
                    let of_origin = || with_origin_velocity(&self.engine, body.handle, motion);
                    if self.drawing.current(key.slot) == Some(motion.pose()) {
                        self.drawing.set_velocity(key.slot, of_origin);
                    } else {
                        self.drawing.teleport(key.slot, of_origin());
                    }
                }
            }
        }
        for key in destroyed {
            if let Ok((_, data)) = self.release(key) {
                self.destroyed.push((key, data));
            }
        }
        for key in non_finite {
            self.reset_to_last_pose(key);
        }
    }
}
