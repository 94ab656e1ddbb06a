//! The input of a step of the simulation.

use crate::input::InputQueue;
use crate::step::Step;

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
