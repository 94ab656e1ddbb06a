//! The simulated time that a delta brought, as tasks of different rates see it.

use core::time::Duration;

use crate::step::frame::Progress;
use crate::time::{Rate, Tick};

/// From and to, in nanoseconds of simulated time.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(super) struct Arrived {
    pub(super) from: u64,
    pub(super) to: u64,
    /// Whether no time arrived, not even such that was dropped.
    stands_still: bool,
}

impl Arrived {
    /// Before the first frame.
    pub(super) const NONE: Self = Self::new(0, 0, true);

    pub(super) const fn new(to: u64, length: u64, stands_still: bool) -> Self {
        let from = to.saturating_sub(length);
        Self { from, to, stands_still }
    }

    /// The same in steps at a rate; the first step begins at `phase`, at most 2^32 s.
    pub(super) fn progress(&self, rate: Rate, phase: Duration) -> Progress {
        let per_step = u128::from(rate.units_per_step());
        let units = |nanos: u128| nanos * u128::from(rate.units_per_nano());
        // Whole steps before the first one, so that nothing is negative.
        let phase = units(phase.as_nanos());
        let early = phase.div_ceil(per_step);
        let from = units(self.from.into()) + (early * per_step - phase);
        let begin = from % per_step;
        Progress {
            first: Tick::try_from(from / per_step).unwrap_or(Tick::MAX),
            early: early as Tick,
            begin,
            end: begin + units((self.to - self.from).into()),
            per_step: rate.units_per_step(),
            stands_still: self.stands_still,
        }
    }
}
