//! The effect of pacing.

use core::time::Duration;

use crate::pace::plan::FramePlan;

/// The benefit and the cost of pacing, over all frames for a display with a fixed rate.
///
/// Both are in comparison with a program that begins each frame at the refresh before its own, as vertical sync makes it do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PacerStats {
    /// The number of finished frames.
    pub frames: u64,
    /// The sum of their waits.
    pub waited: Duration,
    /// The number of refreshes that frames missed, by the prediction.
    pub missed: u64,
    /// The missed refreshes that frames would have met if they had begun at the refresh before.
    pub missed_by_waiting: u64,
    /// By how much the age of frames at their refresh is smaller, summed over all frames, in nanoseconds. A refresh missed by waiting
    /// makes a frame older.
    pub latency_saved: i128,
}

impl PacerStats {
    /// By how much the age of a frame at its refresh is smaller on average, in seconds; negative if it is larger.
    #[must_use]
    pub fn latency_saved_mean_secs_f64(&self) -> f64 {
        self.latency_saved as f64 / 1e9 / self.frames.max(1) as f64
    }

    /// Counts a frame that missed `late` refreshes and had missed `late_at_refresh` without waiting.
    pub(super) fn count(&mut self, plan: FramePlan, period: i128, late: i128, late_at_refresh: i128) {
        let whole = |missed: i128| u64::try_from(missed).unwrap_or(u64::MAX);
        let target = plan.shown.unwrap_or(plan.begin);
        let age = target.as_nanos() as i128 - plan.begin.as_nanos() as i128 + late * period;
        self.frames += 1;
        self.waited = self.waited.saturating_add(plan.wait());
        self.missed = self.missed.saturating_add(whole(late));
        let by_waiting = (late - late_at_refresh).max(0);
        self.missed_by_waiting = self.missed_by_waiting.saturating_add(whole(by_waiting));
        self.latency_saved = self.latency_saved.saturating_add((1 + late_at_refresh) * period - age);
    }

    /// The percentage of frames that missed refreshes by waiting, if each missed one: from 0 to 100.
    #[must_use]
    pub fn missed_by_waiting_pct(&self) -> f64 {
        (100.0 * self.missed_by_waiting as f64 / self.frames.max(1) as f64).min(100.0)
    }
}
