//! Exact lengths of simulated time.

use core::fmt;
use core::time::Duration;

use crate::time::seconds::Seconds;

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

    /// `units` of which there are `nano_units` billion in a second.
    pub(crate) const fn new(units: u128, nano_units: u128) -> Self {
        Self(Seconds::new(units, nano_units))
    }

    /// Whole seconds.
    #[must_use]
    pub const fn secs(self) -> u64 {
        self.0.whole()
    }

    /// The part beside the whole [seconds](Self::secs): a fraction of a second below 1, as (numerator,
    /// denominator) in lowest terms.
    #[must_use]
    pub const fn subsec(self) -> (u128, u128) {
        self.0.fraction()
    }

    /// Whether this is no time at all.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0.is_zero()
    }

    /// Seconds, to within two units in the last place.
    #[must_use]
    pub const fn as_secs_f64(self) -> f64 {
        self.0.as_f64()
    }

    /// Seconds, to within one unit in the last place.
    #[must_use]
    pub const fn as_secs_f32(self) -> f32 {
        self.0.as_f64() as f32
    }

    /// Whole nanoseconds, rounded down.
    #[must_use]
    pub const fn to_duration(self) -> Duration {
        self.0.to_duration()
    }
}

impl From<Duration> for SimDuration {
    fn from(duration: Duration) -> Self {
        Self(Seconds::of_duration(duration))
    }
}

impl Default for SimDuration {
    fn default() -> Self {
        Self::ZERO
    }
}

impl fmt::Debug for SimDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
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
