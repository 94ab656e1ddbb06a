//! A delta filter that bounds deltas.

use core::time::Duration;

use crate::filter::DeltaFilter;
use crate::step::FixedTimestep;

/// Cuts off the part of a delta that exceeds the longest accepted delta, and counts it.
///
/// A [`FixedTimestep`] clamps deltas itself; use this before a filter that a hitch would disturb, or for your own simulation loop. Time
/// that is cut off is lost, so it is not part of the [`residual`](DeltaFilter::residual), which is always zero.
///
/// ```
/// use evenstep::filter::{Clamp, DeltaFilter};
/// use std::time::Duration;
///
/// let mut clamp = Clamp::default();
/// assert_eq!(clamp.apply(Duration::from_secs(3)), Duration::from_millis(250));
/// assert_eq!(clamp.lost(), Duration::from_millis(2_750));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Clamp {
    max_delta: Duration,
    lost: Duration,
}

impl Clamp {
    /// Cuts deltas off at `max_delta`. Zero lets no time pass.
    #[must_use]
    pub const fn at(max_delta: Duration) -> Self {
        Self {
            max_delta,
            lost: Duration::ZERO,
        }
    }

    /// All time that was cut off so far; saturates.
    #[must_use]
    pub const fn lost(&self) -> Duration {
        self.lost
    }
}

impl Default for Clamp {
    /// At 250 ms.
    fn default() -> Self {
        Self::at(FixedTimestep::DEFAULT_MAX_DELTA)
    }
}

impl DeltaFilter for Clamp {
    fn apply(&mut self, delta: Duration) -> Duration {
        self.lost = self.lost.saturating_add(delta.saturating_sub(self.max_delta));
        delta.min(self.max_delta)
    }

    fn residual(&self) -> i128 {
        0
    }

    fn max_lead(&self) -> Duration {
        Duration::ZERO
    }
}
