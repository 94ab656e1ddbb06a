//! The trait of simulations that can run on a thread of their own, and the input of their steps.

use crate::input::InputQueue;
use crate::step::Step;

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

/// The input of a step, oldest first.
#[derive(Debug)]
pub struct StepInput<'a, I> {
    pub(super) step: &'a Step,
    pub(super) queue: &'a mut InputQueue<I>,
}

impl<I> Iterator for StepInput<'_, I> {
    type Item = I;

    fn next(&mut self) -> Option<I> {
        self.queue.next(self.step)
    }
}
