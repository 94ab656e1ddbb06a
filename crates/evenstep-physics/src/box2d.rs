//! Box2D v3 behind the engine's interface.

use std::cell::RefCell;

use boxdd::{BodyId, Foundation, FoundationConfig, WorkerCount};
use evenstep::poses::Motion2;
use rustc_hash::FxHashMap;

use crate::error::PhysicsError;
use crate::wrench::Wrench;

mod acting;
mod bodies;
mod contacts;
mod convert;
mod engine;
mod events;
mod hits;
mod native;
mod saved;

use convert::refused;
use events::Events;
use hits::Hits;

/// Solver iterations in a step, as Box2D recommends.
const SUB_STEPS: i32 = 4;

/// Box2D's world. It zeroes forces in every step, so one that lasts is set again each time.
pub struct Box2d {
    /// boxdd borrows a world for writing to read a body; nothing that borrows it outlives a method.
    world: RefCell<boxdd::World>,
    sub_steps: i32,
    slots: FxHashMap<BodyId, u32>,
    /// Bodies in the order in which the last step reported them: mostly that of the next step, too, which saves to look
    /// them up.
    reported: Vec<(BodyId, u32)>,
    events: Events,
    hits: Hits,
    /// What was done to bodies for the present step, to be taken back if it is refused.
    undo: Vec<Done>,
}

/// What was done to a body for a step.
struct Done {
    body: BodyId,
    force: Wrench<[f32; 2], f32>,
    /// Velocities before an impulse.
    before: Option<Motion2>,
}

/// Over a world that exists, with all that is in it; its bodies can be [adopted](crate::World::adopt).
impl From<boxdd::World> for Box2d {
    fn from(world: boxdd::World) -> Self {
        Self {
            world: RefCell::new(world),
            sub_steps: SUB_STEPS,
            slots: FxHashMap::default(),
            reported: Vec::new(),
            events: Events::default(),
            hits: Hits::default(),
            undo: Vec::new(),
        }
    }
}

impl Box2d {
    /// An empty world, with gravity in m/s².
    ///
    /// # Errors
    ///
    /// If Box2D refuses.
    pub fn new(gravity: [f32; 2]) -> Result<Self, PhysicsError> {
        Self::with_workers(gravity, 1)
    }

    /// An empty world that steps on several threads; its results are the same on any number.
    ///
    /// # Errors
    ///
    /// If Box2D refuses.
    pub fn with_workers(gravity: [f32; 2], workers: u32) -> Result<Self, PhysicsError> {
        let create = || {
            let foundation = match Foundation::get() {
                Some(foundation) => foundation,
                None => Foundation::initialize_default()?,
            };
            let count = WorkerCount::new(workers)?;
            foundation.create_world(
                foundation
                    .world_builder()
                    .gravity(gravity)
                    .worker_count(count)
                    .build()?,
            )
        };
        create()
            .map(Self::from)
            .map_err(|error| refused("create a world", &error))
    }

    /// Sets the unit of length for all of Box2D in this process: a `units_per_metre`-th of a metre. Box2D's thresholds
    /// are scaled with it. It must be called before the first world is made, and holds for good.
    ///
    /// # Errors
    ///
    /// If another unit holds already.
    pub fn set_units_per_metre(units_per_metre: f32) -> Result<(), PhysicsError> {
        let config = FoundationConfig::new(units_per_metre);
        Foundation::initialize(config)
            .map(|_| ())
            .map_err(|error| refused("set the unit of length", &error))
    }

    /// The same with another number of solver iterations in a step, at least 1.
    #[must_use]
    pub fn with_sub_steps(self, sub_steps: u32) -> Self {
        Self {
            sub_steps: i32::try_from(sub_steps.max(1)).unwrap_or(i32::MAX),
            ..self
        }
    }

    /// Box2D's own world.
    pub fn world_mut(&mut self) -> &mut boxdd::World {
        self.world.get_mut()
    }
}
