//! What the clocks that follow another one have in common: their time, the times of events, and pauses.

use core::time::Duration;

use crate::filter::display_clock::AIM;
use crate::filter::{DeltaFilter, FrameClock, FrameTime};
use crate::time::saturating_nanos;

/// A ratio of 1, as a whole number of 2^-24: products of such ratios are the same in every language.
pub(super) const ONE: i64 = 1 << BITS;
const BITS: u32 = 24;

/// The longest time, in nanoseconds: over two years.
const MAX_TIME: i64 = 1 << 56;

/// An event time ahead of its frame's is slowed down so that it returns to it, over 2^25 ns, at half the speed or more.
const RETURN_BITS: u32 = 25;

/// A number of nanoseconds times a ratio of up to 32, rounded down.
pub(super) const fn product(nanos: i64, ratio: i64) -> i64 {
    (nanos >> BITS) * ratio + (((nanos & (ONE - 1)) * ratio) >> BITS)
}

/// In nanoseconds, at most [`MAX_TIME`] of them.
pub(super) fn nanos(time: Duration) -> i64 {
    saturating_nanos(time).min(MAX_TIME.unsigned_abs()) as i64
}

pub(super) const fn duration(nanos: i64) -> Duration {
    Duration::from_nanos(if nanos > 0 { nanos.unsigned_abs() } else { 0 })
}

/// What is followed: a song, or the display.
pub(super) trait Source {
    /// The time that a frame brings, so long after the last one, on the program's clock and after the filter. The clock that follows is
    /// still at the time of the last one.
    fn advance(&mut self, clock: &FollowedTime, passed: i64, even: i64) -> i64;

    /// The frame at this time was the last of a pause.
    fn resume(&mut self, now: i64);

    /// Seconds a second, in 2^-24: in the long run, and now, while it catches up.
    fn rates(&self) -> (i64, i64);
}

/// A straight line through a time of the program's clock and one of the clock that follows.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Line {
    at: i64,
    time: i64,
    rate: i64,
}

impl Line {
    const fn time_at(&self, at: i64) -> i64 {
        self.time + product(at - self.at, self.rate)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Pause {
    Running,
    Paused,
    /// The next frame began in the pause.
    Resuming,
}

/// The time of a clock that follows. Times are nanoseconds since the first frame.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FollowedTime {
    frames: FrameClock,
    time: i64,
    /// The times of events since the last frame, and before it. The lines meet or step up, so that times never go back; at a frame they are not
    /// before its time.
    events: Line,
    earlier_events: Line,
    pause: Pause,
}

impl FollowedTime {
    pub(super) const fn new() -> Self {
        let events = Line {
            at: 0,
            time: 0,
            rate: ONE,
        };
        Self {
            frames: FrameClock::new(),
            time: 0,
            events,
            earlier_events: events,
            pause: Pause::Running,
        }
    }

    /// Begins a frame. An earlier time is treated as the last frame's.
    pub(super) fn begin_frame(&mut self, now: Duration, source: &mut impl Source) -> FrameTime {
        let begins = self.frames.origin().is_none();
        let frame = self.frames.begin_frame(now);
        let given = if begins || self.is_paused() {
            0
        } else {
            source.advance(self, nanos(frame.unfiltered_delta), nanos(frame.delta))
        };
        let given = given.clamp(0, MAX_TIME - self.time);
        self.time += given;
        let is_pause = self.is_paused();
        if self.pause == Pause::Resuming {
            self.pause = Pause::Running;
            source.resume(self.now());
        }
        self.begin_events(is_pause, source);
        FrameTime {
            delta: duration(given),
            unfiltered_delta: frame.unfiltered_delta,
            unfiltered_now: duration(self.events.time),
            filtered_now: duration(self.time),
            max_lead: Duration::ZERO,
            is_paused: is_pause,
        }
    }

    /// Where events are after a frame. The end of a frame of a pause is a nanosecond later than all events before it.
    fn begin_events(&mut self, is_pause: bool, source: &impl Source) {
        let reached = self.events.time_at(self.now()) + i64::from(is_pause);
        let time = reached.max(self.time);
        let rate = source.rates().1;
        let slower = ((time - self.time).min(1 << (RETURN_BITS - 1)) * rate) >> RETURN_BITS;
        self.earlier_events = self.events;
        self.events = Line {
            at: self.now(),
            time,
            rate: if self.is_paused() { 0 } else { rate - slower },
        };
    }

    /// The time of an event at a time of the program's clock.
    pub(super) fn time_at(&self, at: Duration) -> Duration {
        let at = self.since(at);
        duration(if at < self.now() {
            self.earlier_events.time_at(at).min(self.events.time)
        } else {
            self.events.time_at(at)
        })
    }

    pub(super) const fn time(&self) -> i64 {
        self.time
    }

    pub(super) fn now(&self) -> i64 {
        self.since(self.frames.now())
    }

    /// The time of the last frame on the program's clock, after the filter.
    pub(super) fn even_now(&self) -> i64 {
        self.now() - self.frames.filter().residual() + AIM
    }

    /// Nanoseconds of the program's clock since the first frame.
    pub(super) fn since(&self, at: Duration) -> i64 {
        let origin = self.frames.origin().unwrap_or(at);
        nanos(at.saturating_sub(origin)) - nanos(origin.saturating_sub(at))
    }

    pub(super) const fn pause(&mut self) {
        self.pause = Pause::Paused;
    }

    /// Ends a pause with the next frame.
    pub(super) fn resume(&mut self) {
        if self.pause == Pause::Paused {
            self.pause = Pause::Resuming;
        }
    }

    pub(super) fn is_paused(&self) -> bool {
        self.pause != Pause::Running
    }

    /// Whether a frame has begun, and no pause.
    pub(super) fn is_running(&self) -> bool {
        self.frames.origin().is_some() && !self.is_paused()
    }
}
