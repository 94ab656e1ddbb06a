//! The core's frame clock, in nanoseconds.

use alloc::boxed::Box;
use core::time::Duration;

use evenstep::filter::FrameTime;

use crate::error::Error;
use crate::filter::{FILTER_DISPLAY_CLOCK, FilterSettings};

/// The number of nanoseconds by which a time may be earlier than the last frame and count as the last frame's: browsers round
/// frame times and add jitter. A larger difference means another clock.
const MAX_BACKWARD_NANOS: i64 = 1_000_000_000;

/// A [`FrameClock`](evenstep::FrameClock) that takes nanoseconds, absolute or since the last frame, and returns an error for
/// invalid times. Without a filter a frame costs a subtraction.
#[derive(Clone, Debug, Default)]
pub(crate) struct FrameClock {
    filtered: Option<Box<Filtered>>,
    /// The time of the last frame in nanoseconds; zero before the first.
    now: i64,
    /// The unfiltered nanoseconds between the last two frames.
    delta: i64,
    /// The number of frames so far.
    frames: u64,
}

#[derive(Clone, Debug, Default)]
struct Filtered {
    clock: evenstep::FrameClock,
    last: FrameTime,
}

impl FrameClock {
    /// Begins a frame at an absolute time. Returns the filtered delta in nanoseconds, zero in the first frame.
    #[inline(always)]
    pub(crate) fn begin(&mut self, now: i64) -> Result<u64, Error> {
        if now < 0 {
            return Err(Error::Negative);
        }
        if self.frames == 0 {
            self.begin_first(now);
            return Ok(0);
        }
        if self.now - now > MAX_BACKWARD_NANOS {
            return Err(Error::TimeWentBack);
        }
        Ok(self.begin_at(now.max(self.now)))
    }

    #[cold]
    fn begin_first(&mut self, now: i64) {
        (self.now, self.frames) = (now, 1);
        if let Some(filtered) = &mut self.filtered {
            filtered.last = filtered.clock.begin_frame(time(now));
        }
    }

    /// Begins a frame this long after the last one, or after time zero if it is the first.
    #[inline(always)]
    pub(crate) fn advance(&mut self, delta: i64) -> Result<u64, Error> {
        if delta < 0 {
            return Err(Error::Negative);
        }
        let now = self.now.checked_add(delta).ok_or(Error::Range)?;
        Ok(self.begin_at(now))
    }

    #[inline(always)]
    fn begin_at(&mut self, now: i64) -> u64 {
        let before = self.now;
        (self.delta, self.now) = (now - before, now);
        self.frames = self.frames.saturating_add(1);
        match &mut self.filtered {
            None => self.delta.unsigned_abs(),
            Some(filtered) => filtered.begin_frame(before, now),
        }
    }

    /// The last frame.
    pub(crate) fn last(&self) -> FrameTime {
        match &self.filtered {
            None => {
                let mut clock = evenstep::FrameClock::unfiltered();
                clock.begin_frame(time(self.now - self.delta));
                clock.begin_frame(time(self.now))
            }
            Some(filtered) => filtered.last,
        }
    }

    pub(crate) fn frames(&self) -> u64 {
        self.frames
    }

    /// Adds a filter. Allowed only before the first frame, and once.
    pub(crate) fn add_filter(&mut self, settings: &FilterSettings) -> Result<(), Error> {
        if self.frames > 0 {
            return Err(Error::Order);
        }
        if settings.kind != FILTER_DISPLAY_CLOCK {
            return Err(Error::Range);
        }
        if self.filtered.is_some() {
            return Err(Error::Full);
        }
        self.filtered = Some(Box::default());
        Ok(())
    }
}

impl Filtered {
    /// Returns the filtered delta in nanoseconds.
    fn begin_frame(&mut self, before: i64, now: i64) -> u64 {
        if self.clock.origin().is_none() {
            self.clock.begin_frame(time(before));
        }
        self.last = self.clock.begin_frame(time(now));
        u64::try_from(self.last.delta.as_nanos()).unwrap_or(u64::MAX)
    }
}

/// A time of the program's clock, which is not negative.
fn time(nanos: i64) -> Duration {
    Duration::from_nanos(nanos.unsigned_abs())
}
