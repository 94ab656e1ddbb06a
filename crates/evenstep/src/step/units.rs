//! The unit of time in which a [`SimClock`](super::sim_clock::SimClock) counts exactly.

use core::time::Duration;

use crate::time::NANOS_PER_SEC;
use crate::time::ratio::gcd;
use crate::time::{Rate, TimeScale};

/// The unit in which a clock counts: so small that a nanosecond of delta, a period (a step of a timestep) and a second are each a whole
/// number of units, at the present rate and time scale.
///
/// One second is `10⁹ × rate numerator × resolution` units, where the time scale's denominator divides the
/// resolution. None of the numbers exceeds 2^96, so an amount worth 2^32 steps fits into 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Units {
    pub(super) scale: TimeScale,
    /// A multiple of the time scale's denominator. Above it only while an amount from an earlier scale needs it.
    pub(super) resolution: u32,
    /// Units in one step.
    pub(super) per_step: u128,
    /// Units in one simulated nanosecond.
    pub(super) per_nano: u128,
    /// Units per real nanosecond at the time scale.
    pub(super) per_nano_of_delta: u128,
}

impl Units {
    /// `resolution` must be a multiple of the scale's denominator.
    pub(super) fn new(rate: Rate, scale: TimeScale, resolution: u32) -> Self {
        let per_nano = u128::from(resolution) * u128::from(rate.numer());
        Self {
            scale,
            resolution,
            per_step: u128::from(NANOS_PER_SEC) * u128::from(resolution) * u128::from(rate.denom()),
            per_nano,
            per_nano_of_delta: per_nano / u128::from(scale.denom()) * u128::from(scale.numer()),
        }
    }

    /// The least resolution that expresses both `amounts`, counted in these units, and the new scale; the scale's own
    /// if no 32-bit number does both.
    pub(super) fn resolution_for(&self, scale: TimeScale, amounts: [u128; 2]) -> u32 {
        let resolution = u128::from(self.resolution);
        let common = amounts.into_iter().fold(resolution, gcd);
        let needed = resolution / common;
        let own = u128::from(scale.denom());
        u32::try_from(needed / gcd(needed, own) * own).unwrap_or(scale.denom())
    }

    /// Converts `amount` from these units to `other`, of the same rate. Returns the remainder, in units of
    /// [`residue_per_nano`](Self::residue_per_nano).
    pub(super) fn convert(&self, amount: &mut u128, other: &Self) -> u128 {
        let (steps, fraction) = (*amount / self.per_step, *amount % self.per_step);
        let scaled = fraction * u128::from(other.resolution);
        *amount = steps * other.per_step + scaled / u128::from(self.resolution);
        scaled % u128::from(self.resolution)
    }

    /// How many units of a residue make a nanosecond, after a conversion from `former` to these.
    pub(super) fn residue_per_nano(&self, former: &Self) -> u128 {
        self.per_nano * u128::from(former.resolution)
    }

    /// A length of simulated time, or the longest that can be counted.
    pub(super) fn in_time(&self, time: Duration) -> u128 {
        time.as_nanos().saturating_mul(self.per_nano)
    }
}
