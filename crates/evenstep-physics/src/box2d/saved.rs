//! Box2D put aside and put back.

use boxdd::{BodyId, ShapeId, Snapshot, SnapshotRestore};
use rustc_hash::FxHashMap;

use super::Box2d;
use super::convert::refused;
use super::events::Events;
use crate::error::PhysicsError;

/// All of Box2D's state, and which body is in which slot.
pub struct SavedBox2d {
    snapshot: Snapshot,
    slots: FxHashMap<BodyId, u32>,
    shapes: FxHashMap<ShapeId, (BodyId, u32)>,
}

impl SavedBox2d {
    pub(super) fn of(engine: &Box2d) -> Result<Self, PhysicsError> {
        Ok(Self {
            snapshot: snapshot(engine)?,
            slots: engine.slots.clone(),
            shapes: engine.events.bodies.clone(),
        })
    }

    /// Takes the state of an engine. boxdd makes each snapshot in memory of its own.
    pub(super) fn refill(&mut self, engine: &Box2d) -> Result<(), PhysicsError> {
        self.snapshot = snapshot(engine)?;
        self.slots.clone_from(&engine.slots);
        self.shapes.clone_from(&engine.events.bodies);
        Ok(())
    }

    /// Puts an engine back to this state.
    pub(super) fn put_back(&self, engine: &mut Box2d) -> Result<Renamed, PhysicsError> {
        let restored = engine.world.get_mut().restore(&self.snapshot);
        let renamed = Renamed::from(&restored.map_err(|error| refused("restore a state", &error))?);
        engine.reported.clear();
        engine.slots.clear();
        let slots = self.slots.iter();
        engine.slots.extend(slots.map(|(id, slot)| (renamed.body(*id), *slot)));
        let shapes = self.shapes.iter();
        let shapes = shapes.map(|(shape, (body, count))| (renamed.shape(*shape), (renamed.body(*body), *count)));
        engine.events = Events::of(shapes.collect());
        Ok(renamed)
    }
}

fn snapshot(engine: &Box2d) -> Result<Snapshot, PhysicsError> {
    let snapshot = engine.world.borrow().snapshot();
    snapshot.map_err(|error| refused("save its state", &error))
}

/// The ids that bodies and shapes have after a restore, by those that they had. boxdd looks through all of them for each.
pub(super) struct Renamed {
    bodies: FxHashMap<BodyId, BodyId>,
    shapes: FxHashMap<ShapeId, ShapeId>,
}

impl From<&SnapshotRestore> for Renamed {
    fn from(restored: &SnapshotRestore) -> Self {
        Self {
            bodies: restored.body_mappings().collect(),
            shapes: restored.shape_mappings().collect(),
        }
    }
}

impl Renamed {
    pub(super) fn body(&self, id: BodyId) -> BodyId {
        self.bodies.get(&id).copied().unwrap_or(id)
    }

    pub(super) fn shape(&self, id: ShapeId) -> ShapeId {
        self.shapes.get(&id).copied().unwrap_or(id)
    }
}
