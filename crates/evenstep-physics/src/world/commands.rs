//! The program's commands to bodies: forces, impulses, drag, velocities, targets and teleports.

use evenstep::Smoothing;
use evenstep::Vector as _;

use super::World;
use super::drawing::with_origin_velocity;
use crate::arena::BodyKey;
use crate::body::{BodyKind, FINITE, IN_RANGE, NOT_TOO_FAST, is_in_range};
use crate::drag::Drag;
use crate::engine::{BodyMotion as _, Engine, PhysicsVector as _, PoseOf, VectorOf, WrenchOf};
use crate::error::{PhysicsError, check};
use crate::wrench::Wrench;

impl<E: Engine, U> World<E, U> {
    /// Sets how a body is drawn between two steps.
    ///
    /// # Errors
    ///
    /// [`PhysicsError::StaleKey`].
    pub fn set_smoothing(&mut self, key: BodyKey, smoothing: Smoothing) -> Result<(), PhysicsError> {
        let motion = with_origin_velocity(&self.engine, self.handle(key)?, self.motion(key)?);
        self.drawing.set_smoothing(key.slot, smoothing, motion);
        Ok(())
    }

    /// Sets the pose that a body had a step ago, which changes only how it is drawn: what is spawned moving is here now and was there a step
    /// ago. Call it after [`create`](Self::create), between frames or in a step.
    ///
    #[cfg_attr(feature = "rapier2d", doc = "```")]
    #[cfg_attr(not(feature = "rapier2d"), doc = "```ignore")]
    /// use evenstep::poses::{Motion2, Pose2, Rot2};
    /// use evenstep::{FixedTimestep, Rate};
    /// use evenstep_physics::{BodyDef, PhysicsSystem, Rapier2d, Shape};
    ///
    /// let mut physics = PhysicsSystem::new(Rapier2d::new([0.0, -9.81]), FixedTimestep::new(Rate::hz(60)));
    /// let at = |x| Pose2::new([x, 0.0], Rot2::IDENTITY);
    /// let def = BodyDef::new(Shape::Ball(0.1)).moving(Motion2 { pose: at(2.0), velocity: [30.0, 0.0], angular_velocity: 0.0 });
    /// let shot = physics.world_mut().create(&def, "shot")?;
    /// physics.world_mut().set_previous(shot, at(2.0 - 30.0 / 60.0))?;
    /// assert_eq!(physics.pose(shot)?.position[0], 1.5); // at alpha 0
    /// # Ok::<(), evenstep_physics::PhysicsError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the key is stale, or if the pose is not finite or has a coordinate beyond 10⁹.
    pub fn set_previous(&mut self, key: BodyKey, pose: PoseOf<E>) -> Result<(), PhysicsError> {
        self.motion(key)?;
        let there = E::Motion::at(pose);
        check(key, "pose", there.is_finite(), FINITE)?;
        check(key, "pose", is_in_range(there.position()), IN_RANGE)?;
        self.drawing.set_previous(key.slot, pose);
        Ok(())
    }

    /// Teleports a body: sets its pose and velocities, and draws no motion in between. Wakes the body, the bodies that it touched and the
    /// bodies that it touches now. Replaces a target of [`move_to`](Self::move_to).
    ///
    /// # Errors
    ///
    /// If the key is stale, if the motion is not finite, if a coordinate is beyond 10⁹ or the velocity beyond the engine's
    /// [largest](Engine::max_speed), or if there is a velocity and the body is fixed or one that Rapier moves by poses.
    pub fn teleport(&mut self, key: BodyKey, motion: E::Motion) -> Result<(), PhysicsError> {
        self.motion(key)?;
        let (handle, max_speed) = (self.handle(key)?, self.engine.max_speed());
        check(key, "motion", motion.is_finite(), FINITE)?;
        check(key, "motion", is_in_range(motion.position()), IN_RANGE)?;
        check(key, "motion", motion.velocity().length() <= max_speed, NOT_TOO_FAST)?;
        let is_at_rest = motion == E::Motion::at(motion.pose());
        check(key, "motion", is_at_rest || self.can_move(handle), NOT_FIXED)?;
        self.engine.set_motion(handle, &motion)?;
        self.forces.clear_target(key);
        self.drawing
            .teleport(key.slot, with_origin_velocity(&self.engine, handle, motion));
        Ok(())
    }

    /// Sets a body's velocity in m/s, and wakes it. Replaces a target of [`move_to`](Self::move_to).
    ///
    /// # Errors
    ///
    /// If the key is stale, if the velocity is not finite or beyond the engine's [largest](Engine::max_speed), or if the body is fixed or one
    /// that Rapier moves by poses (`KinematicPositionBased`).
    pub fn set_velocity(&mut self, key: BodyKey, velocity: VectorOf<E>) -> Result<(), PhysicsError> {
        let motion = self.motion(key)?;
        let (handle, max_speed) = (self.handle(key)?, self.engine.max_speed());
        check(key, "velocity", velocity.all_finite(), FINITE)?;
        check(key, "velocity", velocity.length() <= max_speed, NOT_TOO_FAST)?;
        check(key, "velocity", self.can_move(handle), NOT_FIXED)?;
        self.engine.set_velocity(handle, velocity)?;
        let mut motion = motion.with_velocity(velocity);
        if self.forces.clear_target(key) {
            // The rotation towards the last target ends.
            motion = E::Motion::at(motion.pose()).with_velocity(velocity);
            self.engine.set_motion(handle, &motion)?;
        }
        self.drawing
            .set_velocity(key.slot, || with_origin_velocity(&self.engine, handle, motion));
        Ok(())
    }

    fn can_move(&self, body: E::Handle) -> bool {
        self.engine.kind(body) != Some(BodyKind::Fixed)
    }

