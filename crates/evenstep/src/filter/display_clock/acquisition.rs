//! Acquisition: finds a display's refresh period in the timestamps of a few frames.

use super::constants::{ACQUIRE_FRAMES, CLOCK_GRID, MAX_FRAME, MUCH_BETTER, RESOLVED_FIT, TO_LOCK};
use super::refresh_tracker::RefreshTracker;
use crate::numeric::grid_fit::{GridFit, PERIODS};
use crate::numeric::sorted_window::sort;

/// The last timestamps, while there is no grid to track.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Acquisition {
    /// In nanoseconds after the first of them.
    times: [f64; ACQUIRE_FRAMES],
    count: usize,
    /// The evidence that the next lock takes.
    to_lock: f64,
}

impl Acquisition {
    /// Begins with the newest timestamp.
    pub(super) const fn new() -> Self {
        Self {
            times: [0.0; ACQUIRE_FRAMES],
            count: 1,
            to_lock: TO_LOCK,
        }
    }

    /// Restarts with the newest timestamp after a display was lost.
    pub(super) fn restart(&mut self, lost: &RefreshTracker) {
        self.count = 1;
        self.to_lock = if lost.was_locked_long() { TO_LOCK / 4.0 } else { TO_LOCK };
    }

    /// Takes the delta of a frame, in nanoseconds. Returns a tracker once there are enough frames.
    pub(super) fn acquire(&mut self, delta: f64) -> Option<RefreshTracker> {
        if delta > MAX_FRAME {
            self.count = 1;
            return None;
        }
        self.times[self.count] = self.times[self.count - 1] + delta;
        self.count += 1;
        if self.count < ACQUIRE_FRAMES {
            return None;
        }
        self.count = 1;
        let fit = best_fit(&self.times)?;
        Some(RefreshTracker::new(&fit, self.to_lock))
    }
}

/// The coarsest grid that fits about as well as any.
fn best_fit(times: &[f64; ACQUIRE_FRAMES]) -> Option<GridFit> {
    // One refresh per frame, unless another grid fits much better.
    let mut best = GridFit::of_every_timestamp(times);
    let mut deltas = intervals(times);
    sort(&mut deltas, f64::total_cmp);
    let quartile = |quarters: usize| deltas[quarters * deltas.len() / 4];
    for (delta, refreshes) in [
        (quartile(3), 1.0),
        (quartile(2), 1.0),
        (quartile(1), 1.0),
        (quartile(2), 2.0),
        (quartile(1), 2.0),
        (quartile(2), 3.0),
        (quartile(1), 3.0),
    ] {
        let period = delta / refreshes;
        if !PERIODS.contains(&period) {
            continue;
        }
        let is_resolved = |fit: &GridFit| (CLOCK_GRID..RESOLVED_FIT * fit.period).contains(&fit.deviation);
        let fit = GridFit::near(times, period).filter(|fit| is_resolved(fit) && is_cadence(fit.indices()));
        let is_better =
            |fit: &GridFit| best.is_none_or(|best| refreshes * fit.deviation < MUCH_BETTER * best.deviation);
        if let Some(fit) = fit.filter(is_better) {
            best = Some(fit);
        }
    }
    best
}

/// Whether frames at these refreshes have a cadence or missed refreshes, and are not only late. A timestamp that is late by a
/// fraction of a period is followed by a frame that is shorter by as much, so longer and shorter frames cancel out.
fn is_cadence(refresh_indices: &[f64]) -> bool {
    let mut refreshes = intervals(refresh_indices);
    sort(&mut refreshes, f64::total_cmp);
    let median = refreshes[refreshes.len() / 2];
    let up_to = |most: f64| refreshes.partition_point(|refreshes| *refreshes <= most);
    let (shorter, longer) = (up_to(median - 1.0), refreshes.len() - up_to(median));
    // The first and the last timestamp may be late without a counterpart, hence more than one of difference.
    let difference = shorter.abs_diff(longer);
    difference >= median.clamp(1.0, 2.0) as usize && 2 * difference > shorter + longer
}

/// The differences of consecutive values.
fn intervals(values: &[f64]) -> [f64; ACQUIRE_FRAMES - 1] {
    core::array::from_fn(|index| values[index + 1] - values[index])
}
