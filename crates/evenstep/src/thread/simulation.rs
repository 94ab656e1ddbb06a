//! The trait of simulations that can run on a thread of their own.

use crate::step::Step;
use crate::thread::StepInput;

/// A simulation that runs on a [`SimThread`](super::SimThread).
pub trait Simulation {
    /// Input from the renderer.
    type Input: Send + 'static;
    /// The state to draw: a copy of the part of the state that the renderer needs.
    type Snapshot: Clone + Send + 'static;

    /// Runs a step, with the input of its time.
    fn step(&mut self, step: &Step, input: &mut StepInput<'_, Self::Input>);

    /// The current state for drawing.
    fn snapshot(&self) -> Self::Snapshot;
}
