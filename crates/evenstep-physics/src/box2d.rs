//! The Box2D v3 engine: its world, and the state that the [`Engine`](crate::Engine) implementation needs in addition.

use std::cell::RefCell;
use std::fmt;

use boxdd::{BodyId, Foundation, FoundationConfig, ShapeId, Snapshot, WorkerCount};
use rustc_hash::FxHashMap;

use crate::error::PhysicsError;

mod actions;
mod bodies;
mod contacts;
mod convert;
mod engine;
mod ffi;
mod hits;

use convert::failed;
use hits::Hits;

/// The number of solver sub-steps in a step: Box2D's recommendation.
const SUB_STEPS: i32 = 4;

/// A Box2D v3 world. Box2D clears forces after every step, so forces are applied again in each step.
pub struct Box2d {
    /// boxdd needs `&mut World` to read a body. No borrow outlives a method.
    world: RefCell<boxdd::World>,
    sub_steps: i32,
    hits: Hits,
    /// Bodies that were removed and that sensors still refer to.
    leaving: Vec<Leaving>,
    /// The new ids of bodies and shapes, by their ids in the state that was restored last. boxdd's own lookup is a linear search.
    new_bodies: FxHashMap<BodyId, BodyId>,
    new_shapes: FxHashMap<ShapeId, ShapeId>,
}

impl fmt::Debug for Box2d {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Box2d")
            .field("sub_steps", &self.sub_steps)
            .finish_non_exhaustive()
    }
}

/// A body that was removed. Box2D's sensors refer to the shapes that were in them for two more steps, and boxdd cannot save a world with a
/// sensor that refers to a shape that no longer exists. So the body is disabled at once, which ends its contacts and wakes the bodies that it
/// touched, and destroyed two steps later.
#[derive(Clone, Copy)]
struct Leaving {
    body: BodyId,
    /// The number of steps after which it is destroyed.
    steps: u8,
}

/// A snapshot of Box2D's whole state.
pub struct SavedBox2d {
    snapshot: Snapshot,
    leaving: Vec<Leaving>,
}

/// Wraps an existing world; its bodies can be [adopted](crate::World::adopt).
impl From<boxdd::World> for Box2d {
    fn from(world: boxdd::World) -> Self {
        Self {
            world: RefCell::new(world),
            sub_steps: SUB_STEPS,
            hits: Hits::default(),
            leaving: Vec::new(),
            new_bodies: FxHashMap::default(),
            new_shapes: FxHashMap::default(),
        }
    }
}

impl Box2d {
    /// An empty world, with gravity in m/s².
    ///
    /// # Errors
    ///
    /// If Box2D returns an error.
    pub fn new(gravity: [f32; 2]) -> Result<Self, PhysicsError> {
        Self::with_workers(gravity, 1)
    }

    /// An empty world that steps on `workers` threads. The results are bit-identical for any number of threads.
    ///
    /// # Errors
    ///
    /// If Box2D returns an error.
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
        create().map(Self::from).map_err(failed("create a world"))
    }

    /// Sets the unit of length of all Box2D worlds in this process to `1 / units_per_metre` metres. Box2D's thresholds are scaled with
    /// it. It must be called before the first world is created and cannot be changed later.
    ///
    /// ```standalone_crate
    /// use evenstep::{FixedTimestep, Rate};
    /// use evenstep_physics::{BodyDef, Box2d, PhysicsSystem, Shape};
    /// use std::time::Duration;
    ///
    /// // A game in pixels, 100 to a metre. Otherwise a body would fall no faster than 400 pixels a second.
    /// Box2d::set_units_per_metre(100.0)?;
    /// let mut physics = PhysicsSystem::new(Box2d::new([0.0, -981.0])?, FixedTimestep::new(Rate::hz(50)));
    /// let ball = physics.world_mut().create(&BodyDef::new(Shape::Ball(10.0)), ())?;
    /// for _ in 0..50 {
    ///     physics.update(Duration::from_millis(20), |_, _| {})?;
    /// }
    /// let motion = physics.world().motion(ball)?;
    /// assert!((motion.velocity[1] + 981.0).abs() < 1.0);
    /// assert!((480.0..500.0).contains(&-motion.pose.position[1])); // half of 9.81 m
    /// # Ok::<(), evenstep_physics::PhysicsError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If another unit is already set.
    pub fn set_units_per_metre(units_per_metre: f32) -> Result<(), PhysicsError> {
        let config = FoundationConfig::new(units_per_metre);
        let set = Foundation::initialize(config).map(|_| ());
        set.map_err(failed("set the unit of length"))
    }

    /// Sets the number of sub-steps of the solver in a step, at least 1.
    #[must_use]
    pub fn with_sub_steps(self, sub_steps: u32) -> Self {
        Self {
            sub_steps: i32::try_from(sub_steps.max(1)).unwrap_or(i32::MAX),
            ..self
        }
    }

    /// Box2D's own world.
    pub fn world_mut(&mut self) -> &mut boxdd::World {
        // The program may put another world in its place.
        self.hits.forget_world();
        self.world.get_mut()
    }
}
