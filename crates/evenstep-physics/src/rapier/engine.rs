//! Rapier behind the engine's interface; the same code for the plane and for space.

use super::dim::{self, Motion, rapier};
use super::events::Collector;
use crate::engine::{Action, Name, Report, VectorOf};
use crate::{BodyDef, BodyKind, Engine, PhysicsError};
use rapier::prelude::{
    ActiveEvents, AngVector, BroadPhaseBvh, ColliderHandle, ColliderSet, ImpulseJointSet, IntegrationParameters,
    IslandManager, MultibodyJointSet, NarrowPhase, PhysicsHooks, PhysicsPipeline, PhysicsWorld, RigidBodyBuilder,
    RigidBodyHandle, RigidBodySet, RigidBodyType, SoftBodySet, Vector,
};

/// Rapier's world. Its forces last until they are reset, so those of a step are taken back after it.
pub struct Rapier {
    world: PhysicsWorld,
    hooks: Box<dyn PhysicsHooks + Send + Sync>,
    events: Collector,
    /// By indices of bodies: the generation and the slot of those that are adopted.
    slots: Vec<Option<(u32, u32)>>,
    /// Bodies on which a force acts in the step, and the force that the program itself has put on each.
    pushed: Vec<(RigidBodyHandle, Vector, AngVector)>,
}

/// Over a world that exists, with all that is in it; its bodies can be [adopted](crate::World::adopt).
impl From<PhysicsWorld> for Rapier {
    fn from(world: PhysicsWorld) -> Self {
        Self {
            world,
            hooks: Box::new(()),
            events: Collector::default(),
            slots: Vec::new(),
            pushed: Vec::new(),
        }
    }
}

impl Rapier {
    /// An empty world, with gravity in m/s².
    #[must_use]
    pub fn new(gravity: VectorOf<Self>) -> Self {
        Self::with_length_unit(gravity, 1.0)
    }

    /// An empty world whose unit of length is a `length_unit`-th of a metre, such as 100 for a game in pixels of which
    /// 100 make a metre. Rapier's thresholds are scaled with it. `gravity` is in that unit.
    #[must_use]
    pub fn with_length_unit(gravity: VectorOf<Self>, length_unit: f32) -> Self {
        let mut world = PhysicsWorld::new();
        world.gravity = dim::vector(gravity);
        world.integration_parameters.length_unit = length_unit;
        Self::from(world)
    }

    /// The same with the program's own hooks: which contacts there are, and how they are solved. Filters, one-way
    /// platforms and conveyor belts are made of them. They are not saved.
    #[must_use]
    pub fn with_hooks(self, hooks: impl PhysicsHooks + Send + Sync + 'static) -> Self {
        let hooks = Box::new(hooks);
        Self { hooks, ..self }
    }

    /// Rapier's own world.
    #[must_use]
    pub const fn world(&self) -> &PhysicsWorld {
        &self.world
    }

    /// Rapier's own world, to be changed.
    pub const fn world_mut(&mut self) -> &mut PhysicsWorld {
        &mut self.world
    }

    fn act(&mut self, dt: f32, action: &Action<Self>) {
        let Some(body) = self.world.bodies.get_mut(action.body) else {
            return;
        };
        if !action.force.is_zero() {
            self.pushed.push((action.body, body.user_force(), body.user_torque()));
            body.add_force(dim::vector(action.force.linear), true);
            body.add_torque(dim::spin(action.force.angular), true);
        }
        if !action.impulse.is_zero() {
            body.apply_impulse(dim::vector(action.impulse.linear), true);
            body.apply_torque_impulse(dim::spin(action.impulse.angular), true);
        }
        if let Some(target) = &action.target {
            if body.body_type() == RigidBodyType::KinematicPositionBased {
                body.set_next_kinematic_position(dim::pose(target));
            } else {
                // Velocities move the centre of mass.
                let target = dim::pose(target);
                let way = target.transform_point(body.local_center_of_mass()) - body.center_of_mass();
                body.set_linvel(way / dt, true);
                body.set_angvel(dim::turn(&body.position().rotation, &target.rotation, dt), true);
            }
        }
    }

    /// Takes back the forces of the step, and leaves the program's own.
    fn take_back(&mut self) {
        for (handle, force, torque) in self.pushed.drain(..) {
            if let Some(body) = self.world.bodies.get_mut(handle) {
                body.reset_forces(false);
                body.reset_torques(false);
                body.add_force(force, false);
                body.add_torque(torque, false);
            }
        }
    }
}

/// All of Rapier's state but its workspace.
pub struct SavedRapier {
    gravity: Vector,
    integration_parameters: IntegrationParameters,
    islands: IslandManager,
    broad_phase: BroadPhaseBvh,
    narrow_phase: NarrowPhase,
    bodies: RigidBodySet,
    colliders: ColliderSet,
    impulse_joints: ImpulseJointSet,
    multibody_joints: MultibodyJointSet,
    soft_bodies: SoftBodySet,
    slots: Vec<Option<(u32, u32)>>,
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

    fn adopt(&mut self, body: RigidBodyHandle, slot: u32) {
        let (index, generation) = body.into_raw_parts();
        let index = index as usize;
        if self.slots.len() <= index {
            self.slots.resize(index + 1, None);
        }
        self.slots[index] = Some((generation, slot));
    }

    fn release(&mut self, body: RigidBodyHandle) {
        if self.slot(body).is_some() {
            self.slots[body.into_raw_parts().0 as usize] = None;
        }
    }

    #[inline]
    fn slot(&self, body: RigidBodyHandle) -> Option<u32> {
        slot(&self.slots, body)
    }

    fn motion(&self, body: RigidBodyHandle) -> Option<Motion> {
        self.world.bodies.get(body).map(dim::motion)
    }

