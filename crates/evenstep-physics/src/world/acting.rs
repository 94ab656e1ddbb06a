//! What a program does to bodies.

use evenstep::Smoothing;
use evenstep::integrate::Vector as _;

use super::World;
use super::drawing::of_origin;
use super::forces::Acts;
use crate::arena::BodyKey;
use crate::drag::Drag;
use crate::engine::{BodyMotion as _, Engine, PhysicsVector as _, PoseOf, VectorOf, WrenchOf};
use crate::error::PhysicsError;
use crate::wrench::Wrench;

impl<E: Engine, U> World<E, U> {
    /// Sets how a body is drawn between steps.
    ///
    /// # Errors
    ///
    /// [`PhysicsError::StaleKey`].
    pub fn set_smoothing(&mut self, key: BodyKey, smoothing: Smoothing) -> Result<(), PhysicsError> {
        let motion = self.motion(key)?;
        let motion = of_origin(&self.engine, self.handle(key)?, motion);
        self.drawing.set_smoothing(key, smoothing, motion);
        Ok(())
    }

    /// Puts a body elsewhere, without a motion between. Wakes it, what it touched and what it touches.
    ///
    /// # Errors
    ///
    /// If the key is stale or the motion is not finite.
    pub fn teleport(&mut self, key: BodyKey, motion: E::Motion) -> Result<(), PhysicsError> {
        self.motion(key)?;
        check(key, "motion", motion.is_finite())?;
        let handle = self.handle(key)?;
        self.engine.set_motion(handle, &motion)?;
        self.drawing.teleport(key, of_origin(&self.engine, handle, motion));
        Ok(())
    }

    /// Sets a body's velocity, per second. Wakes it.
    ///
    /// # Errors
    ///
    /// If the key is stale or the velocity is not finite.
    pub fn set_velocity(&mut self, key: BodyKey, velocity: VectorOf<E>) -> Result<(), PhysicsError> {
        let motion = self.motion(key)?;
        check(key, "velocity", velocity.all_finite())?;
        let handle = self.handle(key)?;
        self.engine.set_velocity(handle, velocity)?;
        let motion = of_origin(&self.engine, handle, motion.with_velocity(velocity));
        self.drawing.set_velocity(key, motion);
        Ok(())
    }

    /// Sets how much of the world's gravity acts on a body: 1 is all of it, 0 none, below zero it rises. Wakes it if that
    /// changes.
    ///
    /// # Errors
    ///
    /// If the key is stale or the scale is not finite.
    pub fn set_gravity_scale(&mut self, key: BodyKey, scale: f32) -> Result<(), PhysicsError> {
        self.motion(key)?;
        check(key, "gravity scale", scale.is_finite())?;
        let handle = self.handle(key)?;
        self.engine.set_gravity_scale(handle, scale)
    }

    /// Lets a kinematic body arrive at a pose at the end of the next step: what stands on it is carried, and it is drawn on
    /// its way. It stops there unless it is told again.
    ///
    /// # Errors
    ///
    /// If the key is stale, the pose is not finite or the body is not kinematic.
    pub fn move_to(&mut self, key: BodyKey, pose: PoseOf<E>) -> Result<(), PhysicsError> {
        self.motion(key)?;
        check(key, "pose", E::Motion::at(pose).is_finite())?;
        if !self.engine.is_kinematic(self.handle(key)?) {
            return Err(refused(key, "body", "must be kinematic"));
        }
        self.forces.set_target(key, pose);
        Ok(())
    }

    /// Lets a force act on a body while the present frame lasts, in addition to any other: `∫F dt` is the same at every
    /// frame rate. To be called before each [`update`](crate::PhysicsSystem::update).
    ///
    /// No force or impulse wakes a sleeping body if it is zero; any other does, in the step in which it acts.
    ///
    /// # Errors
    ///
    /// If the key is stale or the force is not finite.
    pub fn apply_force_for_frame(&mut self, key: BodyKey, force: WrenchOf<E>) -> Result<(), PhysicsError> {
        self.apply(key, force, "force", Acts::InFrame)
    }

    /// Lets a force act on a body in the next step only, in addition to any other: for controllers and for code that
    /// runs in every step.
    ///
    /// # Errors
    ///
    /// If the key is stale or the force is not finite.
    pub fn apply_force(&mut self, key: BodyKey, force: WrenchOf<E>) -> Result<(), PhysicsError> {
        self.apply(key, force, "force", Acts::InStep)
    }

    /// Gives a body an impulse (N·s), once, in the next step.
    ///
    /// # Errors
    ///
    /// If the key is stale or the impulse is not finite.
    pub fn apply_impulse(&mut self, key: BodyKey, impulse: WrenchOf<E>) -> Result<(), PhysicsError> {
        self.apply(key, impulse, "impulse", Acts::AsImpulse)
    }

    /// Lets a force act on a body until it is replaced; [`Wrench::ZERO`] ends it.
    ///
    /// # Errors
    ///
    /// If the key is stale or the force is not finite.
    pub fn set_constant_force(&mut self, key: BodyKey, force: WrenchOf<E>) -> Result<(), PhysicsError> {
        self.apply(key, force, "force", Acts::Constantly)
    }

    /// Lets a medium resist a body's motion in the next step only, in addition to any other: for controllers and for code that
    /// runs in every step. Unlike a force computed from the velocity that the body has now, it never carries the body
    /// beyond the medium's velocity, however light the body or long the step.
    ///
    /// It wakes a sleeping body only if the medium moves.
    ///
    /// # Errors
    ///
    /// If the key is stale, or something of the drag is not finite or negative.
    pub fn apply_drag(&mut self, key: BodyKey, drag: Drag<VectorOf<E>>) -> Result<(), PhysicsError> {
        self.body(key)?;
        if let Some(reason) = drag.fault() {
            return Err(refused(key, "drag", reason));
        }
        self.forces.add_drag(key, drag);
        Ok(())
    }

    fn apply(
        &mut self,
        key: BodyKey,
        wrench: WrenchOf<E>,
        field: &'static str,
        acts: Acts,
    ) -> Result<(), PhysicsError> {
        self.body(key)?;
        check(key, field, wrench.is_finite())?;
        self.forces.add(key, wrench, acts);
        Ok(())
    }

    /// A force (N) or impulse (N·s) at a point of the world as it acts on a body where that is now: with its torque about
    /// the centre of mass.
    ///
    /// # Errors
    ///
    /// If the key is stale or something is not finite.
    pub fn at_point(&self, key: BodyKey, force: VectorOf<E>, point: VectorOf<E>) -> Result<WrenchOf<E>, PhysicsError> {
        let arm = point.plus(self.center_of_mass(key)?, -1.0);
        let wrench = Wrench {
            linear: force,
            angular: E::Motion::torque(arm, force),
        };
        check(key, "force", force.all_finite())?;
        check(key, "point", wrench.is_finite())?;
        Ok(wrench)
    }
}

const fn check(key: BodyKey, field: &'static str, is_finite: bool) -> Result<(), PhysicsError> {
    if is_finite {
        return Ok(());
    }
    Err(refused(key, field, "must be finite"))
}

pub(super) const fn refused(key: BodyKey, field: &'static str, reason: &'static str) -> PhysicsError {
    PhysicsError::Refused {
        body: Some(key),
        field,
        reason,
    }
}
