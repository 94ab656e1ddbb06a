//! The controller trait, and a controller that is attached to bodies.

use evenstep::Step;

use crate::arena::BodyKey;
use crate::engine::Engine;
use crate::world::World;

/// Acts on bodies in every step, with forces and impulses.
///
/// Its state is saved and restored with the system, so it must be `Clone`. A system can be sent to another thread if its engine can, so a
/// controller must be `Send` and `Sync`.
pub trait Controller<E: Engine, U>: CloneController<E, U> + Send + Sync {
    /// Acts on one of the bodies to which it is attached, before the engine's step.
    fn control(&mut self, world: &mut World<E, U>, body: BodyKey, step: &Step);
}

/// Clones a boxed controller. Implemented for all controllers that are `Clone`.
pub trait CloneController<E: Engine, U> {
    /// A boxed copy of the controller.
    fn clone_boxed(&self) -> Box<dyn Controller<E, U>>;
}

impl<E: Engine, U, C: Controller<E, U> + Clone + 'static> CloneController<E, U> for C {
    fn clone_boxed(&self) -> Box<dyn Controller<E, U>> {
        Box::new(self.clone())
    }
}

/// The key of an attached controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ControllerKey(pub(crate) u64);

/// A controller and the bodies that it acts on.
pub(crate) struct Attachment<E: Engine, U> {
    pub(crate) key: ControllerKey,
    controller: Box<dyn Controller<E, U>>,
    bodies: Vec<BodyKey>,
}

impl<E: Engine, U> Clone for Attachment<E, U> {
    fn clone(&self) -> Self {
        Self {
            key: self.key,
            controller: self.controller.clone_boxed(),
            bodies: self.bodies.clone(),
        }
    }
}

impl<E: Engine, U> Attachment<E, U> {
    pub(crate) fn new(key: ControllerKey, controller: impl Controller<E, U> + 'static, bodies: &[BodyKey]) -> Self {
        Self {
            key,
            controller: Box::new(controller),
            bodies: bodies.to_vec(),
        }
    }

    /// Acts on the attached bodies that still exist.
    pub(crate) fn control(&mut self, world: &mut World<E, U>, step: &Step) {
        self.bodies.retain(|body| {
            let exists = world.contains(*body);
            if exists {
                self.controller.control(world, *body, step);
            }
            exists
        });
    }
}
