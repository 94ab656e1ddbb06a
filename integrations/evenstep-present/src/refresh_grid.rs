//! Predicts presentation times from presentation feedback.

use core::time::Duration;

use crate::feedback::PresentFeedback;
use crate::numeric::{from_nanos, round};
use crate::prediction::Prediction;

mod grid_fit;
mod latch_deadline;
mod present_times_fit;

use latch_deadline::LatchDeadline;
use present_times_fit::PresentTimesFit;

/// Frames that can be in flight. With more nothing is predicted: the feedback has stopped.
const IN_FLIGHT: usize = 16;

/// Nothing is predicted for more refreshes ahead of the clock.
const MAX_AHEAD: f64 = 8.0;

/// The uncertainty of times that were not measured is at least this share of a period.
const NOT_MEASURED: f64 = 0.125;

/// No frame is presented sooner after its submission than others were, less this share of a period for timestamp jitter.
const JITTER: f64 = 0.25;

/// A time may be wrong by this after its conversion from another clock.
const CONVERSION_ERROR: Duration = Duration::from_millis(1);

/// A predicted time may be later than its feedback's arrival by this.
const PREDICTED_AHEAD: Duration = Duration::from_millis(100);

/// Share by which the shortest latency moves towards that of each frame.
const FORGOTTEN: f64 = 1.0 / 256.0;

/// The refreshes of a display, from presentation feedback: period, phase, and when the next frame will be presented.
///
/// ```
/// use evenstep_present::{PresentFeedback, RefreshGrid};
/// use std::time::Duration;
///
/// let mut grid = RefreshGrid::new();
/// let refresh = |n: u64| Duration::from_nanos(n * 16_666_667);
/// let late = Duration::from_millis(1);
/// for n in 1..100 {
///     grid.submit(n, refresh(n) + late); // it is presented two refreshes later
///     if n > 2 {
///         // The feedback that has arrived when frame n begins.
///         let (id, presented) = (n - 2, Some(refresh(n)));
///         let feedback = PresentFeedback::new(id, presented).with_reliable(true);
///         grid.observe(feedback, refresh(n) + late);
///     }
/// }
/// let next = grid.predict(grid.frames_in_flight(), refresh(99) + late).unwrap();
/// assert!(next.at.abs_diff(refresh(102)) < Duration::from_micros(1)); // of frame 100
/// ```
///
/// # Properties of feedback
///
/// - *Late by several frames*: the frames in flight are counted, and the prediction is as many refreshes ahead.
/// - *Missing*: a frame without feedback is settled by the feedback of a later frame. After sixteen frames without any feedback
///   nothing is predicted.
/// - *Discarded*: carries no information about refreshes. For a program that makes more frames than are presented, the prediction
///   uses the share of frames that are.
/// - *Of another clock*: a time that lies before the frame was submitted, or after its feedback arrived, is ignored.
/// - *Wrong about the rate*: after eight frames only the measured period counts. Frames that are multiples of no period apart, as with variable refresh, are not predicted.
/// - *Predicted rather than measured*: `reliable` is false. It counts, with an uncertainty of an eighth of a period at the least,
///   until a frame was measured; then only measured ones count, for as long as one of 32 frames is.
/// - *Out of order or double*: is ignored.
#[derive(Clone, Debug, PartialEq)]
pub struct RefreshGrid {
    /// Frames that were submitted last, in a ring.
    submitted: [(u64, Duration); IN_FLIGHT],
    next: usize,
    newest_submitted: Option<u64>,
    /// The newest frame of which there was feedback.
    settled: Option<u64>,
    fit: PresentTimesFit,
    latch: LatchDeadline,
    /// The shortest latency of recent frames, from submission to presentation, in nanoseconds.
    shortest: f64,
    /// Frames in a row that were not measured.
    not_measured: u8,
    /// Discarded frames since the newest presented one.
    discarded_since: u32,
}

impl RefreshGrid {
    /// Frames in a row that are not measured, after which those count too.
    const MAX_UNMEASURED: u8 = 32;

