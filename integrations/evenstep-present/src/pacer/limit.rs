//! A limit on frames per second.

use core::time::Duration;

use evenstep::{Rate, SimTime};

/// A frame is never due this many periods ahead, unless the clock went back.
const FARTHEST: u32 = 8;

/// A limit on frames a second, as the times at which they are due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limit {
    rate: Rate,
    /// When the first frame was, and how many there were since.
    since: Option<(Duration, u64)>,
}

impl Limit {
    pub(super) const fn new(rate: Rate) -> Self {
        Self { rate, since: None }
    }

    pub(super) const fn rate(&self) -> Rate {
        self.rate
    }

    /// When the next frame is due, exact to the nanosecond below however many there were. None before the first, and where the
    /// clock went back.
    pub(super) fn due(&self, now: Duration) -> Option<Duration> {
        let (first, count) = self.since?;
        let due = first.saturating_add(SimTime::at_tick(count, self.rate).to_duration());
        let farthest = now.saturating_add(self.period().saturating_mul(FARTHEST));
        (due <= farthest).then_some(due)
    }

    /// A frame is at this time. Lateness of less than a period is made up for; a later one restarts the count.
    pub(super) fn take(&mut self, now: Duration, at: Duration) {
        let due = self.due(now);
        self.since = match (self.since, due) {
            (Some((first, count)), Some(due)) if at < due.saturating_add(self.period()) => Some((first, count + 1)),
            _ => Some((at, 1)),
        };
    }

    fn period(&self) -> Duration {
        Duration::from_nanos(self.rate.period_nanos())
    }
}
