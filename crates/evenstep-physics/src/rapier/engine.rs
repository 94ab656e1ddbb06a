//! Implements [`Engine`] for Rapier.

use super::contacts;
use super::dim::{self, Motion, rapier};
use super::saved::{SavedRapier, copy};
use super::world::Rapier;
use crate::body::{BodyDef, BodyKind};
use crate::drag::{Drag, clamp_length};
use crate::engine::{Action, BodyMotion as _, Engine, PhysicsVector as _, PoseOf, Report, VectorOf};
use crate::error::PhysicsError;
use rapier::prelude::{
    ActiveEvents, ColliderHandle, PhysicsPipeline, RigidBody, RigidBodyBuilder, RigidBodyHandle, RigidBodyType, Vector,
};

impl Rapier {
    /// Applies an action to a body for the next step.
    fn apply(&mut self, dt: f32, action: &Action<Self>) {
        let (gravity, max_speed) = (
            self.world.gravity,
            self.world.integration_parameters.max_linear_velocity(),
        );
        let Some(body) = self.world.bodies.get_mut(action.body) else {
            return;
        };
        if !action.impulse.is_zero() {
            body.apply_impulse(dim::vector(action.impulse.linear), true);
            body.apply_torque_impulse(dim::spin(action.impulse.angular), true);
        }
        if !action.force.is_zero() || !action.drag.is_zero() {
            self.own_forces
                .push((action.body, body.user_force(), body.user_torque()));
            let wakes = !action.force.is_zero() || action.drag.is_moving();
            body.add_force(dim::vector(action.force.linear), wakes);
            body.add_torque(dim::spin(action.force.angular), wakes);
            if !action.drag.is_zero() {
                let speed = dim::vector(clamp_length(dim::from_vector(body.linvel()), max_speed));
                body.add_force(drag_force(body, speed, gravity, dt, &action.drag), wakes);
                body.add_torque(dim::drag_torque(body, dt, &action.drag), wakes);
            }
        }
        if let Some(target) = &action.target {
            if body.body_type() == RigidBodyType::KinematicPositionBased {
                body.set_next_kinematic_position(dim::pose(target));
            } else {
                // Velocities move the centre of mass.
                let target = dim::pose(target);
                let offset = target.transform_point(body.local_center_of_mass()) - body.center_of_mass();
                body.set_linvel(offset / dt, true);
                body.set_angvel(
                    dim::angular_velocity_between(&body.position().rotation, &target.rotation, dt),
                    true,
                );
            }
        }
    }

    /// Updates the mass properties of the bodies that actions apply to. Rapier would do so only at the start of its step, after the
    /// drag has been computed from them.
    fn update_masses(&mut self, actions: &[Action<Self>]) {
        if !std::mem::take(&mut self.has_stale_masses) {
            return;
        }
        for action in actions {
            if let Some(body) = self.world.bodies.get_mut(action.body) {
                body.recompute_mass_properties_from_colliders(&self.world.colliders);
            }
        }
    }

    /// Refuses a velocity, unless the body is to be at rest, for a kinematic body that Rapier moves by poses alone.
    fn check_velocity(&self, body: RigidBodyHandle, is_at_rest: bool) -> Result<(), PhysicsError> {
        let body = self.world.bodies.get(body).ok_or_else(missing)?;
        if !is_at_rest && body.body_type() == RigidBodyType::KinematicPositionBased {
            return Err(PhysicsError::Engine {
                action: "set a body's velocity",
                reason: "Rapier moves this body by poses; call `move_to`, or make it `KinematicVelocityBased`"
                    .to_owned(),
            });
        }
        Ok(())
    }

    /// A copy of a body with the mass properties that it has from the next step on.
    fn with_updated_mass(&self, body: RigidBodyHandle) -> Option<RigidBody> {
        let mut body = self.world.bodies.get(body)?.clone();
        body.recompute_mass_properties_from_colliders(&self.world.colliders);
        Some(body)
    }

    /// Removes the forces of the step, and restores the program's own.
    fn restore_own_forces(&mut self) {
        for (handle, force, torque) in self.own_forces.drain(..) {
            if let Some(body) = self.world.bodies.get_mut(handle) {
                body.reset_forces(false);
                body.reset_torques(false);
                body.add_force(force, false);
                body.add_torque(torque, false);
            }
        }
    }
}

impl Engine for Rapier {
    type Motion = Motion;
    type Handle = RigidBodyHandle;
    type ShapeHandle = ColliderHandle;
    type Saved = SavedRapier;

    fn create(&mut self, def: &BodyDef<Motion>) -> Result<RigidBodyHandle, PhysicsError> {
        let kind = match def.kind {
            BodyKind::Dynamic => RigidBodyType::Dynamic,
            BodyKind::Fixed => RigidBodyType::Fixed,
            BodyKind::Kinematic => RigidBodyType::KinematicVelocityBased,
        };
        let body = RigidBodyBuilder::new(kind)
            .pose(dim::pose(&def.motion.pose))
            .linvel(dim::vector(def.motion.velocity))
            .angvel(dim::spin(def.motion.angular_velocity))
            .ccd_enabled(def.is_bullet);
        let collider = dim::collider(&def.shape)
            .density(def.density)
            .friction(def.friction)
            .restitution(def.restitution)
            .active_events(ActiveEvents::COLLISION_EVENTS);
        Ok(self.world.insert(body, collider).0)
    }

    fn destroy(&mut self, body: RigidBodyHandle) {
        self.world.remove_body(body);
    }

    fn motion(&self, body: RigidBodyHandle) -> Option<Motion> {
        self.world.bodies.get(body).map(dim::motion)
    }

