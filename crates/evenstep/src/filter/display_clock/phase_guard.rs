//! Phase guard: keeps the output away from the ends of steps of a simulation at the display's rate.
//!
//! A step that ends exactly at a refresh would fall before it in one frame and after it in the next, by residual noise. The
//! guard chooses by how much the output leads the display, so that step ends keep a guard interval from it.

use super::refresh_tracker::RefreshTracker;
use crate::filter::lead_limit::MAX_LEAD;
use crate::numeric::rounding::{floor, round};

/// The preferred lead over the display, in nanoseconds.
const PREFERRED_LEAD: f64 = 350_000.0;

/// The guard interval in lock, in mean absolute deviations of timestamps: this for each frame of the noise's correlation time, plus
/// this over the tracker's weight, but at most this where there is room for it...
const GUARD_PER_CORRELATION_TIME: f64 = 0.6;
const GUARD_UNCERTAINTY: f64 = 512.0;
const MAX_GUARD: f64 = 2.5;

/// ...and out of lock, also at least this many nanoseconds. Before the first lock it is as large as possible: few frames tell too
/// little about correlated noise.
const UNLOCKED_GUARD: f64 = 4.0;
const MIN_UNLOCKED_GUARD: f64 = 1_000_000.0;

/// Upper bounds of the guard interval in periods, and of the lead in nanoseconds.
const MAX_GUARD_PERIODS: f64 = 0.45;
const FARTHEST: f64 = 2_400_000.0;

/// Timestamps of a coarse clock are early by half its resolution in the mean. The lag may exceed [`FARTHEST`] for it, by half
/// the resolution less this, in nanoseconds.
const QUANTISATION_ALLOWANCE: f64 = 2_000_000.0;

/// Timestamps are hardly ever earlier than their refresh by more mean absolute deviations.
const MAX_EARLY: f64 = 4.0;

/// A delta of more periods is a pause.
const PAUSE: f64 = 64.0;

/// Frames over which the phase of the step ends is estimated.
const ESTIMATED_FRAMES: u32 = 256;

/// Gain of that estimate, over the number of frames.
const GAIN: f64 = 4.0;

/// After more frames the estimate is final when the display is exchanged.
const ENOUGH_FRAMES: u32 = 64;

/// Upper bound of the time since the first timestamp, in nanoseconds.
const MAX_TIME: f64 = 1e15;

/// The guard. See [the module](self). Steps end where the first timestamp was and every period from there.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PhaseGuard {
    /// Time since the first timestamp in nanoseconds, less the phase shifts of the display since.
    since_first: f64,
    /// The estimated deviation of the first timestamp in nanoseconds, and the frames that it rests on.
    first_deviation: f64,
    frames: u32,
    /// The lead over the display in lock, and over the clock out of lock, in nanoseconds.
    lead: f64,
    unlocked_lead: f64,
}

impl PhaseGuard {
    /// Before the first frame.
    pub(super) const fn new() -> Self {
        Self {
            since_first: 0.0,
            first_deviation: 0.0,
            frames: 0,
            lead: 0.0,
            unlocked_lead: 0.0,
        }
    }

