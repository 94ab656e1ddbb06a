//! Saves and restores a Box2D world.

use boxdd::{BodyId, ShapeId, Snapshot, SnapshotRestore};
use rustc_hash::FxHashMap;

use super::convert::failed;
use super::{Box2d, Leaving};
use crate::error::PhysicsError;

/// A snapshot of Box2D's whole state, and the slots of its bodies.
pub struct SavedBox2d {
    snapshot: Snapshot,
    slots: FxHashMap<BodyId, u32>,
    leaving: Vec<Leaving>,
}

impl SavedBox2d {
    pub(super) fn of(engine: &Box2d) -> Result<Self, PhysicsError> {
        Ok(Self {
            snapshot: snapshot(engine)?,
            slots: engine.slots.clone(),
            leaving: engine.leaving.clone(),
        })
    }

    /// Replaces this copy by the present state of an engine. boxdd allocates memory for each snapshot.
    pub(super) fn refill(&mut self, engine: &Box2d) -> Result<(), PhysicsError> {
        self.snapshot = snapshot(engine)?;
        self.slots.clone_from(&engine.slots);
        self.leaving.clone_from(&engine.leaving);
        Ok(())
    }

    /// Restores an engine to this state, and returns the new ids.
    pub(super) fn restore(&self, engine: &mut Box2d) -> Result<IdMap, PhysicsError> {
        let restored = engine.world.get_mut().restore(&self.snapshot);
        let new_ids = IdMap::from(&restored.map_err(failed("restore a state"))?);
        engine.reported.clear();
        engine.slots.clear();
        let slots = self.slots.iter();
        engine.slots.extend(slots.map(|(id, slot)| (new_ids.body(*id), *slot)));
        let leaving = self.leaving.iter();
        engine.leaving.clear();
        engine.leaving.extend(leaving.map(|left| Leaving {
            body: new_ids.body(left.body),
            ..*left
        }));
        Ok(new_ids)
    }
}

fn snapshot(engine: &Box2d) -> Result<Snapshot, PhysicsError> {
    let snapshot = engine.world.borrow().snapshot();
    snapshot.map_err(failed("save its state"))
}

/// The ids of bodies and shapes after a restore, by their former ids. boxdd's own lookup is a linear search.
pub(super) struct IdMap {
    bodies: FxHashMap<BodyId, BodyId>,
    shapes: FxHashMap<ShapeId, ShapeId>,
}

impl From<&SnapshotRestore> for IdMap {
    fn from(restored: &SnapshotRestore) -> Self {
        Self {
            bodies: restored.body_mappings().collect(),
            shapes: restored.shape_mappings().collect(),
        }
    }
}

impl IdMap {
    pub(super) fn body(&self, id: BodyId) -> BodyId {
        self.bodies.get(&id).copied().unwrap_or(id)
    }

    pub(super) fn shape(&self, id: ShapeId) -> ShapeId {
        self.shapes.get(&id).copied().unwrap_or(id)
    }
}
