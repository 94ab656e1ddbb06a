//! Clocks of presentation timestamps.

use std::time::Duration;

use evenstep::MonotonicClock;
use rustix::time::{ClockId, Timespec, clock_gettime};

use crate::feedback::PresentFeedback;

/// How many times the offset is measured; the measurement that took the least time counts.
const SAMPLES: usize = 3;

/// The clock of presentation timestamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(
    not(feature = "wayland"),
    expect(dead_code, unreachable_pub, reason = "X servers have one of these clocks")
)]
pub enum PresentationClock {
    /// `CLOCK_MONOTONIC`, which [`MonotonicClock`](evenstep::MonotonicClock) uses, too.
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
    pub(crate) fn now(self) -> Option<Duration> {
        let id = match self {
            Self::Monotonic => ClockId::Monotonic,
            Self::MonotonicRaw => ClockId::MonotonicRaw,
            Self::Boottime => ClockId::Boottime,
            Self::Realtime => ClockId::Realtime,
            Self::Other(_) => return None,
        };
        let Timespec { tv_sec, tv_nsec } = clock_gettime(id);
        // Clocks do not count from before their beginning.
        Some(Duration::new(tv_sec.try_into().ok()?, tv_nsec.try_into().ok()?))
    }

    /// Converts the timestamps of reports from this clock to the program's; those before its start to zero. Timestamps of a clock that
    /// cannot be read stay as they are.
    pub(crate) fn convert(self, reports: &mut [PresentFeedback], ours: &MonotonicClock) {
        if reports.is_empty() {
            return;
        }
        let sample = || {
            let before = ours.now();
            let theirs = self.now()?;
            Some((ours.now() - before, before, theirs))
        };
        let best = (0..SAMPLES).filter_map(|_| sample()).min_by_key(|(took, ..)| *took);
        let Some((took, before, theirs)) = best else { return };
        for report in reports {
            let converted = |at: Duration| at.saturating_add(before + took / 2).saturating_sub(theirs);
            report.presented = report.presented.map(converted);
        }
    }
}
