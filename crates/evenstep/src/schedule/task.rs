//! A task of a schedule.

use core::time::Duration;

use crate::time::{Rate, SimTime, Tick};

/// A task of a [`Schedule`](super::Schedule).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TaskId(pub(super) usize);

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Task {
    pub(super) rate: Rate,
    pub(super) phase: Duration,
    pub(super) next: Tick,
}

impl Task {
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

    /// The first tick that ends after `now`.
    pub(super) fn first_after(&self, now: SimTime) -> Tick {
        let (mut low, mut high) = (0, Tick::MAX);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.at(middle.saturating_add(1)) > now {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }
}
