//! A delta filter that locks to the display's refreshes: a hypothesis filter over the phase of a refresh grid.
//!
//! In each frame:
//!
//! 1. [`ClockResolution`] finds out whether the clock is coarse.
//! 2. [`RefreshTracker`] predicts the next refresh. Its missed-refresh estimator decides to which refresh the frame belongs. It extends
//!    each hypothesis about the phase by each skip that explains the timestamp, and weighs how frequent that skip and that jitter are.
//! 3. The tracker corrects period and phase by the jitter that is left, and judges whether frames still are those of a display.
//! 4. [`PhaseGuard`] chooses the lead over the display, to which the output glides. A frame's output is the time between its refresh
//!    and the one before. The difference to the deltas that came in is the residual, which is bounded.
//!
//! The states:
//!
//! ```text
//!              1              2               3
//!  acquiring ----> unlocked ----> locked <---------> suspect
//!      ^              |             |         4         |
//!      |              v      5      v                   v
//!      +--------------+-------- lost <------------------+
//! ```
//!
//! 1. [`Acquisition`] fits a period and phase to 32 frames.
//! 2. Deviations from the grid are small enough, compared with how much they change: after 128 frames of white noise, or 32 after a long
//!    lock. From now on the output follows the display; before, deltas pass unchanged.
//! 3. The missed-refresh estimator concludes that the display is at a phase off the grid, or revises an earlier conclusion. The output
//!    glides there.
//! 4. Eight frames later that is decided.
//! 5. Frames wander off the grid, the lock is one to a harmonic, the weight is too low, or a second shift in the same direction follows
//!    the first before it is decided. Acquisition restarts.

use core::time::Duration;

use crate::filter::DeltaFilter;
use crate::filter::lead_limit::{MAX_LEAD, from_nanos, max_output};
use crate::numeric::rounding::floor;

mod acquisition;
mod clock_resolution;
mod constants;
mod drop_stats;
mod harmonic_detector;
mod jitter_histogram;
mod missed_refresh_estimator;
mod noise;
mod phase_guard;
mod refresh_tracker;

use acquisition::Acquisition;
use clock_resolution::ClockResolution;
use constants::{GLIDE_FRAMES, MIN_RESIDUAL, REPAYMENT_TIME};
use phase_guard::PhaseGuard;
use refresh_tracker::RefreshTracker;

/// A delta filter that locks to the display: its output deltas are whole multiples of the refresh period.
///
/// Frame timestamps jitter; refreshes do not. The filter first counts the refreshes between timestamps, then fits period and phase by
/// least squares, and outputs the times of refreshes instead of timestamps. Total time is conserved: the output does not drift from
/// the clock. It leads the display by 0.1 ms. Where a step that began with the first timestamp would end near a refresh, the output leads or lags the display by as much as
/// keeps it away from there: at least 0.175 ms, more where timestamps are noisy, and 2.4 ms at most,
/// or half the resolution of a clock coarser than 4.8 ms. It never leads the clock by more than 2.5 ms.
///
/// A timestamp far off the refresh grid was either taken late, or the program missed refreshes. The filter weighs both by Bayes' rule,
/// with learned distributions of timestamp jitter and of missed refreshes, alone and in bursts. It follows the most probable
/// hypothesis in each frame and revises wrong ones. A missed refresh is followed in the same frame where jitter is below an
/// eighth of a period. Correlated noise is whitened (AR(1)).
///
/// A coarse clock rounds its times down to multiples of its resolution, which is found in the deltas. A display is followed even where
/// the resolution is longer than a refresh; a missed refresh is then followed once a timestamp is too late for quantisation to
/// explain it.
///
/// Frames that a program paces by itself, as on a display with variable refresh, wander off any grid. The filter locks only where
/// deviations from the grid are smaller than those of frames that wander, judged by how much they change from frame to frame. Out of
/// lock, deltas pass unchanged, with one exception: after the first frames the output shifts by up to 2.4 ms, away from the ends of
/// steps by sixteen times the jitter.
///
/// ```
/// use evenstep::filter::{DeltaFilter, DisplayClock};
/// use std::time::Duration;
///
/// let mut clock = DisplayClock::new();
/// let timestamp = |n: u64| Duration::from_micros(n * 16_667 + n * 137 % 300); // a display at 60 Hz, with jitter
/// let mut output = Duration::ZERO;
/// for n in 1..600 {
///     output = clock.apply(timestamp(n) - timestamp(n - 1));
/// }
/// assert!(output.abs_diff(Duration::from_micros(16_667)) < Duration::from_micros(5));
/// assert!((clock.refresh_hz().expect("it is locked") - 60.0).abs() < 0.01);
/// ```
///
/// Period and phase: S. Blackman, R. Popoli, *Design and Analysis of Modern Tracking Systems* (1999), chapter 3. Late timestamps and
/// missed refreshes: L. Rabiner, *A tutorial on hidden Markov models* (1989), and G. D. Forney, *The Viterbi algorithm* (1973).
/// Lock detection: J. von Neumann, *Distribution of the ratio of the mean square successive difference to the variance* (1941),
/// with mean absolute values, which are less sensitive to outliers.
#[derive(Clone, Debug, PartialEq)]
pub struct DisplayClock {
    /// Runs while there is no tracker.
    acquisition: Acquisition,
    resolution: ClockResolution,
    /// Locked or not.
    tracker: Option<RefreshTracker>,
    /// By how much the output leads the display, in nanoseconds; none while deltas pass unchanged.
    lead: Option<f64>,
    /// Input less output, in nanoseconds.
    residual: i128,
    guard: PhaseGuard,
}

