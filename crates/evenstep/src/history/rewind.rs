//! The trait of simulations that can be stored and restored.

use crate::step::Step;

/// A simulation that can be saved, restored and stepped again with the same result.
pub trait Rewind {
    /// The state at a moment.
    type Saved;
    /// Everything that a step depends on, beside the state.
    type Input;

    /// The state as it is now.
    fn save(&self) -> Self::Saved;

    /// The same into a state that is not needed any more, whose memory can be used again. By default it is not.
    fn save_into(&self, saved: &mut Self::Saved) {
        *saved = self.save();
    }

    /// Restores a saved state.
    fn restore(&mut self, saved: &Self::Saved);

    /// Runs one step. The same state and input must lead to the same state.
    fn step(&mut self, step: &Step, input: &Self::Input);
}
