//! [`FrameClock`]: the times of frames, and the filter that their deltas go through.

use core::time::Duration;

use crate::filter::{DeltaFilter, DisplayClock};
use crate::time::nanos_before;

/// The times of frames on a program's clock, and the [filter](DeltaFilter) that smooths their deltas.
///
/// [`new`](Self::new) has the default filter, a [`DisplayClock`]; [`unfiltered`](FrameClock::unfiltered) has none, and
/// [`with_filter`](FrameClock::with_filter) has any.
///
/// Give it the time once a frame. It returns a [`FrameTime`]: the delta for the timestep, and the position of the frame on the filtered
/// time line, on which an [`InputBuffer`](crate::input::InputBuffer) places events.
///
/// Any clock is suitable, such as [`MonotonicClock`](crate::MonotonicClock) or the timestamps of `requestAnimationFrame`. No time passes in the
/// first frame. While a clock is behind an earlier time, time stands still, and [`backward_frames`](Self::backward_frames) counts.
///
/// ```
/// use evenstep::{FixedTimestep, FrameClock, Rate};
/// use std::time::Duration;
///
/// let mut clock = FrameClock::new();
/// let mut timestep = FixedTimestep::new(Rate::hz(60));
/// for n in 0..1000_u64 {
///     let now = Duration::from_nanos(n * 1_000_000_000 / 60); // in a game: MonotonicClock::now
///     let frame = timestep.advance(clock.begin_frame(now).delta);
///     assert!(n < 120 || frame.step_count() == 1);
/// }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameClock<F = DisplayClock> {
    filter: F,
    /// The time of the first frame.
    origin: Option<Duration>,
    /// The time of the last frame.
    now: Duration,
    backward_frames: u64,
}

/// When a frame began, as returned by a [`FrameClock`]. The deltas are fields, which a program may replace before it passes
/// them on. Its times are read only: events are compared with them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameTime {
    /// The real time since the last frame, filtered: for the timestep or schedule.
    pub delta: Duration,
    /// The real time since the last frame by the clock alone: for [`FrameStats`](crate::FrameStats).
    pub unfiltered_delta: Duration,
    /// The time of the frame on the clock itself.
    pub(crate) unfiltered_now: Duration,
    /// The time of the frame on the filtered time line: the clock's, less the filter's residual.
    pub(crate) filtered_now: Duration,
    /// The most by which that line may lead the clock.
    pub(crate) max_lead: Duration,
    /// Whether the clock is in a pause of its own, or this frame is the last of one.
    pub(crate) is_paused: bool,
}

impl FrameTime {
    /// The time of the frame on the timestep's time line: the program's clock less the filter's residual. Without a filter it is the
    /// clock's time.
    #[must_use]
    pub const fn now(&self) -> Duration {
        self.filtered_now
    }
}

impl FrameClock {
    /// A clock before its first frame, with the default filter.
    #[must_use]
    pub const fn new() -> Self {
        Self::with_filter(DisplayClock::new())
    }
}

impl FrameClock<()> {
    /// A clock before its first frame that passes deltas on unchanged: for exact times, such as in a replay, and
    /// for programs that wait for the next step instead of the display.
    #[must_use]
    pub const fn unfiltered() -> Self {
        Self::with_filter(())
    }
}

impl<F> FrameClock<F> {
    /// A clock before its first frame, with a filter.
    #[must_use]
    pub const fn with_filter(filter: F) -> Self {
        Self {
            filter,
            origin: None,
            now: Duration::ZERO,
            backward_frames: 0,
        }
    }
}

impl<F: DeltaFilter> FrameClock<F> {
    /// Begins a frame at a time of the program's clock. The first frame sets the beginning: its delta is zero. An earlier
    /// time than the last frame's is treated as the last frame's.
    #[inline]
    pub fn begin_frame(&mut self, now: Duration) -> FrameTime {
        if self.origin.is_none() {
            (self.origin, self.now) = (Some(now), now);
            return self.frame_time(Duration::ZERO, Duration::ZERO);
        }
        self.backward_frames += u64::from(now < self.now);
        let passed = now.saturating_sub(self.now);
        self.now += passed;
        let delta = self.filter.apply(passed);
        self.frame_time(delta, passed)
    }

    #[inline]
    fn frame_time(&self, delta: Duration, unfiltered_delta: Duration) -> FrameTime {
        FrameTime {
            delta,
            unfiltered_delta,
            unfiltered_now: self.now,
            filtered_now: nanos_before(self.now, self.filter.residual()),
            max_lead: self.filter.max_lead(),
            is_paused: false,
        }
    }

    /// The time of the last frame on the program's clock; zero before the first.
    #[must_use]
    pub const fn now(&self) -> Duration {
        self.now
    }

    /// The number of frames whose time was before an earlier frame's. Browsers round times, so now and then there is one; if it grows in
    /// each frame, the clock was set back, or times are from two clocks.
    #[must_use]
    pub const fn backward_frames(&self) -> u64 {
        self.backward_frames
    }

    /// The time of the first frame on the program's clock, where the filter's time begins; none before it.
    #[must_use]
    pub const fn origin(&self) -> Option<Duration> {
        self.origin
    }

    /// The filter, which may have estimates, such as [`DisplayClock::period`].
    #[must_use]
    pub const fn filter(&self) -> &F {
        &self.filter
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn time_begins_with_the_first_frame_and_never_goes_back() {
        let mut clock = FrameClock::unfiltered();
        let mut begin = |now| {
            let time = clock.begin_frame(now);
            assert_eq!((time.delta, clock.now()), (time.unfiltered_delta, time.filtered_now));
            (time.delta, clock.now())
        };
        assert_eq!(begin(ms(500)), (ms(0), ms(500)));
        assert_eq!(begin(ms(516)), (ms(16), ms(516)));
        assert_eq!(begin(ms(514)), (ms(0), ms(516)));
        assert_eq!(begin(ms(520)), (ms(4), ms(520)));
        assert_eq!(begin(Duration::MAX), (Duration::MAX - ms(520), Duration::MAX));
        assert_eq!((clock.origin(), clock.backward_frames()), (Some(ms(500)), 1));
    }
}