    fn set_motion(&mut self, body: RigidBodyHandle, motion: &Motion) -> Result<(), PhysicsError> {
        let body = self.world.bodies.get_mut(body).ok_or_else(missing)?;
        body.set_position(dim::pose(&motion.pose), true);
        body.set_linvel(dim::vector(motion.velocity), true);
        body.set_angvel(dim::spin(motion.angular_velocity), true);
        Ok(())
    }

    fn set_velocity(&mut self, body: RigidBodyHandle, velocity: VectorOf<Self>) -> Result<(), PhysicsError> {
        let body = self.world.bodies.get_mut(body).ok_or_else(missing)?;
        body.set_linvel(dim::vector(velocity), true);
        Ok(())
    }

    fn center_of_mass(&self, body: RigidBodyHandle) -> Option<VectorOf<Self>> {
        let body = self.world.bodies.get(body)?;
        Some(dim::from_vector(body.center_of_mass()))
    }

    fn set_gravity_scale(&mut self, body: RigidBodyHandle, scale: f32) -> Result<(), PhysicsError> {
        let body = self.world.bodies.get_mut(body).ok_or_else(missing)?;
        if body.gravity_scale() != scale {
            body.set_gravity_scale(scale, true);
            // Or it falls asleep again at once.
            body.wake_up(true);
        }
        Ok(())
    }

    fn lacks(&self, body: RigidBodyHandle) -> Option<&'static str> {
        let body = self.world.bodies.get(body).filter(|body| body.is_dynamic())?;
        // Masses of shapes count from the next step on; a copy has them now.
        let mut body = body.clone();
        body.recompute_mass_properties_from_colliders(&self.world.colliders);
        if !body.is_translation_locked() && body.mass() == 0.0 {
            return Some("mass");
        }
        dim::lacks_inertia(&body).then_some("inertia")
    }

    fn is_kinematic(&self, body: RigidBodyHandle) -> bool {
        self.world.bodies.get(body).is_some_and(|body| body.is_kinematic())
    }

    fn step(&mut self, dt: f32, actions: &[Action<Self>], report: &mut Report<Self>) -> Result<(), PhysicsError> {
        for action in actions {
            self.act(dt, action);
        }
        self.world.integration_parameters.dt = dt;
        self.world.step_with_events(&*self.hooks, &self.events);
        self.take_back();
        for handle in self.world.islands.active_bodies() {
            if let (Some(slot), Some(body)) = (slot(&self.slots, handle), self.world.bodies.get(handle)) {
                report.moved.push((slot, dim::from_pose(body.position())));
            }
        }
        let slots = &self.slots;
        self.events.report(&self.world, |body| slot(slots, body), report);
        Ok(())
    }

    fn save(&self) -> Result<SavedRapier, PhysicsError> {
        Ok(SavedRapier {
            gravity: self.world.gravity,
            integration_parameters: self.world.integration_parameters,
            islands: self.world.islands.clone(),
            broad_phase: self.world.broad_phase.clone(),
            narrow_phase: self.world.narrow_phase.clone(),
            bodies: self.world.bodies.clone(),
            colliders: self.world.colliders.clone(),
            impulse_joints: self.world.impulse_joints.clone(),
            multibody_joints: self.world.multibody_joints.clone(),
            soft_bodies: self.world.soft_bodies.clone(),
            slots: self.slots.clone(),
        })
    }

    fn save_into(&self, saved: &mut SavedRapier) -> Result<(), PhysicsError> {
        saved.gravity = self.world.gravity;
        saved.integration_parameters = self.world.integration_parameters;
        saved.islands.clone_from(&self.world.islands);
        saved.broad_phase.clone_from(&self.world.broad_phase);
        saved.narrow_phase.clone_from(&self.world.narrow_phase);
        saved.bodies.clone_from(&self.world.bodies);
        saved.colliders.clone_from(&self.world.colliders);
        saved.impulse_joints.clone_from(&self.world.impulse_joints);
        saved.multibody_joints.clone_from(&self.world.multibody_joints);
        saved.soft_bodies.clone_from(&self.world.soft_bodies);
        saved.slots.clone_from(&self.slots);
        Ok(())
    }

    /// Handles stay as they are.
    fn restore<'a>(
        &mut self,
        saved: &SavedRapier,
        _: impl Iterator<Item = Name<'a, Self>>,
    ) -> Result<(), PhysicsError> {
        self.world.gravity = saved.gravity;
        self.world.integration_parameters = saved.integration_parameters;
        self.world.islands.clone_from(&saved.islands);
        self.world.broad_phase.clone_from(&saved.broad_phase);
        self.world.narrow_phase.clone_from(&saved.narrow_phase);
        self.world.bodies.clone_from(&saved.bodies);
        self.world.colliders.clone_from(&saved.colliders);
        self.world.impulse_joints.clone_from(&saved.impulse_joints);
        self.world.multibody_joints.clone_from(&saved.multibody_joints);
        self.world.soft_bodies.clone_from(&saved.soft_bodies);
        self.slots.clone_from(&saved.slots);
        self.events.clear();
        self.pushed.clear();
        // The joints, and be there none, remember that the workspace lists them; it lists those of another time.
        self.world.physics_pipeline = PhysicsPipeline::new();
        Ok(())
    }
}

#[inline]
fn slot(slots: &[Option<(u32, u32)>], body: RigidBodyHandle) -> Option<u32> {
    let (index, generation) = body.into_raw_parts();
    let (own, slot) = (*slots.get(index as usize)?)?;
    (own == generation).then_some(slot)
}

fn missing() -> PhysicsError {
    PhysicsError::Engine {
        action: "move a body",
        reason: "Rapier has none of this handle".to_owned(),
    }
}
