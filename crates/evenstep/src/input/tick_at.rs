//! The step in which a moment of a frame falls.

use crate::step::frame::Progress;
use crate::time::Tick;

impl Progress {
    /// The progress without single steps, which come without time. They lie before it, so that the simulation is ahead from
    /// the start of the frame on, also in the first frame of a [lookahead](crate::FixedTimestep::with_lookahead). Where no
    /// time passed, they take the input that there is.
    pub(super) fn without_single_steps(mut self, single_steps: u32) -> Self {
        let skipped = u128::from(single_steps) * u128::from(self.per_step);
        let end = self.end.saturating_sub(skipped);
        if end > self.begin {
            self.begin += skipped;
        } else {
            self.end = end;
        }
        self
    }

    /// The step in which simulated time was at `since / interval` of the frame, both in nanoseconds.
    pub(super) fn tick_at(&self, since: u64, interval: u64) -> Tick {
        let (since, interval) = (u128::from(since.min(interval)), u128::from(interval));
        let at = match self.end.checked_sub(self.begin) {
            // Exact: a remainder is less than 2⁶⁴, as `since` is.
            Some(way) if interval > 0 => self.begin + way / interval * since + way % interval * since / interval,
            _ => self.begin.min(self.end),
        };
        let steps = Tick::try_from(at / u128::from(self.per_step)).unwrap_or(Tick::MAX);
        self.first.saturating_add(steps).saturating_sub(self.early)
    }
}