    /// A grid without feedback.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            submitted: [(0, Duration::ZERO); IN_FLIGHT],
            next: 0,
            newest_submitted: None,
            settled: None,
            fit: PresentTimesFit::new(),
            latch: LatchDeadline::new(),
            shortest: 0.0,
            not_measured: Self::MAX_UNMEASURED,
            discarded_since: 0,
        }
    }

    /// Records that a frame is submitted, at a time of the program's clock that is not after its presentation. An `id` that is not larger
    /// than the previous one is ignored, so no frame can follow the largest id. `at` is when the frame is ready, not when it begins: the
    /// [`latch_deadline`](Self::latch_deadline) is estimated from it.
    pub fn submit(&mut self, id: u64, at: Duration) {
        if self.newest_submitted.is_some_and(|newest| id <= newest) {
            return;
        }
        self.newest_submitted = Some(id);
        self.submitted[self.next] = (id, at);
        self.next = (self.next + 1) % IN_FLIGHT;
    }

    /// Takes feedback that arrived at a time of the program's clock. Feedback of a frame that was never submitted is ignored.
    pub fn observe(&mut self, feedback: PresentFeedback, arrived: Duration) {
        let id = feedback.id;
        if self.settled.is_some_and(|settled| id <= settled) || self.newest_submitted.is_none_or(|newest| id > newest) {
            return;
        }
        self.settled = Some(id);
        let Some(presented) = feedback.presented else {
            self.discarded_since = self.discarded_since.saturating_add(1);
            return;
        };
        // When a frame was submitted is known of the last ones only.
        let submitted = self.submitted.iter().find(|(submitted, _)| *submitted == id && id > 0);
        let submitted = submitted.map(|(_, at)| *at);
        let ahead = if feedback.reliable {
            CONVERSION_ERROR
        } else {
            PREDICTED_AHEAD
        };
        let is_of_our_clock = submitted.is_none_or(|at| at <= presented.saturating_add(CONVERSION_ERROR))
            && presented <= arrived.saturating_add(ahead);
        if !is_of_our_clock || !self.counts(feedback.reliable) {
            return;
        }
        if let Some(submitted) = submitted {
            self.learn_latency(id, submitted, presented);
        }
        self.discarded_since = 0;
        self.fit.observe(id, presented, feedback.refresh);
    }

    fn learn_latency(&mut self, id: u64, submitted: Duration, presented: Duration) {
        let latency = presented.saturating_sub(submitted).as_nanos() as f64;
        if let (Some((newest, before, _)), Some(period)) = (self.fit.newest(), self.fit.period()) {
            let refreshes = presented.saturating_sub(before).as_nanos() as f64 / period;
            // A frame without feedback may have been presented in between.
            let is_next = id.saturating_sub(newest) == u64::from(self.discarded_since) + 1;
            self.latch.observe(latency, is_next && refreshes > 1.5, period);
        }
        let kept = self.shortest + FORGOTTEN * (latency - self.shortest);
        self.shortest = if self.fit.newest().is_some() {
            kept.min(latency)
        } else {
            latency
        };
    }

    /// Whether a time counts now, by whether it was measured.
    fn counts(&mut self, is_measured: bool) -> bool {
        if is_measured {
            if self.not_measured >= Self::MAX_UNMEASURED {
                // Predicted times may be on another grid.
                self.fit.restart();
            }
            self.not_measured = 0;
            return true;
        }
        self.not_measured = self.not_measured.saturating_add(1).min(Self::MAX_UNMEASURED);
        self.not_measured == Self::MAX_UNMEASURED
    }

    /// The number of frames that were submitted after the newest presented one.
    #[must_use]
    pub fn frames_in_flight(&self) -> u32 {
        let presented = self.fit.newest().map_or(0, |(id, ..)| id);
        let newest = self.newest_submitted.unwrap_or(presented);
        u32::try_from(newest.saturating_sub(presented)).unwrap_or(u32::MAX)
    }

    /// When a frame will be presented that is submitted after as many [frames in flight](Self::frames_in_flight). `now` is when it
    /// begins: after a pause, its latency is at least the others'.
    ///
    /// None until a frame with an announced refresh period was presented, or eight frames otherwise; where frames follow no grid; and
    /// where sixteen or more are in flight, or the refresh would be more than eight periods ahead.
    #[must_use]
    pub fn predict(&self, frames_in_flight: u32, now: Duration) -> Option<Prediction> {
        let (newest, period) = self.newest_refresh(now)?;
        let frames = f64::from(frames_in_flight) + 1.0;
        let refreshes = round(self.fit.refreshes_per_frame() * frames).max(1.0);
        let soonest = (self.shortest - JITTER * period).max(0.0);
        let passed = round((soonest - newest) / period + 0.5);
        let ahead = newest + refreshes.max(passed) * period;
        let is_near = (frames_in_flight as usize) < IN_FLIGHT && (0.0..=MAX_AHEAD * period).contains(&ahead);
        is_near.then(|| self.prediction(now, ahead, period))
    }

    /// The first refresh after a time that no frame in flight will use, if each uses one, and for which a frame submitted at that time is
    /// not too late: the argument of a [`Pacer`](crate::Pacer). A frame that waits for the display is in flight, too, so a full queue runs
    /// empty again. The uncertainty includes the [`latch_deadline`](Self::latch_deadline).
    ///
    /// None if there is no grid yet, if presentation times follow no grid, and while sixteen or more frames are in flight.
    #[must_use]
    pub fn next_refresh(&self, now: Duration) -> Option<Prediction> {
        let (newest, period) = self.newest_refresh(now)?;
        let in_flight = self.frames_in_flight();
        let taken = in_flight.saturating_sub(self.discarded_since);
        let lead = self.latch.nanos();
        let passed = round((lead - newest) / period + 0.5);
        let ahead = newest + passed.max(f64::from(taken) + 1.0) * period;
        let is_fed = (in_flight as usize) < IN_FLIGHT;
        is_fed.then(|| {
            let next = self.prediction(now, ahead.max(0.0), period);
            let uncertainty = next.uncertainty.saturating_add(self.latch_deadline());
            Prediction { uncertainty, ..next }
        })
    }

    /// The latch deadline: how long before a refresh a frame has to be submitted to be presented at it, as learned. A compositor
    /// latches frames some milliseconds before a refresh. Zero until three of 64 frames were submitted before a refresh that
    /// presented no other, and were presented at the next one.
    #[must_use]
    pub fn latch_deadline(&self) -> Duration {
        from_nanos(round(self.latch.nanos()) as i128)
    }

    /// The refresh that presented the newest frame, in nanoseconds after `now`, and the period.
    fn newest_refresh(&self, now: Duration) -> Option<(f64, f64)> {
        let (_, newest, phase) = self.fit.newest()?;
        let after = newest.as_nanos() as i128 - now.as_nanos() as i128;
        Some((after as f64 + phase, self.fit.period()?))
    }

    fn prediction(&self, now: Duration, ahead: f64, period: f64) -> Prediction {
        let least = if self.is_measured() { 0.0 } else { NOT_MEASURED * period };
        let spread = self.fit.spread().max(least);
        Prediction {
            at: from_nanos(now.as_nanos() as i128 + round(ahead) as i128),
            period: from_nanos(round(period) as i128),
            uncertainty: from_nanos(round(spread) as i128),
        }
    }

    /// The time between refreshes; see [`predict`](Self::predict) for when there is none.
    #[must_use]
    pub fn period(&self) -> Option<Duration> {
        self.fit.period().map(|period| from_nanos(round(period) as i128))
    }

    /// Whether the grid is estimated from measured times, and not from predicted ones.
    #[must_use]
    pub const fn is_measured(&self) -> bool {
        self.not_measured < Self::MAX_UNMEASURED
    }
}

impl Default for RefreshGrid {
    fn default() -> Self {
        Self::new()
    }
}
