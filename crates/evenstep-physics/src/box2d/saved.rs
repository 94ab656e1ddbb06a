//! Saves and restores a Box2D world.

use boxdd::Snapshot;

use super::convert::failed;
use super::{Box2d, Leaving};
use crate::error::PhysicsError;

/// A snapshot of Box2D's whole state.
pub struct SavedBox2d {
    snapshot: Snapshot,
    leaving: Vec<Leaving>,
}

impl SavedBox2d {
    pub(super) fn of(engine: &Box2d) -> Result<Self, PhysicsError> {
        let snapshot = engine.world.borrow().snapshot();
        Ok(Self {
            snapshot: snapshot.map_err(failed("save its state"))?,
            leaving: engine.leaving.clone(),
        })
    }

    /// Restores an engine to this state, and keeps the new ids.
    pub(super) fn restore(&self, engine: &mut Box2d) -> Result<(), PhysicsError> {
        let restored = engine.world.get_mut().restore(&self.snapshot);
        let restored = restored.map_err(failed("restore a state"))?;
        engine.hits.forget_world();
        engine.new_bodies.clear();
        engine.new_bodies.extend(restored.body_mappings());
        engine.new_shapes.clear();
        engine.new_shapes.extend(restored.shape_mappings());
        engine.leaving.clone_from(&self.leaving);
        for left in &mut engine.leaving {
            left.body = engine.new_bodies.get(&left.body).copied().unwrap_or(left.body);
        }
        Ok(())
    }
}