    /// Sets the factor by which the world's gravity acts on a body: 1 by default, 0 for none; below zero the body rises. Wakes the
    /// body if the factor changes.
    ///
    /// # Errors
    ///
    /// If the key is stale or the scale is not finite.
    pub fn set_gravity_scale(&mut self, key: BodyKey, scale: f32) -> Result<(), PhysicsError> {
        self.motion(key)?;
        check(key, "gravity scale", scale.is_finite(), FINITE)?;
        let handle = self.handle(key)?;
        self.engine.set_gravity_scale(handle, scale)
    }

    /// Moves a kinematic body so that it reaches a pose at the end of the next step, exactly and from any distance. It carries and pushes the
    /// bodies in its way, at most with the engine's largest speed, and its motion is interpolated. It stops at the pose unless this is called
    /// again. The last of [`move_to`](Self::move_to), [`set_velocity`](Self::set_velocity) and [`teleport`](Self::teleport) before a step
    /// counts.
    ///
    /// # Errors
    ///
    /// If the key is stale, the pose is not finite or has a coordinate beyond 10⁹, or the body is not kinematic.
    pub fn move_to(&mut self, key: BodyKey, pose: PoseOf<E>) -> Result<(), PhysicsError> {
        self.motion(key)?;
        let (there, kind) = (E::Motion::at(pose), self.engine.kind(self.handle(key)?));
        check(key, "pose", there.is_finite(), FINITE)?;
        check(key, "pose", is_in_range(there.position()), IN_RANGE)?;
        check(key, "body", kind == Some(BodyKind::Kinematic), "must be kinematic")?;
        self.forces.entry(key).target = Some(pose);
        Ok(())
    }

    /// Applies a force to a body for the present frame, in addition to other forces. Call it before each
    /// [`update`](crate::PhysicsSystem::update).
    ///
    /// It acts for the simulated time that the [frame covers](evenstep::Frame::covered), so `∫F dt` over a simulated time is the same at every
    /// frame rate. Where steps are dropped the frame covers less, and the force acts for less.
    ///
    /// A force or impulse other than zero wakes a sleeping body in the step in which it acts.
    ///
    /// # Errors
    ///
    /// If the key is stale or the force is not finite.
    pub fn apply_force_for_frame(&mut self, key: BodyKey, force: WrenchOf<E>) -> Result<(), PhysicsError> {
        self.check_wrench(key, "force", &force)?;
        self.forces.add_for_frame(key, force);
        Ok(())
    }

    /// Applies a force to a body in the next step only, in addition to other forces: for controllers and for code that runs in every
    /// step.
    ///
    /// # Errors
    ///
    /// If the key is stale or the force is not finite.
    pub fn apply_force(&mut self, key: BodyKey, force: WrenchOf<E>) -> Result<(), PhysicsError> {
        self.check_wrench(key, "force", &force)?;
        self.forces.entry(key).step.add(force, 1.0);
        Ok(())
    }

    /// Applies an impulse (N·s) to a body once, at the start of the next step.
    ///
    /// # Errors
    ///
    /// If the key is stale or the impulse is not finite.
    pub fn apply_impulse(&mut self, key: BodyKey, impulse: WrenchOf<E>) -> Result<(), PhysicsError> {
        self.check_wrench(key, "impulse", &impulse)?;
        self.forces.entry(key).impulse.add(impulse, 1.0);
        Ok(())
    }

    /// Applies a force to a body in every step until it is replaced; [`Wrench::ZERO`] ends it.
    ///
    /// # Errors
    ///
    /// If the key is stale or the force is not finite.
    pub fn set_constant_force(&mut self, key: BodyKey, force: WrenchOf<E>) -> Result<(), PhysicsError> {
        self.check_wrench(key, "force", &force)?;
        self.forces.entry(key).constant = force;
        Ok(())
    }

    /// Applies the drag of a medium to a body in the next step only, in addition to other drags: for controllers and for code that
    /// runs in every step. Unlike a force computed from the body's present velocity, it never reverses the velocity relative to
    /// the medium, at any mass and any step length.
    ///
    /// It wakes a sleeping body only if the medium moves.
    ///
    /// # Errors
    ///
    /// If the key is stale, or if a field of the drag is negative or not finite.
    pub fn apply_drag(&mut self, key: BodyKey, drag: Drag<VectorOf<E>>) -> Result<(), PhysicsError> {
        self.body(key)?;
        check(key, "drag", drag.is_finite(), FINITE)?;
        check(
            key,
            "drag",
            drag.linear >= 0.0 && drag.angular >= 0.0,
            "must not be negative",
        )?;
        let sum = &mut self.forces.entry(key).drag;
        *sum = sum.combined(drag);
        Ok(())
    }

    fn check_wrench(&self, key: BodyKey, field: &'static str, wrench: &WrenchOf<E>) -> Result<(), PhysicsError> {
        self.body(key)?;
        check(key, field, wrench.is_finite(), FINITE)
    }

    /// The wrench of a force (N) or impulse (N·s) that acts at a point of the world: the force and its torque about the body's
    /// present centre of mass.
    ///
    /// # Errors
    ///
    /// If the key is stale, or if the force or the point is not finite.
    pub fn at_point(&self, key: BodyKey, force: VectorOf<E>, point: VectorOf<E>) -> Result<WrenchOf<E>, PhysicsError> {
        let arm = point.plus(self.center_of_mass(key)?, -1.0);
        let wrench = Wrench {
            linear: force,
            angular: E::Motion::torque(arm, force),
        };
        check(key, "force", force.all_finite(), FINITE)?;
        check(key, "point", wrench.is_finite(), FINITE)?;
        Ok(wrench)
    }
}

/// Why a velocity of a fixed body is refused.
const NOT_FIXED: &str = "must not be set for a fixed body";
