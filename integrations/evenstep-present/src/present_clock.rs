//! A delta filter that follows presentation feedback.

use core::time::Duration;

use evenstep::FrameClock;
use evenstep::filter::{DeltaFilter, DisplayClock};

use crate::feedback::PresentFeedback;
use crate::numeric::from_nanos;
use crate::prediction::Prediction;
use crate::refresh_grid::RefreshGrid;

/// The output never leads the clock by more, as in a [`DisplayClock`].
const MAX_LEAD: Duration = Duration::from_micros(4_000);

/// The output may lead the clock by this, in nanoseconds, before it glides back...
const MAX_AHEAD: i128 = 3_500_000;

/// ...and lag by a period and this, before it catches up.
const MAX_BEHIND: i128 = 2_000_000;

/// Time constant of that in frames.
const GLIDE: i128 = 16;

/// A clock that follows presentation times: the delta of a frame is the time between the refreshes at which the frame before and this one
/// will be presented, as a [`RefreshGrid`] predicts them.
///
/// Give it the system's feedback about each frame. Frames are numbered from one: the n-th delta belongs to frame `n`. Without feedback, or
/// where feedback allows no prediction, it is a [`DisplayClock`]. In either case time is conserved, and the output never leads the clock by
/// more than 4 ms.
///
/// ```
/// use evenstep::filter::DeltaFilter;
/// use evenstep_present::{PresentClock, PresentFeedback};
/// use std::time::Duration;
///
/// let mut clock = PresentClock::new();
/// let refresh = |n: u64| Duration::from_nanos(n * 6_944_444);
/// let timestamp = |n: u64| refresh(n) + Duration::from_micros(n * 7_919 % 3_000); // jitter of up to 3 ms
/// let mut given = Duration::ZERO;
/// for n in 1..=300 {
///     given = clock.apply(timestamp(n) - timestamp(n - 1));
///     let presented = Some(refresh(n));
///     let feedback = PresentFeedback::new(n - 1, presented).with_reliable(true);
///     if n > 1 {
///         clock.observe(feedback, timestamp(n));
///     }
/// }
/// assert!(given.abs_diff(refresh(1)) < Duration::from_micros(5));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PresentClock {
    display: DisplayClock,
    grid: RefreshGrid,
    /// All deltas so far.
    now: Duration,
    frame: u64,
    /// All input less all output, in nanoseconds.
    residual: i128,
    /// By how much predictions are later than the output for them, and the target that this approaches, in nanoseconds; none without
    /// predictions.
    lag: Option<(i128, i128)>,
}

impl PresentClock {
    /// A clock that has found no display and has no feedback yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            display: DisplayClock::new(),
            grid: RefreshGrid::new(),
            now: Duration::ZERO,
            frame: 0,
            residual: 0,
            lag: None,
        }
    }

    /// Takes feedback that arrived when the clock showed `arrived`. Times are since the first delta began, so they are on the
    /// clock of the deltas, as by [`MonotonicClock::now`](evenstep::MonotonicClock::now).
    pub fn observe(&mut self, feedback: PresentFeedback, arrived: Duration) {
        self.grid.observe(feedback, arrived);
    }

    /// When a frame that begins now will be presented, after `frames_in_flight` others; see [`RefreshGrid::predict`].
    #[must_use]
    pub fn predict(&self, frames_in_flight: u32) -> Option<Prediction> {
        self.grid.predict(frames_in_flight, self.now)
    }

    /// The number of the frame that began with the last delta; zero before the first.
    #[must_use]
    pub const fn frame(&self) -> u64 {
        self.frame
    }

    /// The refresh grid that feedback gave.
    #[must_use]
    pub const fn grid(&self) -> &RefreshGrid {
        &self.grid
    }

    /// Whether the last delta is the difference of two predictions.
    #[must_use]
    pub const fn follows_feedback(&self) -> bool {
        self.lag.is_some()
    }

    /// The output that follows the prediction, in nanoseconds.
    fn follow(&mut self, next: Prediction, otherwise: i128) -> i128 {
        let (now, at) = (self.now.as_nanos() as i128, next.at.as_nanos() as i128);
        let output = now - self.residual;
        // The first prediction continues from the present output.
        let (lag, target) = self.lag.unwrap_or([at - output - otherwise; 2].into());
        let lead = at - target - now;
        let (least, most) = (-(next.period.as_nanos() as i128) - MAX_BEHIND, MAX_AHEAD);
        let target = target + lead - lead.clamp(least, most);
        let left = target - lag;
        let lag = lag + left / GLIDE + left.signum();
        self.lag = Some((lag, target));
        at - lag - output
    }
}

impl Default for PresentClock {
    fn default() -> Self {
        Self::new()
    }
}

impl DeltaFilter for PresentClock {
    fn apply(&mut self, delta: Duration) -> Duration {
        // Times beyond the range of a clock are clamped.
        self.now = self.now.saturating_add(delta);
        self.frame += 1;
        let apart = self.residual - i128::from(self.display.residual());
        let fallback = self.display.apply(delta).as_nanos() as i128;
        self.residual += delta.as_nanos() as i128;
        // The difference to the display clock's residual is repaid gradually.
        let fallback = fallback + apart / GLIDE + apart.signum();
        let next = self.grid.predict(self.grid.frames_in_flight(), self.now);
        self.grid.submit(self.frame, self.now);
        let given = match next {
            Some(next) => self.follow(next, fallback),
            None => {
                self.lag = None;
                fallback
            }
        };
        let given = from_nanos(given.min(self.residual.saturating_add(MAX_LEAD.as_nanos() as i128)));
        self.residual -= given.as_nanos() as i128;
        given
    }

    /// Saturates.
    fn residual(&self) -> i64 {
        self.residual.clamp(i64::MIN.into(), i64::MAX.into()) as i64
    }

    fn max_lead(&self) -> Duration {
        MAX_LEAD
    }
}

/// Presentation feedback for the clock of a program's frames, with times of the program's clock.
pub trait FrameClockExt {
    /// Takes feedback that arrived when the program's clock showed `arrived`. Feedback for refreshes before the first frame is ignored.
    fn observe(&mut self, feedback: PresentFeedback, arrived: Duration);

    /// When a frame that begins now will be presented, after `frames_in_flight` others.
    #[must_use]
    fn predict(&self, frames_in_flight: u32) -> Option<Prediction>;
}

impl FrameClockExt for FrameClock<PresentClock> {
    fn observe(&mut self, feedback: PresentFeedback, arrived: Duration) {
        let Some(origin) = self.origin() else { return };
        let presented = feedback.presented.map(|at| at.checked_sub(origin));
        if let Some(arrived) = arrived.checked_sub(origin)
            && presented != Some(None)
        {
            let presented = presented.flatten();
            self.filter_mut()
                .observe(PresentFeedback { presented, ..feedback }, arrived);
        }
    }

    fn predict(&self, frames_in_flight: u32) -> Option<Prediction> {
        let (origin, prediction) = (self.origin()?, self.filter().predict(frames_in_flight)?);
        let at = prediction.at.saturating_add(origin);
        Some(Prediction { at, ..prediction })
    }
}
