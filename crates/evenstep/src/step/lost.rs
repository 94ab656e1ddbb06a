//! Time that a frame gave up, by reason.

use core::time::Duration;

use crate::time::SimDuration;

/// Time that a frame gave up, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lost<D = u64> {
    /// Real time cut off because the delta exceeded [`max_delta`](crate::FixedTimestep::max_delta). Nothing of it
    /// reached the simulation. Zero while the time scale is zero: time that does not pass is not lost.
    pub clamped: Duration,
    /// Real time of a known pause, between [`suspend`](crate::FixedTimestep::suspend) and the first frame after
    /// [`resume`](crate::FixedTimestep::resume), or before a [`resync`](crate::FixedTimestep::resync).
    pub suspended: Duration,
    /// What was due and was dropped. Of a [`FixedTimestep`](crate::FixedTimestep) whole steps, of one period of simulated time
    /// each, by [`Overrun`](crate::Overrun) or `resync`; of a [`Schedule`](crate::schedule::Schedule) simulated time.
    pub dropped: D,
    /// Simulated time rounded away, below a billionth of a step. Zero unless the [time scale](crate::TimeScale)
    /// changed between fractions whose common denominator exceeds 32 bits.
    pub rounded: SimDuration,
}

impl<D: Default + PartialEq> Lost<D> {
    /// Whether nothing was given up, known pauses aside.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.clamped.is_zero() && self.dropped == D::default() && self.rounded.is_zero()
    }
}
