//! The program's own code in the steps of a system.

use evenstep::Step;

use crate::contact::Contact;
use crate::engine::Engine;
use crate::error::PhysicsError;
use crate::world::World;

/// The program's own code in the steps of a [`PhysicsSystem`](crate::PhysicsSystem).
///
/// It is implemented for closures `FnMut(&mut World, &Step) -> Result<(), Error>`.
pub trait StepHandler<E: Engine, U> {
    /// The program's error type, which errors of the engine convert into.
    type Error: From<PhysicsError>;

    /// Runs the program's own code in a step, before the controllers and the engine. Does nothing by default.
    ///
    /// # Errors
    ///
    /// Errors of the program itself; the step is then rolled back.
    fn step(&mut self, world: &mut World<E, U>, step: &Step) -> Result<(), Self::Error> {
        let _ = (world, step);
        Ok(())
    }

    /// Receives a contact of the last step. It may create, remove and teleport bodies. Does nothing by default.
    ///
    /// # Errors
    ///
    /// Errors of the program itself. The step is not rolled back; the contacts after this one are delivered before the next step.
    fn contact(&mut self, world: &mut World<E, U>, contact: &Contact<E>) -> Result<(), Self::Error> {
        let _ = (world, contact);
        Ok(())
    }
}

impl<E: Engine, U, X: From<PhysicsError>, F: FnMut(&mut World<E, U>, &Step) -> Result<(), X>> StepHandler<E, U> for F {
    type Error = X;

    fn step(&mut self, world: &mut World<E, U>, step: &Step) -> Result<(), X> {
        self(world, step)
    }
}
