use core::cmp::Ordering;
use core::fmt;
use core::time::Duration;

use crate::time::Rate;
use crate::time::ratio::gcd;
use crate::wide::product;

/// Index of a step, counted from 0. Tick `n` carries the simulation from time `n × period` to `(n + 1) × period`.
pub type Tick = u64;

pub(crate) const NANOS_PER_SEC: u32 = 1_000_000_000;

/// A point or a length of simulated time, exact: whole seconds and a fraction of integers.
///
/// Tick 1 of a 60 Hz simulation ends at 1/60 s, which no number of nanoseconds can say. Conversions to [`Duration`]
/// and floating point round, and say how. Times are compared exactly, also between different rates.
///
/// ```
/// use evenstep::{Rate, SimTime};
/// use std::time::Duration;
///
/// let third_step = SimTime::at_tick(3, Rate::hz(60));
/// assert_eq!(third_step, SimTime::from(Duration::from_millis(50)));
/// assert_eq!(third_step.as_secs_f64(), 0.05);
/// assert_eq!(SimTime::at_tick(1, Rate::hz(60)).to_duration(), Duration::from_nanos(16_666_666));
/// ```
#[derive(Clone, Copy)]
pub struct SimTime {
    secs: u64,
    /// Below `denom`.
    numer: u128,
    /// At most 2^126, and a multiple of a billion.
    denom: u128,
}

impl SimTime {
    /// No time, or the start of the simulation.
    pub const ZERO: Self = Self::new(0, 1);

    /// `units` of which there are `nano_units` billion in a second.
    pub(crate) const fn new(units: u128, nano_units: u128) -> Self {
        let denom = nano_units * NANOS_PER_SEC as u128;
        Self::saturating(units / denom, units % denom, denom)
    }

    /// Cut off at `u64::MAX` seconds, where no fraction counts any more.
    const fn saturating(secs: u128, numer: u128, denom: u128) -> Self {
        if secs >= u64::MAX as u128 {
            let secs = u64::MAX;
            return Self { secs, numer: 0, denom };
        }
        Self {
            secs: secs as u64,
            numer,
            denom,
        }
    }

    /// The time at which tick `tick` starts, and tick `tick - 1` ends. Saturates at `u64::MAX` seconds.
    #[must_use]
    pub const fn at_tick(tick: Tick, rate: Rate) -> Self {
        let numer = rate.numer() as u128;
        let elapsed = tick as u128 * rate.denom() as u128;
        let (secs, rest) = (elapsed / numer, elapsed % numer);
        Self::saturating(secs, rest * NANOS_PER_SEC as u128, numer * NANOS_PER_SEC as u128)
    }

    /// The time `units` after this one, where `nano_units` billion make a second. This time's own denominator must
    /// divide theirs.
    pub(crate) const fn after(self, units: u128, nano_units: u128) -> Self {
        let span = Self::new(units, nano_units);
        let numer = self.numer * (span.denom / self.denom) + span.numer;
        let secs = self.secs as u128 + span.secs as u128 + numer / span.denom;
        Self::saturating(secs, numer % span.denom, span.denom)
    }

    /// This time in units of which so many, less than 2^64, make a second; rounded up. Its own denominator must be less than
    /// 2^64.
    #[cfg(feature = "alloc")]
    pub(crate) const fn units_up(self, per_sec: u128) -> u128 {
        (self.secs as u128 * per_sec).saturating_add((self.numer * per_sec).div_ceil(self.denom))
    }

    /// Seconds since an earlier time, correctly rounded unless the two share hardly a divisor.
    #[cfg(feature = "alloc")]
    pub(crate) fn secs_since(self, earlier: Self) -> f64 {
        let whole = (self.secs - earlier.secs) as f64;
        let common = gcd(self.denom, earlier.denom);
        let mine = self.numer.checked_mul(earlier.denom / common);
        let theirs = earlier.numer.checked_mul(self.denom / common);
        let denom = self.denom as f64 * (earlier.denom / common) as f64;
        match (mine, theirs) {
            (Some(mine), Some(theirs)) if mine >= theirs => whole + (mine - theirs) as f64 / denom,
            (Some(mine), Some(theirs)) => whole - (theirs - mine) as f64 / denom,
            _ => whole + (self.numer as f64 / self.denom as f64 - earlier.numer as f64 / earlier.denom as f64),
        }
    }

