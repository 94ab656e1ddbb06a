//! Converts presentation timestamps to the program's clock.

use std::time::Duration;

use evenstep::MonotonicClock;
use rustix::time::{ClockId, clock_gettime};

use crate::feedback::PresentFeedback;

/// How many times the offset is measured; the measurement with the smallest error counts.
const CLOCK_SAMPLES: usize = 3;

/// The clock of presentation timestamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(
    not(feature = "wayland"),
    expect(dead_code, unreachable_pub, reason = "X servers have one of these clocks")
)]
pub enum PresentationClock {
    /// `CLOCK_MONOTONIC`, which [`MonotonicClock`] uses, too.
    Monotonic,
    /// `CLOCK_MONOTONIC_RAW`, whose rate is not corrected.
    MonotonicRaw,
    /// `CLOCK_BOOTTIME`, which continues while the machine sleeps.
    Boottime,
    /// `CLOCK_REALTIME`, which can be set.
    Realtime,
    /// Another clock, by its number. Its timestamps are not converted.
    Other(u32),
}

impl PresentationClock {
    #[cfg(feature = "wayland")]
    pub(crate) const fn of(id: u32) -> Self {
        match id {
            0 => Self::Realtime,
            1 => Self::Monotonic,
            4 => Self::MonotonicRaw,
            7 => Self::Boottime,
            _ => Self::Other(id),
        }
    }

    /// The time on it; `None` for a clock that cannot be read.
    #[cfg(feature = "proxy")]
    pub(crate) fn now(self) -> Option<Duration> {
        let time = clock_gettime(self.id()?);
        // Clocks do not count from before their beginning.
        Some(Duration::new(
            time.tv_sec.try_into().ok()?,
            time.tv_nsec.try_into().ok()?,
        ))
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

/// The offset from a system's clock to the program's clock, and half of the time that reading both clocks took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Offset {
    pub(crate) nanos: i128,
    pub(crate) error: Duration,
}

impl Offset {
    /// Measures the offset; `None` for a clock that cannot be read.
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
        (0..CLOCK_SAMPLES).map(|_| reading()).min_by_key(|offset| offset.error)
    }

    /// Converts the timestamps of reports to the program's clock.
    pub(crate) fn apply(self, reports: &mut [PresentFeedback]) {
        for report in reports {
            report.presented = report.presented.map(|time| self.on_our_clock(time));
        }
    }

    /// Converts a timestamp to the program's clock; zero if it is before the start of that clock.
    fn on_our_clock(self, time: Duration) -> Duration {
        let nanos = time.as_nanos() as i128 + self.nanos;
        Duration::from_nanos(u64::try_from(nanos.max(0)).unwrap_or(u64::MAX))
    }
}
