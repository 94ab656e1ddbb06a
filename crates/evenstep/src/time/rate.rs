//! Rates as rational numbers of hertz.

use core::num::NonZeroU32;

use crate::time::ratio::{self, RatioError};

/// An exact frequency in hertz: a ratio of two integers, never a rounded period.
///
/// 60 Hz written as a period of 16 666 667 ns drifts by 20 ns every second. A rate has no such error, and rates that
/// are not whole, such as the 60000/1001 Hz of NTSC video, are as exact as any other.
///
/// ```
/// use evenstep::Rate;
///
/// let game = Rate::hz(60);
/// let video = Rate::new(60_000, 1_001)?;
/// assert_eq!("59.94".parse::<Rate>()?, Rate::new(5_994, 100)?);
/// assert!(video < game);
/// # Ok::<(), evenstep::RatioError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "(u32, u32)", into = "(u32, u32)"))]
pub struct Rate {
    numer: NonZeroU32,
    denom: NonZeroU32,
}

impl Rate {
    /// A whole number of hertz, for literals.
    ///
    /// # Panics
    ///
    /// If `hertz` is zero, at compile time in a `const`. For a number that is not a literal, use [`Rate::new`].
    #[must_use]
    #[track_caller]
    pub const fn hz(hertz: u32) -> Self {
        match NonZeroU32::new(hertz) {
            Some(numer) => Self {
                numer,
                denom: NonZeroU32::MIN,
            },
            None => panic!("a rate must be above zero"),
        }
    }

    /// `numer / denom` hertz, in lowest terms.
    ///
    /// # Errors
    ///
    /// [`RatioError::Zero`] and [`RatioError::ZeroDenominator`].
    pub const fn new(numer: u32, denom: u32) -> Result<Self, RatioError> {
        match ratio::reduce(numer as u64, denom as u64) {
            Ok(terms) => Self::from_terms(terms),
            Err(error) => Err(error),
        }
    }

    const fn from_terms((numer, denom): (u32, u32)) -> Result<Self, RatioError> {
        match (NonZeroU32::new(numer), NonZeroU32::new(denom)) {
            (Some(numer), Some(denom)) => Ok(Self { numer, denom }),
            (None, _) => Err(RatioError::Zero),
            (_, None) => Err(RatioError::ZeroDenominator),
        }
    }

    /// The numerator of the frequency in hertz, in lowest terms.
    #[must_use]
    pub const fn numer(self) -> u32 {
        self.numer.get()
    }

    /// The denominator of the frequency in hertz, in lowest terms.
    #[must_use]
    pub const fn denom(self) -> u32 {
        self.denom.get()
    }

    /// The frequency in hertz, rounded to the nearest `f64`.
    #[must_use]
    pub const fn as_hz_f64(self) -> f64 {
        self.numer() as f64 / self.denom() as f64
    }

    /// The period in seconds, rounded to the nearest `f64`. This is the `dt` of every step at this rate.
    #[must_use]
    pub const fn period_secs_f64(self) -> f64 {
        self.denom() as f64 / self.numer() as f64
    }

    /// The period in whole nanoseconds, rounded down: zero above a gigahertz. Adding it up drifts; times of ticks come from
    /// [`SimTime::at_tick`](crate::SimTime::at_tick).
    #[must_use]
    pub const fn period_nanos(self) -> u64 {
        self.denom() as u64 * 1_000_000_000 / self.numer() as u64
    }
}

/// The units of 1/`numer` ns in which a timestep [counts](crate::step): a step and a nanosecond are whole numbers of them.
impl Rate {
    /// Less than 2⁶².
    pub(crate) const fn units_per_step(self) -> u64 {
        self.denom() as u64 * 1_000_000_000
    }

    pub(crate) const fn units_per_nano(self) -> u64 {
        self.numer() as u64
    }
}

ratio::ratio_traits!(Rate, " Hz");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_kept_in_lowest_terms() {
        assert_eq!(Rate::new(120_000, 2_002), Rate::new(60_000, 1_001));
        assert_eq!(Rate::new(120, 2), Ok(Rate::hz(60)));
    }

    #[test]
    fn decimals_and_fractions_are_read_exactly() {
        assert_eq!("59.94".parse(), Rate::new(2_997, 50));
        assert_eq!("60.000".parse(), Ok(Rate::hz(60)));
        assert_eq!(" 60000 / 1001 ".parse(), Rate::new(60_000, 1_001));
        assert_eq!("0.5".parse(), Rate::new(1, 2));
    }

    #[test]
    fn an_invalid_rate_names_the_reason() {
        for (text, error) in [
            ("0", RatioError::Zero),
            ("0/7", RatioError::Zero),
            ("60/0", RatioError::ZeroDenominator),
            ("-60", RatioError::Negative),
            ("NaN", RatioError::NotANumber),
            ("inf", RatioError::NotANumber),
            ("", RatioError::NotANumber),
            ("60.", RatioError::NotANumber),
            ("60.x", RatioError::NotANumber),
            ("1e3", RatioError::NotANumber),
            ("5000000000", RatioError::OutOfRange),
            ("99999999999999999999999", RatioError::OutOfRange),
            ("0.00000000000000000000000001", RatioError::OutOfRange),
        ] {
            assert_eq!(text.parse::<Rate>(), Err(error), "{text}");
        }
    }

    #[test]
    fn rates_order_by_frequency() {
        assert!(Rate::new(60_000, 1_001).unwrap() < Rate::hz(60));
        assert!(Rate::new(1, u32::MAX).unwrap() < Rate::new(1, u32::MAX - 1).unwrap());
    }
}