impl DisplayClock {
    /// A clock that has not found a display yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            acquisition: Acquisition::new(),
            resolution: ClockResolution::new(),
            tracker: None,
            lead: None,
            residual: 0,
            guard: PhaseGuard::new(),
        }
    }

    /// The refresh rate that it is locked to, in hertz; none while it is not.
    #[must_use]
    pub fn refresh_hz(&self) -> Option<f64> {
        let followed = self.tracker.as_ref().filter(|_| self.lead.is_some());
        followed.map(|tracker| 1e9 / tracker.period)
    }

    /// Takes the delta of a frame in nanoseconds. Returns the display's refresh less the timestamp, in nanoseconds; none out of
    /// lock.
    fn track(&mut self, delta: f64) -> Option<f64> {
        self.resolution.learn(delta);
        match &mut self.tracker {
            Some(tracker) => {
                if !tracker.track(delta, self.resolution.nanos()) {
                    self.acquisition.restart(tracker);
                    self.tracker = None;
                }
            }
            None => self.tracker = self.acquisition.acquire(delta),
        }
        self.guard.update(delta, self.tracker.as_ref());
        let tracker = self.tracker.as_ref().filter(|tracker| tracker.is_locked)?;
        if tracker.is_off_grid {
            self.lead = None;
        }
        Some(tracker.phase)
    }
}

/// The part of a residual that is repaid in a frame out of lock, in nanoseconds.
fn repayment(residual: i128, delta: i128) -> i128 {
    if residual.abs() < MIN_RESIDUAL {
        residual
    } else {
        residual * delta.min(REPAYMENT_TIME) / REPAYMENT_TIME
    }
}

impl Default for DisplayClock {
    fn default() -> Self {
        Self::new()
    }
}

impl DeltaFilter for DisplayClock {
    fn apply(&mut self, delta: Duration) -> Duration {
        let before = self.residual;
        let nanos = delta.as_nanos() as i128;
        self.residual += nanos;
        // Exact up to some months. Longer deltas are no frames.
        let rounded = delta.as_secs() as f64 * 1e9 + f64::from(delta.subsec_nanos());
        let output = match self.track(rounded) {
            // The sum of all output ends at the refresh plus the lead, which approaches that of the guard.
            Some(phase) => {
                let lead = self.lead.unwrap_or_else(|| -phase - before as f64);
                let lead = lead + (self.guard.lead - lead) / GLIDE_FRAMES;
                self.lead = Some(lead);
                self.residual + i128::from(floor(phase + lead) as i64)
            }
            None => {
                self.lead = None;
                nanos + repayment(before + self.guard.unlocked_lead, nanos)
            }
        };
        let output = from_nanos(output.min(max_output(self.residual)));
        self.residual -= output.as_nanos() as i128;
        output
    }

    fn residual(&self) -> i128 {
        self.residual
    }

    fn max_lead(&self) -> Duration {
        MAX_LEAD
    }
}
