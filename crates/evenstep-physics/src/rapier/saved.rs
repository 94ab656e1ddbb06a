//! Saves and restores a Rapier world.

use super::dim::rapier;
use super::world::Rapier;
use rapier::prelude::{PhysicsPipeline, PhysicsWorld};

/// A copy of Rapier's whole state.
#[derive(Default)]
pub struct SavedRapier(pub(super) PhysicsWorld);

impl SavedRapier {
    /// Replaces this copy by the present state of an engine.
    pub(super) fn refill(&mut self, engine: &Rapier) {
        copy(&engine.world, &mut self.0);
    }

    /// Restores an engine to this state.
    pub(super) fn restore(&self, engine: &mut Rapier) {
        copy(&self.0, &mut engine.world);
        // Even an empty joint set records that the workspace lists its joints, but the workspace lists those of another state.
        engine.world.physics_pipeline = PhysicsPipeline::new();
        engine.events.events().clear();
        engine.own_forces.clear();
        engine.has_stale_masses = true;
    }
}

/// Copies the state of a world, without its workspaces, into another world, whose memory is reused.
fn copy(from: &PhysicsWorld, to: &mut PhysicsWorld) {
    to.gravity = from.gravity;
    to.integration_parameters = from.integration_parameters;
    to.islands.clone_from(&from.islands);
    to.broad_phase.clone_from(&from.broad_phase);
    to.narrow_phase.clone_from(&from.narrow_phase);
    to.bodies.clone_from(&from.bodies);
    to.colliders.clone_from(&from.colliders);
    to.impulse_joints.clone_from(&from.impulse_joints);
    to.multibody_joints.clone_from(&from.multibody_joints);
    to.soft_bodies.clone_from(&from.soft_bodies);
}
