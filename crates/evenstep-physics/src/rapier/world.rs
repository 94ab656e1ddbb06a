//! Rapier's world, with what the world around it needs; the same code for the plane and for space.

use super::dim::{self, rapier};
use super::events::Collector;
use crate::engine::VectorOf;
use rapier::prelude::{AngVector, PhysicsHooks, PhysicsWorld, RigidBodyHandle, Vector};

/// Rapier's world. Its forces last until they are reset, so those of a step are taken back after it.
pub struct Rapier {
    pub(super) world: PhysicsWorld,
    pub(super) hooks: Box<dyn PhysicsHooks + Send + Sync>,
    pub(super) events: Collector,
    /// By indices of bodies: the generation and the slot of those that are adopted.
    pub(super) slots: Vec<Option<(u32, u32)>>,
    /// Bodies on which a force acts in the step, and the force that the program itself has put on each.
    pub(super) pushed: Vec<(RigidBodyHandle, Vector, AngVector)>,
    /// Whether the program may have given bodies masses that Rapier counts from its next step on.
    pub(super) is_unsettled: bool,
}

/// Over a world that exists, with all that is in it; its bodies can be [adopted](crate::World::adopt).
impl From<PhysicsWorld> for Rapier {
    fn from(world: PhysicsWorld) -> Self {
        Self {
            world,
            hooks: Box::new(()),
            events: Collector::default(),
            slots: Vec::new(),
            pushed: Vec::new(),
            is_unsettled: true,
        }
    }
}

impl Rapier {
    /// An empty world, with gravity in m/s².
    #[must_use]
    pub fn new(gravity: VectorOf<Self>) -> Self {
        Self::with_length_unit(gravity, 1.0)
    }

    /// An empty world whose unit of length is a `length_unit`-th of a metre, such as 100 for a game in pixels of which
    /// 100 make a metre. Rapier's thresholds are scaled with it. `gravity` is in that unit.
    #[must_use]
    pub fn with_length_unit(gravity: VectorOf<Self>, length_unit: f32) -> Self {
        let mut world = PhysicsWorld::new();
        world.gravity = dim::vector(gravity);
        world.integration_parameters.length_unit = length_unit;
        Self::from(world)
    }

    /// The same with the program's own hooks: which contacts there are, and how they are solved. Filters, one-way
    /// platforms and conveyor belts are made of them. They are not saved.
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

    /// Rapier's own world, to be changed.
    pub const fn world_mut(&mut self) -> &mut PhysicsWorld {
        self.is_unsettled = true;
        &mut self.world
    }
}