    /// Whole seconds.
    #[must_use]
    pub const fn secs(self) -> u64 {
        self.secs
    }

    /// What is left beside the whole [seconds](Self::secs): a fraction of a second below 1, as (numerator,
    /// denominator) in lowest terms.
    #[must_use]
    pub const fn subsec(self) -> (u128, u128) {
        let divisor = gcd(self.numer, self.denom);
        (self.numer / divisor, self.denom / divisor)
    }

    /// Whether this is no time at all.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.secs == 0 && self.numer == 0
    }

    /// Seconds, to within two units in the last place.
    #[must_use]
    pub const fn as_secs_f64(self) -> f64 {
        self.secs as f64 + self.numer as f64 / self.denom as f64
    }

    /// Seconds, to within one unit in the last place.
    #[must_use]
    pub const fn as_secs_f32(self) -> f32 {
        self.as_secs_f64() as f32
    }

    /// Whole nanoseconds, rounded down.
    #[must_use]
    pub const fn to_duration(self) -> Duration {
        let nanos = self.numer / (self.denom / NANOS_PER_SEC as u128);
        Duration::new(self.secs, nanos as u32)
    }
}

impl From<Duration> for SimTime {
    fn from(duration: Duration) -> Self {
        Self {
            secs: duration.as_secs(),
            numer: u128::from(duration.subsec_nanos()),
            denom: u128::from(NANOS_PER_SEC),
        }
    }
}

impl Default for SimTime {
    fn default() -> Self {
        Self::ZERO
    }
}

impl Ord for SimTime {
    fn cmp(&self, other: &Self) -> Ordering {
        let fractions = || product(self.numer, other.denom).cmp(&product(other.numer, self.denom));
        self.secs.cmp(&other.secs).then_with(fractions)
    }
}

impl PartialOrd for SimTime {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for SimTime {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for SimTime {}

/// As many nanoseconds, or the longest time that there is.
pub(crate) fn duration_from_nanos(nanos: u128) -> Duration {
    let (secs, nanos) = (nanos / NANOS_PER_SEC as u128, nanos % NANOS_PER_SEC as u128);
    u64::try_from(secs).map_or(Duration::MAX, |secs| Duration::new(secs, nanos as u32))
}

impl fmt::Debug for SimTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.subsec() {
            (0, _) => write!(f, "{} s", self.secs),
            (numer, denom) => write!(f, "{} + {numer}/{denom} s", self.secs),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_of_different_rates_meet_exactly() {
        let ntsc = Rate::new(60_000, 1_001).unwrap();
        assert_eq!(
            SimTime::at_tick(60_000, ntsc),
            SimTime::from(Duration::from_secs(1_001))
        );
        assert_eq!(SimTime::at_tick(2, Rate::hz(60)), SimTime::at_tick(1, Rate::hz(30)));
        assert!(SimTime::at_tick(1, Rate::hz(144)) < SimTime::at_tick(1, Rate::hz(143)));
        assert!(SimTime::at_tick(1, ntsc) > SimTime::at_tick(1, Rate::hz(60)));
    }

    #[test]
    fn the_last_tick_of_the_slowest_rate_saturates() {
        let slowest = Rate::new(1, u32::MAX).unwrap();
        let end = SimTime::at_tick(u64::MAX, slowest);
        assert_eq!((end.secs(), end.subsec()), (u64::MAX, (0, 1)));
        assert_eq!(end.after(7, 10), end, "it stays there");
    }

    #[test]
    fn durations_convert_without_loss() {
        let duration = Duration::new(u64::MAX, 999_999_999);
        assert_eq!(SimTime::from(duration).to_duration(), duration);
    }
}
