//! Bounds of a frame that follow from the settings.

use core::time::Duration;

use super::units::Units;
use crate::time::duration_from_nanos;
use crate::time::{Rate, TimeScale};

/// The most steps that one delta can be worth, and the most that are ever kept back.
pub(super) const MAX_STEPS: u32 = u32::MAX;

/// What bounds a frame: worked out when a setting changes, so that frames need not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limits {
    /// `max_delta`, or the delta worth [`MAX_STEPS`] if that is less.
    pub(super) longest_delta: Duration,
    pub(super) max_steps: u32,
}

impl Limits {
    pub(super) fn new(rate: Rate, scale: TimeScale, max_delta: Duration, max_steps: Option<u32>) -> Self {
        let longest_delta = longest(&Units::new(rate, scale, scale.denom())).min(max_delta);
        Self {
            longest_delta,
            max_steps: max_steps.unwrap_or_else(|| {
                let scale = scale.max(TimeScale::NORMAL);
                let units = Units::new(rate, scale, scale.denom());
                steps_of(max_delta.min(longest(&units)), &units)
            }),
        }
    }
}

/// The delta that is worth [`MAX_STEPS`].
fn longest(units: &Units) -> Duration {
    let worth = units.per_step * u128::from(MAX_STEPS);
    duration_from_nanos(worth.checked_div(units.per_nano_of_delta).unwrap_or(u128::MAX))
}

/// The most steps that a delta can bring. It meets less than a step, so that the next whole number is enough.
fn steps_of(delta: Duration, units: &Units) -> u32 {
    let steps = (delta.as_nanos() * units.per_nano_of_delta).div_ceil(units.per_step);
    u32::try_from(steps).unwrap_or(MAX_STEPS)
}
