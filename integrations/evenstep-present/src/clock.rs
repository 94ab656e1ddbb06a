use std::time::Duration;

use evenstep::MonotonicClock;
use evenstep::present::PresentFeedback;
use rustix::time::{ClockId, clock_gettime};

/// Times that the offset is read; the closest reading counts.
const READINGS: usize = 3;

/// The clock of the times that a system reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PresentationClock {
    /// `CLOCK_MONOTONIC`, which is that of [`MonotonicClock`], too.
    Monotonic,
    /// `CLOCK_MONOTONIC_RAW`, whose speed nobody corrects.
    MonotonicRaw,
    /// `CLOCK_BOOTTIME`, which also counts while the machine sleeps.
    Boottime,
    /// `CLOCK_REALTIME`, which is set now and then.
    Realtime,
    /// Another one, by its number. Its times are handed on as they are.
    Other(u32),
}

impl PresentationClock {
    pub(crate) const fn of(id: u32) -> Self {
        match id {
            0 => Self::Realtime,
            1 => Self::Monotonic,
            4 => Self::MonotonicRaw,
            7 => Self::Boottime,
            _ => Self::Other(id),
        }
    }

    const fn id(self) -> Option<ClockId> {
        match self {
            Self::Monotonic => Some(ClockId::Monotonic),
            Self::MonotonicRaw => Some(ClockId::MonotonicRaw),
            Self::Boottime => Some(ClockId::Boottime),
            Self::Realtime => Some(ClockId::Realtime),
            Self::Other(_) => None,
        }
    }
}

/// What is to be added to a reported time so that it is the program's, and half of the time that it took to read both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Offset {
    pub(crate) nanos: i128,
    pub(crate) error: Duration,
}

impl Offset {
    /// Reads both clocks; none for a clock that cannot be read.
    pub(crate) fn read(theirs: PresentationClock, ours: &MonotonicClock) -> Option<Self> {
        let id = theirs.id()?;
        let reading = || {
            let before = ours.now();
            let time = clock_gettime(id);
            let after = ours.now();
            let theirs = i128::from(time.tv_sec) * 1_000_000_000 + i128::from(time.tv_nsec);
            let error = (after - before) / 2;
            Self {
                nanos: (before + error).as_nanos() as i128 - theirs,
                error,
            }
        };
        (0..READINGS).map(|_| reading()).min_by_key(|offset| offset.error)
    }

    /// Puts the times of reports on the program's clock.
    pub(crate) fn apply(self, reports: &mut [PresentFeedback]) {
        for report in reports {
            report.presented = report.presented.map(|time| self.on_our_clock(time));
        }
    }

    /// A reported time on the program's clock; zero if it was before that began.
    fn on_our_clock(self, time: Duration) -> Duration {
        let nanos = time.as_nanos() as i128 + self.nanos;
        Duration::from_nanos(u64::try_from(nanos.max(0)).unwrap_or(u64::MAX))
    }
}
