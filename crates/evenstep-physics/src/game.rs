use evenstep::Step;

use crate::contact::Contact;
use crate::engine::Engine;
use crate::error::PhysicsError;
use crate::world::World;

/// A program that takes part in the steps of a [`PhysicsSystem`](crate::PhysicsSystem).
///
/// A closure that takes the world and the step and may fail is one.
pub trait Game<E: Engine, U> {
    /// What a failing step of the program or of the engine is to the program.
    type Error: From<PhysicsError>;

    /// Its own code in a step, before controllers and the engine.
    ///
    /// # Errors
    ///
    /// The program's own; the step is refused then.
    fn step(&mut self, world: &mut World<E, U>, step: &Step) -> Result<(), Self::Error>;

    /// A contact of the step that was just done. It may create, remove and teleport bodies.
    ///
    /// # Errors
    ///
    /// The program's own. The step stands; contacts after this one are handed over before the next step.
    fn contact(&mut self, world: &mut World<E, U>, contact: &Contact<E>) -> Result<(), Self::Error> {
        let _ = (world, contact);
        Ok(())
    }
}

impl<E: Engine, U, X: From<PhysicsError>, F: FnMut(&mut World<E, U>, &Step) -> Result<(), X>> Game<E, U> for F {
    type Error = X;

    fn step(&mut self, world: &mut World<E, U>, step: &Step) -> Result<(), X> {
        self(world, step)
    }
}