    /// Takes the delta of a frame in nanoseconds, and the tracker, if there is one.
    pub(super) fn update(&mut self, delta: f64, tracker: Option<&RefreshTracker>) {
        self.since_first = (self.since_first + delta).min(MAX_TIME);
        let Some(tracker) = tracker else { return };
        self.since_first -= tracker.phase_shift();
        let is_first = self.frames == 0;
        // Over a pause, a small error of the period adds up.
        if delta > PAUSE * tracker.period() && self.frames > 0 {
            self.frames = ESTIMATED_FRAMES;
        }
        if self.frames < ESTIMATED_FRAMES && (is_first || tracker.is_locked()) {
            self.frames += 1;
            let error = self.since_first + tracker.phase() + self.first_deviation;
            let error = error - round(error / tracker.period()) * tracker.period();
            // A display that is being exchanged must not move it much.
            self.first_deviation -= error * (GAIN / f64::from(self.frames)).min(1.0);
        }
        if tracker.is_locked() {
            let uncertainty = GUARD_UNCERTAINTY / tracker.weight() * tracker.baseline_deviation();
            let guard = (min_guard(tracker) + uncertainty).min(MAX_GUARD * tracker.baseline_deviation());
            // Early timestamps must not trail the output by more than any filter may lead.
            let max_lead = MAX_LEAD.as_nanos() as f64 - MAX_EARLY * tracker.baseline_deviation();
            self.lead = self.choose(tracker, guard, max_lead, self.lead);
        }
        if (is_first && tracker.is_resolved()) || (tracker.is_locked() && tracker.was_locked_long()) {
            let guard = match is_first {
                true => f64::INFINITY,
                false => (UNLOCKED_GUARD * tracker.baseline_deviation()).max(MIN_UNLOCKED_GUARD),
            };
            self.unlocked_lead = self.choose(tracker, guard, FARTHEST, self.unlocked_lead);
        }
    }

    /// The refreshes of another display say nothing about the phase of the step ends: what was estimated is final.
    pub(super) fn lose_display(&mut self) {
        if self.frames > ENOUGH_FRAMES {
            self.frames = ESTIMATED_FRAMES;
        }
    }

    /// The lead over the display, in nanoseconds.
    pub(super) fn lead(&self) -> f64 {
        self.lead
    }

    /// The lead over the clock while no display is followed, in nanoseconds.
    pub(super) fn unlocked_lead(&self) -> i128 {
        self.unlocked_lead as i128
    }

    /// Whether the estimate of the step ends rests on a single frame.
    pub(super) fn is_first_estimate(&self) -> bool {
        self.frames == 1
    }

    /// A lead of at most `max_lead` that keeps the interval `guard` from step ends, near to the former lead `before`.
    fn choose(&self, tracker: &RefreshTracker, guard: f64, max_lead: f64, before: f64) -> f64 {
        let period = tracker.period();
        let max_lag = FARTHEST.max(0.5 * tracker.resolution() - QUANTISATION_ALLOWANCE);
        let max_lead = max_lead.clamp(-max_lag, FARTHEST);
        let preferred = PREFERRED_LEAD.min(max_lead);
        let after_end = self.after_step_end(preferred, period);
        // A guard interval beyond the necessary one must not make the output lag.
        let guard = guard.min(min_guard(tracker).max(after_end + max_lead - preferred));
        let guard = (0.5 * PREFERRED_LEAD).max(guard).min(MAX_GUARD_PERIODS * period);
        let (up, down) = (guard - after_end, after_end + guard - period);
        let lead = if up > 0.0 && preferred + up <= max_lead {
            preferred + up
        } else if up > 0.0 {
            preferred - after_end - guard
        } else {
            preferred - down.max(0.0)
        };
        let lead = lead.clamp(-max_lag, FARTHEST);
        // Moving to the other side of a step end would cross it: a former lead that still keeps clear is kept.
        let is_clear = (0.5 * guard..=period - 0.5 * guard).contains(&self.after_step_end(before, period));
        let is_good = before != 0.0 && is_clear && before <= max_lead.max(0.5 * FARTHEST);
        let is_other_side = self.step_index(lead, period) != self.step_index(before, period);
        if is_good && is_other_side { before } else { lead }
    }

    /// The time from the last step end to a lead, in nanoseconds.
    fn after_step_end(&self, lead: f64, period: f64) -> f64 {
        lead - self.first_deviation - self.step_index(lead, period) * period
    }

    /// The index of the step that a lead falls in.
    fn step_index(&self, lead: f64, period: f64) -> f64 {
        floor((lead - self.first_deviation) / period)
    }
}

/// The least guard interval in lock, in nanoseconds: correlated noise does not average out.
fn min_guard(tracker: &RefreshTracker) -> f64 {
    GUARD_PER_CORRELATION_TIME * tracker.correlation_time() * tracker.baseline_deviation()
}
