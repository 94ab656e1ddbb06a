//! Exact fractions of 128 bits, and the conversion of seconds to nanoseconds.

use core::time::Duration;

use evenstep::{SimDuration, SimTime};

use crate::error::Error;

/// An exact time: whole seconds and a fraction of a second below 1, in lowest terms. The fraction's numerator and denominator
/// have 128 bits, in two halves; for most rates and scales the high halves are zero.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exact {
    /// Whole seconds.
    pub seconds: u64,
    /// The numerator of the fraction of a second, its high 64 bits.
    pub numer_high: u64,
    /// Its low 64 bits.
    pub numer_low: u64,
    /// The denominator of the fraction of a second, its high 64 bits.
    pub denom_high: u64,
    /// Its low 64 bits; the denominator is never zero.
    pub denom_low: u64,
}

impl Exact {
    fn new(seconds: u64, (numer, denom): (u128, u128)) -> Self {
        Self {
            seconds,
            numer_high: (numer >> 64) as u64,
            numer_low: numer as u64,
            denom_high: (denom >> 64) as u64,
            denom_low: denom as u64,
        }
    }

    /// The time in seconds, rounded to a floating-point number.
    #[must_use]
    pub fn as_secs_f64(&self) -> f64 {
        let whole = |high: u64, low: u64| high as f64 * 18_446_744_073_709_551_616.0 + low as f64;
        let denom = whole(self.denom_high, self.denom_low);
        let fraction = if denom > 0.0 {
            whole(self.numer_high, self.numer_low) / denom
        } else {
            0.0
        };
        self.seconds as f64 + fraction
    }
}

impl From<SimTime> for Exact {
    fn from(time: SimTime) -> Self {
        Self::new(time.secs(), time.subsec())
    }
}

impl From<SimDuration> for Exact {
    fn from(length: SimDuration) -> Self {
        Self::new(length.secs(), length.subsec())
    }
}

/// Converts seconds, as some clocks return them, to whole nanoseconds, rounded to the nearest.
///
/// # Errors
///
/// [`Error::NotFinite`], [`Error::Negative`], and [`Error::Range`] beyond 292 years.
pub fn nanoseconds(seconds: f64) -> Result<i64, Error> {
    let nanos = seconds * 1e9 + 0.5;
    match seconds {
        _ if !seconds.is_finite() => Err(Error::NotFinite),
        _ if seconds < 0.0 => Err(Error::Negative),
        _ if nanos >= i64::MAX as f64 => Err(Error::Range),
        _ => Ok(nanos as i64),
    }
}

/// Nanoseconds as a duration, or an error if they are negative.
pub(crate) const fn duration(nanos: i64) -> Result<Duration, Error> {
    if nanos < 0 {
        return Err(Error::Negative);
    }
    Ok(Duration::from_nanos(nanos as u64))
}

/// A duration in nanoseconds, saturated at the largest `i64`.
#[inline]
pub(crate) fn nanos(length: Duration) -> i64 {
    if length.is_zero() {
        return 0;
    }
    i64::try_from(length.as_nanos()).unwrap_or(i64::MAX)
}