    fn set_motion(&mut self, handle: RigidBodyHandle, motion: &Motion) -> Result<(), PhysicsError> {
        let is_at_rest = *motion == Motion::at(motion.pose);
        self.check_velocity(handle, is_at_rest)?;
        let body = self.world.bodies.get_mut(handle).ok_or_else(missing)?;
        body.set_position(dim::pose(&motion.pose), true);
        body.set_linvel(dim::vector(motion.velocity), true);
        body.set_angvel(dim::spin(motion.angular_velocity), true);
        Ok(())
    }

    fn set_pose(&mut self, body: RigidBodyHandle, pose: PoseOf<Self>) -> Result<(), PhysicsError> {
        let body = self.world.bodies.get_mut(body).ok_or_else(missing)?;
        body.set_position(dim::pose(&pose), false);
        Ok(())
    }

    fn set_velocity(&mut self, handle: RigidBodyHandle, velocity: VectorOf<Self>) -> Result<(), PhysicsError> {
        self.check_velocity(handle, velocity == VectorOf::<Self>::ZERO)?;
        let body = self.world.bodies.get_mut(handle).ok_or_else(missing)?;
        body.set_linvel(dim::vector(velocity), true);
        Ok(())
    }

    fn center_of_mass(&self, body: RigidBodyHandle) -> Option<VectorOf<Self>> {
        let center = if self.has_stale_masses {
            self.with_updated_mass(body)?.center_of_mass()
        } else {
            self.world.bodies.get(body)?.center_of_mass()
        };
        Some(dim::from_vector(center))
    }

    fn set_gravity_scale(&mut self, body: RigidBodyHandle, scale: f32) -> Result<(), PhysicsError> {
        let body = self.world.bodies.get_mut(body).ok_or_else(missing)?;
        if body.gravity_scale() != scale {
            body.set_gravity_scale(scale, true);
            // Otherwise the body falls asleep again at once.
            body.wake_up(true);
        }
        Ok(())
    }

    fn missing_mass_property(&self, body: RigidBodyHandle) -> Option<&'static str> {
        let body = self.with_updated_mass(body).filter(RigidBody::is_dynamic)?;
        if !body.is_translation_locked() && body.mass() == 0.0 {
            return Some("mass");
        }
        dim::is_missing_inertia(&body).then_some("inertia")
    }

    fn has_shape(&self, shape: ColliderHandle) -> bool {
        self.world.colliders.contains(shape)
    }

    fn body_of(&self, shape: ColliderHandle) -> Option<RigidBodyHandle> {
        self.world.colliders.get(shape)?.parent()
    }

    fn kind(&self, body: RigidBodyHandle) -> Option<BodyKind> {
        Some(match self.world.bodies.get(body)?.body_type() {
            RigidBodyType::Fixed => BodyKind::Fixed,
            RigidBodyType::KinematicPositionBased | RigidBodyType::KinematicVelocityBased => BodyKind::Kinematic,
            RigidBodyType::Dynamic | RigidBodyType::SoftFrame => BodyKind::Dynamic,
        })
    }

    fn max_speed(&self) -> f32 {
        self.world.integration_parameters.max_linear_velocity()
    }

    fn step(&mut self, dt: f32, actions: &[Action<Self>], report: &mut Report<Self>) -> Result<(), PhysicsError> {
        self.update_masses(actions);
        for action in actions {
            self.apply(dt, action);
        }
        self.world.integration_parameters.dt = dt;
        self.world.step_with_events(&*self.hooks, &self.events);
        self.restore_own_forces();
        for handle in self.world.islands.active_bodies() {
            if let Some(body) = self.world.bodies.get(handle) {
                report.moved.push((handle, dim::from_pose(body.position())));
            }
        }
        contacts::report(&mut self.events, &self.world, report);
        Ok(())
    }

    fn save(&self) -> Result<SavedRapier, PhysicsError> {
        let mut saved = SavedRapier::default();
        self.save_into(&mut saved)?;
        Ok(saved)
    }

    fn save_into(&self, saved: &mut SavedRapier) -> Result<(), PhysicsError> {
        copy(&self.world, &mut saved.0);
        Ok(())
    }

    fn saved_motion(saved: &SavedRapier, body: RigidBodyHandle) -> Option<Motion> {
        saved.0.bodies.get(body).map(dim::motion)
    }

    fn restore(&mut self, saved: &SavedRapier) -> Result<(), PhysicsError> {
        copy(&saved.0, &mut self.world);
        // Even an empty joint set records that the workspace lists its joints, but the workspace lists those of another state.
        self.world.physics_pipeline = PhysicsPipeline::new();
        self.events.events().clear();
        self.own_forces.clear();
        self.has_stale_masses = true;
        Ok(())
    }
}

/// The force of a drag over a step, in addition to the forces that already act on a body of this velocity. Rapier's own damping acts
/// at the end of a step.
fn drag_force(body: &RigidBody, velocity: Vector, gravity: Vector, dt: f32, drag: &Drag<VectorOf<Rapier>>) -> Vector {
    let damping = 1.0 / (1.0 + dt * body.linear_damping());
    let inverse_mass = body.mass_properties().local_mprops.inv_mass;
    let acceleration = body.user_force() * inverse_mass + gravity * body.gravity_scale();
    let free = (velocity + acceleration * dt) * damping;
    dim::vector(drag.force(dim::from_vector(free), dt * inverse_mass * damping))
}

fn missing() -> PhysicsError {
    PhysicsError::Engine {
        action: "move a body",
        reason: "Rapier has no body with this handle".to_owned(),
    }
}
