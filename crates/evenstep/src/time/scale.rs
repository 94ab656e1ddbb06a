//! The ratio of simulated to real time.

use core::num::NonZeroU32;

use crate::time::ratio::{self, RatioError};

/// How fast simulated time runs against real time: an exact ratio. 0 is a pause, 1/10 slow motion, 3/1 fast forward.
///
/// The scale changes how many steps run in a second, never how long a step is, so a game in slow motion goes through
/// the same states as at full speed.
///
/// ```
/// use evenstep::TimeScale;
///
/// let slow_motion = TimeScale::new(1, 10)?;
/// assert!(slow_motion < TimeScale::NORMAL);
/// assert_eq!("0.1".parse::<TimeScale>()?, slow_motion);
/// # Ok::<(), evenstep::RatioError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "(u32, u32)", into = "(u32, u32)"))]
pub struct TimeScale {
    numer: u32,
    denom: NonZeroU32,
}

impl TimeScale {
    /// Simulated time stands still.
    pub const PAUSED: Self = Self::integer(0);

    /// Simulated time runs as fast as real time.
    pub const NORMAL: Self = Self::integer(1);

    const fn integer(numer: u32) -> Self {
        Self {
            numer,
            denom: NonZeroU32::MIN,
        }
    }

    /// `numer / denom` simulated seconds per real second, in lowest terms.
    ///
    /// # Errors
    ///
    /// [`RatioError::ZeroDenominator`].
    pub const fn new(numer: u32, denom: u32) -> Result<Self, RatioError> {
        match ratio::reduce(numer as u64, denom as u64) {
            Ok(terms) => Self::from_terms(terms),
            Err(error) => Err(error),
        }
    }

    /// The ratio of two 32-bit numbers that is nearest to a number, for a scale that was measured: within 2⁻³² of it from 0 to 1. A
    /// number below 2⁻³³ is a pause.
    ///
    /// ```
    /// use evenstep::TimeScale;
    ///
    /// assert_eq!(TimeScale::from_f64(0.1)?, TimeScale::new(1, 10)?);
    /// let display = TimeScale::from_f64(59.997 / 59.7275)?; // a display's measured rate by the steps' rate
    /// assert_eq!(display.as_f64(), 59.997 / 59.7275);
    /// # Ok::<(), evenstep::RatioError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`RatioError::NotANumber`] for NaN, [`RatioError::Negative`] below zero and [`RatioError::OutOfRange`] above `u32::MAX`.
    pub fn from_f64(ratio: f64) -> Result<Self, RatioError> {
        Self::from_terms(ratio::nearest(ratio)?)
    }

    const fn from_terms((numer, denom): (u32, u32)) -> Result<Self, RatioError> {
        match NonZeroU32::new(denom) {
            Some(denom) => Ok(Self { numer, denom }),
            None => Err(RatioError::ZeroDenominator),
        }
    }

    /// The numerator, in lowest terms.
    #[must_use]
    pub const fn numer(self) -> u32 {
        self.numer
    }

    /// The denominator, in lowest terms.
    #[must_use]
    pub const fn denom(self) -> u32 {
        self.denom.get()
    }

    /// Both scales together, exact: a game's own slow motion times the slew of a clock. None if the
    /// product has terms beyond 32 bits.
    ///
    /// ```
    /// use evenstep::TimeScale;
    ///
    /// let (slow_motion, faster) = (TimeScale::new(1, 10)?, TimeScale::new(101, 100)?);
    /// assert_eq!(slow_motion.checked_mul(faster), Some(TimeScale::new(101, 1000)?));
    /// assert_eq!(TimeScale::new(u32::MAX, 1)?.checked_mul(faster), None);
    /// # Ok::<(), evenstep::RatioError>(())
    /// ```
    #[must_use]
    pub fn checked_mul(self, other: Self) -> Option<Self> {
        let numer = u64::from(self.numer) * u64::from(other.numer);
        let denom = u64::from(self.denom()) * u64::from(other.denom());
        ratio::reduce(numer, denom).and_then(Self::from_terms).ok()
    }

    /// Whether simulated time stands still.
    #[must_use]
    pub const fn is_paused(self) -> bool {
        self.numer == 0
    }

    /// The ratio, rounded to the nearest `f64`.
    #[must_use]
    pub const fn as_f64(self) -> f64 {
        self.numer as f64 / self.denom() as f64
    }
}

impl Default for TimeScale {
    fn default() -> Self {
        Self::NORMAL
    }
}

ratio::ratio_traits!(TimeScale, "");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_is_kept_in_lowest_terms_and_ordered_by_value() {
        assert_eq!(TimeScale::new(10, 100), TimeScale::new(1, 10));
        assert_eq!(TimeScale::new(0, 7), Ok(TimeScale::PAUSED));
        assert!(TimeScale::new(1, 3).unwrap() < TimeScale::new(2, 5).unwrap());
    }

    #[test]
    fn numbers_that_are_no_scale_are_refused() {
        for (number, error) in [
            (f64::NAN, RatioError::NotANumber),
            (-f64::MIN_POSITIVE, RatioError::Negative),
            (f64::NEG_INFINITY, RatioError::Negative),
            (f64::INFINITY, RatioError::OutOfRange),
            (f64::from(u32::MAX) + 0.25, RatioError::OutOfRange),
        ] {
            assert_eq!(TimeScale::from_f64(number), Err(error), "{number}");
        }
        for (number, terms) in [
            (0.0, (0, 1)),
            (-0.0, (0, 1)),
            (f64::MIN_POSITIVE, (0, 1)),
            (1e-10, (0, 1)),
            (1.2e-10, (1, u32::MAX)),
            (1.0 + f64::EPSILON, (1, 1)),
            (1.0 / 3.0, (1, 3)),
            (60.0 / 59.94, (1000, 999)),
            (f64::from(u32::MAX), (u32::MAX, 1)),
            (f64::from(u32::MAX) - 0.75, (u32::MAX - 1, 1)),
        ] {
            assert_eq!(TimeScale::from_f64(number).map(Into::into), Ok(terms), "{number}");
        }
    }

    #[test]
    fn a_denominator_of_zero_is_refused() {
        assert_eq!(TimeScale::new(1, 0), Err(RatioError::ZeroDenominator));
        assert_eq!("1/0".parse::<TimeScale>(), Err(RatioError::ZeroDenominator));
        assert_eq!("-1".parse::<TimeScale>(), Err(RatioError::Negative));
    }
}
