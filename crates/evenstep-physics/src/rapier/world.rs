//! The Rapier engine: its world, and the state that the [`Engine`](crate::Engine) implementation needs in addition. The code is shared by
//! rapier2d and rapier3d.

use super::dim::{self, rapier};
use super::events::Collector;
use crate::engine::VectorOf;
use rapier::prelude::{AngVector, PhysicsHooks, PhysicsWorld, RigidBodyHandle, Vector};
use std::fmt;

/// A Rapier world. Rapier keeps forces until they are reset, so the forces of a step are removed after it.
pub struct Rapier {
    pub(super) world: PhysicsWorld,
    pub(super) hooks: Box<dyn PhysicsHooks + Send + Sync>,
    pub(super) events: Collector,
    /// The bodies on which a force acts in the step, with the force and torque that the program itself has applied to each.
    pub(super) own_forces: Vec<(RigidBodyHandle, Vector, AngVector)>,
    /// Whether the program may have changed masses, which Rapier recomputes at the start of its next step.
    pub(super) has_stale_masses: bool,
}

impl fmt::Debug for Rapier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rapier")
            .field("bodies", &self.world.bodies.len())
            .finish_non_exhaustive()
    }
}

/// Wraps an existing world; its bodies can be [adopted](crate::World::adopt).
impl From<PhysicsWorld> for Rapier {
    fn from(world: PhysicsWorld) -> Self {
        Self {
            world,
            hooks: Box::new(()),
            events: Collector::default(),
            own_forces: Vec::new(),
            has_stale_masses: true,
        }
    }
}

impl Rapier {
    /// An empty world, with gravity in m/s².
    #[must_use]
    pub fn new(gravity: VectorOf<Self>) -> Self {
        Self::with_length_unit(gravity, 1.0)
    }

    /// An empty world with `length_unit` units of length per metre, such as 100 for a game in pixels with 100 pixels per metre. Rapier's
    /// thresholds are scaled with it. `gravity` is in units/s².
    #[must_use]
    pub fn with_length_unit(gravity: VectorOf<Self>, length_unit: f32) -> Self {
        let mut world = PhysicsWorld::new();
        world.gravity = dim::vector(gravity);
        world.integration_parameters.length_unit = length_unit;
        Self::from(world)
    }

    /// Sets the program's own physics hooks, which filter and modify contacts: for collision filters, one-way platforms and conveyor
    /// belts. They are not saved.
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

    /// Rapier's own world, mutably.
    pub const fn world_mut(&mut self) -> &mut PhysicsWorld {
        self.has_stale_masses = true;
        &mut self.world
    }
}
