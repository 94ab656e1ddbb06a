//! The rules of scenes: bodies that touch a gate are removed and counted.

use evenstep::Inspect;
use evenstep_physics::engine::VectorOf;
use evenstep_physics::{Contact, ContactKind, PhysicsError, StepHandler, World};

use super::scene_engine::SceneEngine;

/// The role of a body in a scene.
#[derive(Clone, Debug, Inspect)]
pub(super) enum Role<V> {
    /// A fixed body.
    Scenery,
    /// A box whose penetration is measured, by its half extents.
    Block(V),
    /// Any other moving body.
    Thing,
    /// A fixed body that removes the bodies that pass through it.
    Gate,
    /// A body that is removed when it touches the gate.
    Passer,
}

/// The rules of a scene, and the values that they track.
#[derive(Clone, Default, Inspect)]
pub(super) struct Rules {
    /// The height of the floor, if blocks fall on it.
    pub(super) floor: Option<f32>,
    pub(super) deepest: f32,
    /// The number of bodies that have not touched the gate yet.
    pub(super) awaited: u32,
}

impl<E: SceneEngine> StepHandler<E, Role<VectorOf<E>>> for Rules {
    type Error = PhysicsError;

    fn contact(&mut self, world: &mut World<E, Role<VectorOf<E>>>, contact: &Contact<E>) -> Result<(), PhysicsError> {
        let find = |wanted: fn(&Role<VectorOf<E>>) -> bool| {
            let mut pair = contact.keys().into_iter().flatten();
            pair.find(|key| world.data(*key).is_ok_and(wanted))
        };
        let begins = contact.kind == ContactKind::Begin;
        let gate = find(|role| matches!(role, Role::Gate));
        let passer = find(|role| matches!(role, Role::Passer));
        if let (true, Some(_), Some(passer)) = (begins, gate, passer) {
            world.remove(passer)?;
            self.awaited -= 1;
        }
        Ok(())
    }
}
