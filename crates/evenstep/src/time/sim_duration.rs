//! Exact lengths of simulated time.

use core::time::Duration;

use crate::time::seconds::{Seconds, exact_seconds};

/// A length of simulated time, exact: the difference of two [instants](crate::SimTime).
///
/// A third of a second is one, which no number of nanoseconds can express. Conversions to [`Duration`] and floating point round,
/// and say how. Lengths are compared exactly.
///
/// ```
/// use evenstep::{FixedTimestep, Rate, SimDuration, Smoothing};
/// use std::time::Duration;
///
/// let frame = FixedTimestep::new(Rate::hz(100)).advance(Duration::from_millis(25));
/// assert_eq!(frame.overstep(), SimDuration::from(Duration::from_millis(5)));
/// assert_eq!((frame.shown_time(Smoothing::None) + frame.overstep()).as_secs_f64(), 0.025);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SimDuration(pub(super) Seconds);

impl SimDuration {
    /// No time.
    pub const ZERO: Self = Self(Seconds::ZERO);

    /// `units / (nano_units × 10⁹)` seconds.
    pub(crate) const fn new(units: u128, nano_units: u128) -> Self {
        Self(Seconds::new(units, nano_units))
    }

    /// Whether this is no time at all.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0.is_zero()
    }
}

exact_seconds!(SimDuration, "");

impl From<Duration> for SimDuration {
    fn from(duration: Duration) -> Self {
        Self(Seconds::of_duration(duration))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_convert_without_loss() {
        let duration = Duration::new(u64::MAX, 999_999_999);
        assert_eq!(SimDuration::from(duration).to_duration(), duration);
    }
}
