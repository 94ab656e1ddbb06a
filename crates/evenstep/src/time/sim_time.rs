//! Exact instants of simulated time.

use core::ops::{Add, Sub};
use core::time::Duration;

#[cfg(feature = "alloc")]
use crate::time::seconds::saturating_nanos;
use crate::time::seconds::{Seconds, exact_seconds};
use crate::time::{Rate, SimDuration};

/// Index of a step, counted from 0. Tick `n` carries the simulation from time `n × period` to `(n + 1) × period`.
pub type Tick = u64;

/// An instant of simulated time, exact: so long after the start of the simulation.
///
/// Tick 1 of a 60 Hz simulation starts at 1/60 s, which no number of nanoseconds can say. Instants are compared exactly,
/// also between different rates. Two of them are a [`SimDuration`] apart, and an instant plus a length is another instant;
/// there is nothing else to calculate with them.
///
/// ```
/// use evenstep::{Rate, SimTime};
/// use std::time::Duration;
///
/// let third_step = SimTime::at_tick(3, Rate::hz(60));
/// assert_eq!(third_step, SimTime::at(Duration::from_millis(50)));
/// assert_eq!(third_step.as_secs_f64(), 0.05);
///
/// let first_step = SimTime::at_tick(1, Rate::hz(60));
/// let between = third_step - first_step;
/// assert_eq!(between.as_secs_f64(), 1.0 / 30.0);
/// assert_eq!(first_step + between, third_step);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SimTime(Seconds);

impl SimTime {
    /// The start of the simulation.
    pub const ZERO: Self = Self(Seconds::ZERO);

    /// The instant at which tick `tick` starts, and tick `tick - 1` ends. Saturates at `u64::MAX` seconds.
    #[must_use]
    pub const fn at_tick(tick: Tick, rate: Rate) -> Self {
        Self(Seconds::of_periods(tick, rate))
    }

    /// The instant so much simulated time after the start.
    #[must_use]
    pub const fn at(since_start: Duration) -> Self {
        Self(Seconds::of_duration(since_start))
    }

    /// The instant `units` after this one, where `nano_units` billion make a second. This instant's own denominator must
    /// divide theirs.
    pub(crate) const fn after(self, units: u128, nano_units: u128) -> Self {
        Self(self.0.plus_finer(Seconds::new(units, nano_units)))
    }

    /// Whole nanoseconds since the start, rounded up; at most 2⁶⁴ − 1.
    #[cfg(feature = "alloc")]
    pub(crate) fn nanos_up(self) -> u64 {
        let down = self.to_duration();
        saturating_nanos(down).saturating_add(u64::from(Self::at(down) < self))
    }

    /// The time since an earlier instant, exact as with `-`; `None` if `earlier` is later.
    #[must_use]
    pub fn checked_duration_since(self, earlier: Self) -> Option<SimDuration> {
        self.0.minus(earlier.0).map(SimDuration)
    }
}

exact_seconds!(SimTime, " since the start");

impl Rate {
    /// The time at which a tick starts, in seconds, rounded once, to the nearest `f64`: within half a unit in the last place of
    /// `tick × period`, at any tick. It is the communication point of a co-simulation, which a sum `t += h` leaves within
    /// minutes.
    ///
    /// ```
    /// use evenstep::Rate;
    ///
    /// let rate = Rate::hz(3000); // steps of 1/3 ms
    /// assert_eq!(rate.secs_at_tick(3_000_000_000), 1e6);
    /// let sum = (0..3_000_000).fold(0.0, |sum, _| sum + rate.period_secs_f64());
    /// assert_ne!(sum, rate.secs_at_tick(3_000_000));
    /// ```
    #[must_use]
    pub const fn secs_at_tick(self, tick: Tick) -> f64 {
        let elapsed = tick as u128 * self.denom() as u128;
        if elapsed == 0 {
            return 0.0;
        }
        // As many bits as there is room for, at least 96 of the quotient; the last one stands for all that follow.
        let shift = elapsed.leading_zeros();
        let (elapsed, numer) = (elapsed << shift, self.numer() as u128);
        let rest = (elapsed % numer != 0) as u128;
        let quotient = (elapsed / numer) | rest;
        // By a power of two, which is exact.
        quotient as f64 * f64::from_bits((1023 - shift as u64) << 52)
    }
}

/// Exact for instants of one simulation and for ticks of any two rates. Where times of more rates were added that share hardly a divisor,
/// both are rounded down to 2⁻⁶⁴ ns. Zero if the second is later, as of [`std::time::Instant`].
impl Sub for SimTime {
    type Output = SimDuration;

    fn sub(self, earlier: Self) -> SimDuration {
        self.checked_duration_since(earlier).unwrap_or_default()
    }
}

/// As exact as the difference of two instants. Saturates at `u64::MAX` seconds.
impl Add<SimDuration> for SimTime {
    type Output = Self;

    fn add(self, length: SimDuration) -> Self {
        Self(self.0.plus(length.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_of_different_rates_meet_exactly() {
        let ntsc = Rate::new(60_000, 1_001).unwrap();
        assert_eq!(SimTime::at_tick(60_000, ntsc), SimTime::at(Duration::from_secs(1_001)));
        assert_eq!(SimTime::at_tick(2, Rate::hz(60)), SimTime::at_tick(1, Rate::hz(30)));
        assert!(SimTime::at_tick(1, Rate::hz(144)) < SimTime::at_tick(1, Rate::hz(143)));
        assert!(SimTime::at_tick(1, ntsc) > SimTime::at_tick(1, Rate::hz(60)));
    }

    #[test]
    fn the_last_tick_of_the_slowest_rate_saturates() {
        let end = SimTime::at_tick(u64::MAX, Rate::new(1, u32::MAX).unwrap());
        assert_eq!((end.secs(), end.subsec()), (u64::MAX, (0, 1)));
        assert_eq!(end.after(7, 10), end, "it stays there");
        assert_eq!(end + SimDuration::from(Duration::MAX), end);
    }

    #[test]
    fn ticks_of_two_rates_are_exactly_apart() {
        let (ntsc, film) = (Rate::new(60_000, 1_001).unwrap(), Rate::hz(24));
        let apart = SimTime::at_tick(3, film) - SimTime::at_tick(7, ntsc); // 1/8 s and 7007/60000 s
        assert_eq!((apart.secs(), apart.subsec()), (0, (493, 60_000)));
    }

    #[test]
    fn an_instant_that_is_not_earlier_leaves_no_time_between() {
        let (early, late) = (SimTime::at(Duration::from_secs(1)), SimTime::at(Duration::from_secs(2)));
        assert_eq!(early - late, SimDuration::ZERO);
        assert_eq!(early.checked_duration_since(late), None);
        assert_eq!(early.checked_duration_since(early), Some(SimDuration::ZERO));
    }
}
