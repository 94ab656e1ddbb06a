//! Saves and restores a Rapier world.

use super::dim::{self, Motion, rapier};
use super::engine::driven_motion;
use super::world::{Driven, Rapier};
use rapier::prelude::{
    BroadPhaseBvh, ColliderSet, ImpulseJointSet, IntegrationParameters, IslandManager, MultibodyJointSet, NarrowPhase,
    PhysicsPipeline, RigidBodyHandle, RigidBodySet, SoftBodySet, Vector,
};
use rustc_hash::FxHashMap;

/// A copy of Rapier's whole state, except its workspace.
#[derive(Default)]
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
    slots: FxHashMap<RigidBodyHandle, u32>,
    driven: Vec<Driven>,
}

impl SavedRapier {
    /// Replaces this copy by the present state of an engine.
    pub(super) fn refill(&mut self, engine: &Rapier) {
        let world = &engine.world;
        self.gravity = world.gravity;
        self.integration_parameters = world.integration_parameters;
        self.islands.clone_from(&world.islands);
        self.broad_phase.clone_from(&world.broad_phase);
        self.narrow_phase.clone_from(&world.narrow_phase);
        self.bodies.clone_from(&world.bodies);
        self.colliders.clone_from(&world.colliders);
        self.impulse_joints.clone_from(&world.impulse_joints);
        self.multibody_joints.clone_from(&world.multibody_joints);
        self.soft_bodies.clone_from(&world.soft_bodies);
        self.slots.clone_from(&engine.slots);
        self.driven.clone_from(&engine.driven);
    }

    /// A body's pose and velocities.
    pub(super) fn motion(&self, body: RigidBodyHandle) -> Option<Motion> {
        let motion = self.bodies.get(body).map(dim::motion)?;
        Some(driven_motion(&self.driven, body, motion))
    }

    /// Restores an engine to this state.
    pub(super) fn restore(&self, engine: &mut Rapier) {
        let world = &mut engine.world;
        world.gravity = self.gravity;
        world.integration_parameters = self.integration_parameters;
        world.islands.clone_from(&self.islands);
        world.broad_phase.clone_from(&self.broad_phase);
        world.narrow_phase.clone_from(&self.narrow_phase);
        world.bodies.clone_from(&self.bodies);
        world.colliders.clone_from(&self.colliders);
        world.impulse_joints.clone_from(&self.impulse_joints);
        world.multibody_joints.clone_from(&self.multibody_joints);
        world.soft_bodies.clone_from(&self.soft_bodies);
        // Even an empty joint set records that the workspace lists its joints, but the workspace lists those of another state.
        world.physics_pipeline = PhysicsPipeline::new();
        engine.slots.clone_from(&self.slots);
        engine.driven.clone_from(&self.driven);
        engine.events.clear();
        engine.own_forces.clear();
        engine.has_stale_masses = true;
    }
}
