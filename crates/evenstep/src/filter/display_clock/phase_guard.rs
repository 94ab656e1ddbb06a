//! Phase guard: keeps the output away from the ends of steps of a simulation at the display's rate.
//!
//! A step that ends exactly at a refresh would fall before it in one frame and after it in the next, by residual noise. The
//! guard chooses by how much the output leads the display, so that step ends keep a guard interval from it.

use super::constants::{
    DEVIATION_FRAMES, FARTHEST, GUARD, MAX_GUARD_PERIODS, MAX_TIME, MIN_GUARD, PREFERRED_LEAD, QUANTISED,
    UNLOCKED_GUARD,
};
use super::refresh_tracker::{RefreshTracker, phase_gain};
use crate::numeric::rounding::{floor, round};

/// The guard. See [the module](self). Steps end where the first timestamp was and every period from there.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PhaseGuard {
    /// Time since the first timestamp in nanoseconds, less the phase shifts of the display since.
    since_first: f64,
    /// The estimated deviation of the first timestamp in nanoseconds, and the number of frames from which it was estimated.
    first_deviation: f64,
    frames: f64,
    /// The lead over the display in lock, and over the clock out of lock, in nanoseconds.
    pub(super) lead: f64,
    pub(super) unlocked_lead: i128,
}

impl PhaseGuard {
    /// Before the first frame.
    pub(super) const fn new() -> Self {
        Self {
            since_first: 0.0,
            first_deviation: 0.0,
            frames: 0.0,
            lead: 0.0,
            unlocked_lead: 0,
        }
    }

    /// Takes the delta of a frame in nanoseconds, and the tracker, if there is one.
    pub(super) fn update(&mut self, delta: f64, tracker: Option<&RefreshTracker>) {
        self.since_first = (self.since_first + delta).min(MAX_TIME);
        let Some(tracker) = tracker else { return };
        self.since_first -= tracker.phase_shift;
        let is_first = self.frames == 0.0;
        if self.frames < DEVIATION_FRAMES && (is_first || tracker.is_locked) {
            self.frames += 1.0;
            let error = self.since_first + tracker.phase + self.first_deviation;
            let error = error - round(error / tracker.period) * tracker.period;
            // A display that is being exchanged must not change the estimate much.
            self.first_deviation -= error * phase_gain(self.frames).min(1.0);
        }
        if tracker.is_locked {
            self.lead = self.choose(tracker, GUARD);
        } else if is_first && tracker.is_resolved() {
            self.unlocked_lead = self.choose(tracker, UNLOCKED_GUARD) as i128;
        }
    }

    /// The lead nearest to the preferred one that keeps an interval of `guard` mean absolute deviations from step ends.
    fn choose(&self, tracker: &RefreshTracker, guard: f64) -> f64 {
        let period = tracker.period;
        // Timestamps of a coarse clock are early by half its resolution: they must not trail the output by more than it may lead.
        // Where each delta is the same multiple of the resolution, none is early.
        let early = (0.5 * tracker.resolution).min(0.5 / QUANTISED * tracker.deviation);
        let max_lead = FARTHEST - early;
        let preferred = max_lead.min(PREFERRED_LEAD);
        // The step that contains a lead, and the time since its begin.
        let step = |lead: f64| {
            let index = floor((lead - self.first_deviation) / period);
            (index, lead - self.first_deviation - index * period)
        };
        let (_, after_end) = step(preferred);
        // An interval beyond the farthest lead would make the output lag.
        let most = (after_end + FARTHEST).min(MAX_GUARD_PERIODS * period);
        let guard = (guard * tracker.deviation).clamp(MIN_GUARD, most);
        let (up, down) = (guard - after_end, after_end + guard - period);
        let lead = if up > max_lead - preferred {
            preferred - after_end - guard
        } else {
            preferred + up.max(0.0) - down.max(0.0)
        };
        let lead = lead.max(max_lead.min(0.0) - FARTHEST);
        if lead == self.lead || self.lead == 0.0 || self.lead > max_lead {
            return lead;
        }
        // Moving to the other side of a step end would cross it: a former lead that still keeps clear is kept.
        let (former_step, after_end) = step(self.lead);
        let is_clear = (0.5 * guard..=period - 0.5 * guard).contains(&after_end);
        if is_clear && step(lead).0 != former_step {
            self.lead
        } else {
            lead
        }
    }
}
