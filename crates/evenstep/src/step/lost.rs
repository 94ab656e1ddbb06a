//! Time that a frame lost, by reason.

use core::time::Duration;

#[cfg(feature = "tracing")]
use crate::time::{Tick, saturating_nanos};

/// Time that a frame lost, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lost<D = u64> {
    /// Real time cut off because the delta exceeded [`max_delta`](crate::FixedTimestep::max_delta). Nothing of it
    /// reached the simulation. Zero while the time scale is zero: time that does not pass is not lost.
    pub clamped: Duration,
    /// Real time of a known pause, between [`pause`](crate::FixedTimestep::pause) and the first frame after
    /// [`resume`](crate::FixedTimestep::resume), or before a [`resume_dropping`](crate::FixedTimestep::resume_dropping) without a pause.
    pub paused: Duration,
    /// Simulated time or steps that were due and were dropped. Of a [`FixedTimestep`](crate::FixedTimestep) whole steps, of one period of
    /// simulated time
    /// each, by [`Overrun`](crate::Overrun) or [`resume_dropping`](crate::FixedTimestep::resume_dropping); of a [`Schedule`](crate::schedule::Schedule) simulated time.
    pub dropped: D,
}

impl<D: Default + PartialEq> Lost<D> {
    /// Whether nothing was lost, apart from known pauses.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.clamped.is_zero() && self.dropped == D::default()
    }
}

#[cfg(feature = "tracing")]
impl<D: Default + PartialEq> Lost<D> {
    /// An event for subscribers of `tracing`, if time was lost: by a timestep at a tick whole steps, by a schedule, each of whose tasks
    /// counts its own ticks, any time.
    pub(crate) fn trace(&self, tick: Option<Tick>, dropped_steps: Option<u64>, dropped: Option<Duration>) {
        if self.is_none() && self.paused.is_zero() {
            return;
        }
        tracing::warn!(
            target: "evenstep",
            tick,
            clamped_ns = saturating_nanos(self.clamped),
            paused_ns = saturating_nanos(self.paused),
            dropped_steps,
            dropped_ns = dropped.map(saturating_nanos),
            "time lost"
        );
    }
}
