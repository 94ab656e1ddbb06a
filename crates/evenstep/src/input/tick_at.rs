//! The step in which a moment of a frame falls.

use crate::numeric::mul256::mul_wide;
use crate::step::frame::Progress;
use crate::time::Tick;

impl Progress {
    /// The progress without single steps, which come without time. They lie before it, so that the simulation is ahead from
    /// the start of the frame on, also in the first frame of a [lookahead](crate::FixedTimestep::with_lookahead). Where no
    /// time passed, they take the input that there is.
    pub(super) fn without_single_steps(mut self, single_steps: u32) -> Self {
        let skipped = u128::from(single_steps) * self.per_step;
        let end = self.end.saturating_sub(skipped);
        if end > self.begin {
            self.begin += skipped;
        } else {
            self.end = end;
        }
        self
    }

    /// The step in which simulated time was at `since / interval` of the frame.
    pub(super) fn tick_at(&self, since: u128, interval: u128) -> Tick {
        let tick = self.first.saturating_add(self.steps_before(since, interval));
        tick.saturating_sub(self.early)
    }

    /// How many whole steps after the start of the first one simulated time was at `since / interval` of the frame.
    fn steps_before(&self, since: u128, interval: u128) -> Tick {
        if interval == 0 || self.end <= self.begin {
            return self.steps_at(self.begin.min(self.end));
        }
        let way = mul_wide(self.end - self.begin, since.min(interval));
        let (mut low, mut high) = (self.steps_at(self.begin), self.steps_at(self.end));
        while low < high {
            // Rounded up, without overflow.
            let middle = high - (high - low) / 2;
            let needed = u128::from(middle) * self.per_step - self.begin;
            if mul_wide(needed, interval) <= way {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        low
    }

    fn steps_at(&self, units: u128) -> Tick {
        Tick::try_from(units / self.per_step).unwrap_or(Tick::MAX)
    }
}
