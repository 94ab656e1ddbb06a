//! Acquisition: finds a display's refresh period in the timestamps of a few frames.

use super::drop_stats::DropStats;
use super::fit::{ACQUIRE_FRAMES, Fit, PERIODS, REACQUIRE_FRAMES, refresh_indices};
use super::lock_detector::LockCriteria;
use super::refresh_tracker::RefreshTracker;
use crate::numeric::sorted_window::sort;

/// A finer grid fits any timestamps better. It must have less than this share of the other's deviation...
const MUCH_BETTER: f64 = 0.5;

/// ...and deviate by less than this share of its period: uniformly distributed timestamps deviate by a quarter.
const RESOLVED: f64 = 0.15;

/// A finer grid with a smaller deviation, in nanoseconds, is that of a coarse clock and not of a display.
const CLOCK_GRID: f64 = 20.0;

/// Longer deltas, in nanoseconds, are no frames.
const MAX_DELTA: f64 = 5e8;

/// Where the jitter is known, a fit may deviate by this factor more.
const REACQUIRE_TOLERANCE: f64 = 1.3;

/// The last timestamps, while there is no grid to track.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Acquisition {
    /// In nanoseconds after the first of them.
    times: [f64; ACQUIRE_FRAMES],
    count: usize,
    /// Of the next tracker.
    criteria: LockCriteria,
    /// The mean absolute deviation of the last tracker in nanoseconds, if it was locked for long.
    known_deviation: Option<f64>,
    /// The last tracker's period in nanoseconds and drop statistics.
    former: Option<(f64, DropStats)>,
}

impl Acquisition {
    pub(super) const fn new() -> Self {
        Self {
            times: [0.0; ACQUIRE_FRAMES],
            count: 1,
            criteria: LockCriteria::FIRST,
            known_deviation: None,
            former: None,
        }
    }

    /// Restarts with the newest timestamp after a tracker lost its grid. The next lock takes longer, unless that one had been
    /// locked for long.
    pub(super) fn restart(&mut self, lost: &RefreshTracker) {
        self.count = 1;
        self.former = Some(lost.period_and_drops());
        if lost.was_locked_long() {
            self.known_deviation = Some(lost.baseline_deviation());
            self.criteria = LockCriteria::REACQUIRE;
        } else {
            self.known_deviation = None;
            self.criteria = self.criteria.after_failure();
        }
    }

    /// Takes the delta of a frame, in nanoseconds. Answers with a tracker once there are enough frames.
    pub(super) fn acquire(&mut self, delta: f64) -> Option<RefreshTracker> {
        self.push(delta)?;
        let times = &self.times[..self.count];
        if self.count == REACQUIRE_FRAMES {
            let known = self.known_deviation.take()?;
            let fit = best_fit(times).filter(|fit| fit.deviation <= REACQUIRE_TOLERANCE * known)?;
            return Some(RefreshTracker::new(&fit, self.criteria, self.former));
        }
        if self.count < ACQUIRE_FRAMES {
            return None;
        }
        let fit = best_fit(times);
        if fit.is_none() {
            self.count = 1;
        }
        Some(RefreshTracker::new(&fit?, self.criteria, self.former))
    }

    /// Appends a timestamp, or restarts with it if the delta is too long for a frame.
    fn push(&mut self, delta: f64) -> Option<()> {
        if delta > MAX_DELTA {
            self.count = 1;
            return None;
        }
        self.times[self.count] = self.times[self.count - 1] + delta;
        self.count += 1;
        Some(())
    }
}

/// The coarsest grid that fits about as well as any.
fn best_fit(times: &[f64]) -> Option<Fit> {
    // One refresh per frame, unless another grid fits much better.
    let mut best = Fit::of_every_frame(times);
    let mut deltas = [0.0; ACQUIRE_FRAMES];
    for (delta, pair) in deltas.iter_mut().zip(times.windows(2)) {
        *delta = pair[1] - pair[0];
    }
    let count = times.len() - 1;
    let deltas = &mut deltas[..count];
    sort(deltas, f64::total_cmp);
    let (upper_quartile, median, lower_quartile) = (deltas[3 * count / 4], deltas[count / 2], deltas[count / 4]);
    for (delta, refreshes) in [
        (upper_quartile, 1.0),
        (median, 1.0),
        (lower_quartile, 1.0),
        (median, 2.0),
        (lower_quartile, 2.0),
        (median, 3.0),
        (lower_quartile, 3.0),
    ] {
        let period = delta / refreshes;
        if !PERIODS.contains(&period) {
            continue;
        }
        let indices = refresh_indices(times, period);
        let fit = Fit::through(times, &indices).filter(|_| is_cadence(&indices[..times.len()]));
        let Some(fit) = fit.filter(|fit| (CLOCK_GRID..RESOLVED * fit.period).contains(&fit.deviation)) else {
            continue;
        };
        if best
            .as_ref()
            .is_none_or(|best| refreshes * fit.deviation < MUCH_BETTER * best.deviation)
        {
            best = Some(fit);
        }
    }
    best
}

/// Whether frames at these refreshes have a cadence or missed refreshes, and are not only late. A timestamp that is late by a
/// fraction of a period is followed by a frame that is shorter by as much, so longer and shorter frames cancel out.
fn is_cadence(refresh_indices: &[f64]) -> bool {
    let mut refreshes = [0.0; ACQUIRE_FRAMES];
    let refreshes = &mut refreshes[..refresh_indices.len() - 1];
    for (refreshes, pair) in refreshes.iter_mut().zip(refresh_indices.windows(2)) {
        *refreshes = pair[1] - pair[0];
    }
    sort(refreshes, f64::total_cmp);
    let (least, median) = (refreshes[0], refreshes[refreshes.len() / 2]);
    let up_to = |most: f64| refreshes.partition_point(|refreshes| *refreshes <= most);
    let (shorter, longer) = (up_to(median - 1.0), refreshes.len() - up_to(median));
    // The first and the last timestamp may be late without a counterpart, hence more than one of difference.
    let difference = shorter.abs_diff(longer);
    // A cadence has two kinds of frames, a refresh apart. All others missed refreshes.
    let others = refreshes.len() - up_to(least + 1.0);
    difference >= median.clamp(1.0, 2.0) as usize && 2 * difference > shorter + longer && 2 * others < up_to(least)
}
