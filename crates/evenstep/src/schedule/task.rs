//! A task of a schedule.

use core::time::Duration;

use crate::time::{Rate, SimTime, Tick};

/// A task of a [`Schedule`](super::Schedule), of its clones and of its stored states.
///
/// It is checked on every use: a schedule whose task of this number has another rate or phase, or that has no such task, treats it as
/// unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TaskId {
    pub(super) index: usize,
    pub(super) rate: Rate,
    pub(super) phase: Duration,
}

/// The longest phase.
pub(super) const MAX_PHASE: Duration = Duration::from_secs(u32::MAX as u64);

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Task {
    pub(super) rate: Rate,
    pub(super) phase: Duration,
    pub(super) next: Tick,
}

impl Task {
    pub(super) const fn id(&self, index: usize) -> TaskId {
        TaskId {
            index,
            rate: self.rate,
            phase: self.phase,
        }
    }

    /// When the next step begins, exact.
    pub(super) fn begin(&self) -> SimTime {
        self.at(self.next)
    }

    /// When the next step ends, exact; never after the last tick of all.
    pub(super) fn next_end(&self) -> Option<SimTime> {
        self.next.checked_add(1).map(|end| self.at(end))
    }

    fn at(&self, tick: Tick) -> SimTime {
        let numer = u128::from(self.rate.numer());
        SimTime::at_tick(tick, self.rate).after(self.phase.as_nanos() * numer, numer)
    }

    /// The first tick that ends after `now`, in nanoseconds.
    pub(super) fn first_after(&self, now: u64) -> Tick {
        let since = u128::from(now).saturating_sub(self.phase.as_nanos());
        let units = since * u128::from(self.rate.units_per_nano());
        Tick::try_from(units / u128::from(self.rate.units_per_step())).unwrap_or(Tick::MAX)
    }
}
