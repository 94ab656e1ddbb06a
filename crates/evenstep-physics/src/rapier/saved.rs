//! A saved copy of a Rapier world.

use super::dim::rapier;
use rapier::prelude::PhysicsWorld;

/// A copy of Rapier's whole state.
#[derive(Default)]
pub struct SavedRapier(pub(super) PhysicsWorld);

/// Copies the state of a world, without its workspaces, into another world, whose memory is reused.
pub(super) fn copy(from: &PhysicsWorld, to: &mut PhysicsWorld) {
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
