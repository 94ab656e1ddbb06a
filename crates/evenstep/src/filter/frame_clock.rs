//! [`FrameClock`]: the times of frames, and the filter that their deltas go through.

use core::time::Duration;

use crate::filter::lead_limit::from_nanos;
use crate::filter::{DeltaFilter, PresentClock};
use crate::present::{Prediction, PresentFeedback};

/// The times of frames on a program's clock, and the [filter](DeltaFilter) that smooths their deltas.
///
/// Tell it the time once a frame. Its answer has the delta for the timestep, and says an
/// [`InputBuffer`](crate::input::InputBuffer) where the frame lies on the filtered time line, on which events are laid out.
///
/// Any clock will do that does not go back, such as [`MonotonicClock`](crate::MonotonicClock) or the times of
/// `requestAnimationFrame`. The first frame is the beginning: no time passes in it.
///
/// ```
/// use evenstep::filter::DisplayClock;
/// use evenstep::{FixedTimestep, FrameClock, Rate};
/// use std::time::Duration;
///
/// let mut clock = FrameClock::new(DisplayClock::new()); // `()` for no filter
/// let mut timestep = FixedTimestep::new(Rate::hz(60));
/// for n in 0..1000_u64 {
///     let now = Duration::from_nanos(n * 1_000_000_000 / 60); // in a game: MonotonicClock::now
///     let frame = timestep.advance(clock.begin_frame(now).delta);
///     assert!(n < 120 || frame.steps().len() == 1);
/// }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameClock<F = ()> {
    filter: F,
    /// The time of the first frame.
    origin: Option<Duration>,
    /// The time of the last frame.
    now: Duration,
    times_backwards: u64,
}

/// When a frame began, as a [`FrameClock`] answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameTime {
    /// The real time since the last frame, filtered: for the timestep or schedule.
    pub delta: Duration,
    /// The real time since the last frame by the clock alone: for [`FrameStats`](crate::FrameStats).
    pub unfiltered_delta: Duration,
    /// The time of the frame on the filtered time line.
    filtered_now: Duration,
    max_lead: Duration,
}

impl FrameTime {
    /// The time of the frame on the filtered time line: the clock's, less the filter's residual.
    #[must_use]
    pub const fn filtered_now(&self) -> Duration {
        self.filtered_now
    }

    /// By how much that line may be ahead of the clock at most: [`DeltaFilter::max_lead`].
    #[must_use]
    pub const fn max_lead(&self) -> Duration {
        self.max_lead
    }
}

impl<F: DeltaFilter> FrameClock<F> {
    /// A clock before its first frame.
    #[must_use]
    pub const fn new(filter: F) -> Self {
        Self {
            filter,
            origin: None,
            now: Duration::ZERO,
            times_backwards: 0,
        }
    }

    /// Begins a frame at a time of the program's clock. The first frame sets the beginning: its delta is zero. A time that is
    /// earlier than that of the last frame counts as that, because browsers round and scatter the times of frames.
    #[inline]
    pub fn begin_frame(&mut self, now: Duration) -> FrameTime {
        if self.origin.is_none() {
            (self.origin, self.now) = (Some(now), now);
            return self.frame_time(Duration::ZERO, Duration::ZERO);
        }
        let passed = now.checked_sub(self.now).unwrap_or_else(|| {
            self.times_backwards += 1;
            Duration::ZERO
        });
        self.now += passed;
        let delta = self.filter.apply(passed);
        self.frame_time(delta, passed)
    }

    #[inline]
    fn frame_time(&self, delta: Duration, unfiltered_delta: Duration) -> FrameTime {
        let filtered_now = match self.filter.residual() {
            0 => self.now,
            residual => from_nanos((self.now.as_nanos() as i128).saturating_sub(residual)),
        };
        FrameTime {
            delta,
            unfiltered_delta,
            filtered_now,
            max_lead: self.filter.max_lead(),
        }
    }

    /// The time of the last frame on the program's clock; zero before the first.
    #[must_use]
    pub const fn now(&self) -> Duration {
        self.now
    }

    /// The time of the first frame on the program's clock, where the filter's time begins; none before it.
    #[must_use]
    pub const fn origin(&self) -> Option<Duration> {
        self.origin
    }

    /// How often a time was earlier than that of the frame before it.
    #[must_use]
    pub const fn times_backwards(&self) -> u64 {
        self.times_backwards
    }

    /// The filter: to ask what it has found, such as [`DisplayClock::refresh_hz`](crate::filter::DisplayClock::refresh_hz).
    #[must_use]
    pub const fn filter(&self) -> &F {
        &self.filter
    }

    /// The filter, to change its settings.
    pub const fn filter_mut(&mut self) -> &mut F {
        &mut self.filter
    }
}

/// Presentation feedback, with times of the program's clock.
impl FrameClock<PresentClock> {
    /// Takes feedback that arrived when the program's clock showed `arrived`. What was presented before the first frame is
    /// ignored.
    pub fn observe(&mut self, feedback: PresentFeedback, arrived: Duration) {
        let Some(origin) = self.origin else { return };
        let (Some(arrived), Some(presented)) = (
            arrived.checked_sub(origin),
            feedback
                .presented
                .map_or(Some(None), |at| at.checked_sub(origin).map(Some)),
        ) else {
            return;
        };
        self.filter.observe(PresentFeedback { presented, ..feedback }, arrived);
    }

    /// When a frame that begins now will be presented, after `frames_in_flight` others.
    #[must_use]
    pub fn predict(&self, frames_in_flight: u32) -> Option<Prediction> {
        let (origin, prediction) = (self.origin?, self.filter.predict(frames_in_flight)?);
        let at = prediction.at.saturating_add(origin);
        Some(Prediction { at, ..prediction })
    }
}
