//! Least-squares fit of a refresh period and phase to the timestamps of a few frames.

use crate::numeric::regression::Line;
use crate::numeric::rounding::round;

/// Frames that the acquisition collects before it fits.
pub(super) const ACQUIRE_FRAMES: usize = 32;

/// Frames that are enough where the jitter is known from a long lock.
pub(super) const REACQUIRE_FRAMES: usize = 12;

/// Periods that a display can have, in nanoseconds: from 1 000 Hz to 5 Hz.
pub(super) const PERIODS: core::ops::RangeInclusive<f64> = 1e6..=2e8;

/// Timestamps with residuals of more mean absolute deviations are left out of the second fit.
const OUTLIER: f64 = 3.0;

/// A fitted refresh grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fit {
    /// In nanoseconds.
    pub(super) period: f64,
    /// Mean absolute residual, in nanoseconds.
    pub(super) deviation: f64,
    residuals: [f64; ACQUIRE_FRAMES],
    count: usize,
}

impl Fit {
    /// Fits a grid with one refresh per timestamp.
    pub(super) fn of_every_frame(times: &[f64]) -> Option<Self> {
        let mut refresh_indices = [0.0; ACQUIRE_FRAMES];
        for (index, refresh) in refresh_indices.iter_mut().enumerate() {
            *refresh = index as f64;
        }
        Self::through(times, &refresh_indices)
    }

    /// Fits a grid to timestamps of which each is that of the refresh with the given index: by least squares, then again without
    /// outliers. None if no display has the period.
    pub(super) fn through(times: &[f64], refresh_indices: &[f64; ACQUIRE_FRAMES]) -> Option<Self> {
        let all = Self::least_squares(times, refresh_indices, |_| true)?;
        let is_inlier = |index: usize| all.residuals[index].abs() <= OUTLIER * all.deviation;
        Self::least_squares(times, refresh_indices, is_inlier).filter(|fit| PERIODS.contains(&fit.period))
    }

    /// Timestamps less their refreshes, in nanoseconds.
    pub(super) fn residuals(&self) -> &[f64] {
        &self.residuals[..self.count]
    }

    fn least_squares(
        times: &[f64],
        refresh_indices: &[f64; ACQUIRE_FRAMES],
        is_inlier: impl Fn(usize) -> bool,
    ) -> Option<Self> {
        let inliers = || (0..times.len()).filter(|index| is_inlier(*index));
        let points = || inliers().map(|index| (refresh_indices[index], times[index]));
        let line = Line::fit(points());
        let ((mean_index, mean_time), period) = (line.mean, line.slope?);
        let mut residuals = [0.0; ACQUIRE_FRAMES];
        for (index, time) in times.iter().enumerate() {
            residuals[index] = time - mean_time - period * (refresh_indices[index] - mean_index);
        }
        let deviation = residuals.iter().map(|residual| residual.abs()).sum::<f64>() / times.len() as f64;
        (period > 0.0).then_some(Self {
            period,
            deviation,
            residuals,
            count: times.len(),
        })
    }
}

/// The index of the refresh of each timestamp, counted from the first, for an approximate period: the refresh nearest to where the
/// timestamp before leads to.
pub(super) fn refresh_indices(times: &[f64], period: f64) -> [f64; ACQUIRE_FRAMES] {
    let (mut indices, mut off) = ([0.0; ACQUIRE_FRAMES], 0.0);
    for index in 1..times.len() {
        let since_refresh = times[index] - times[index - 1] + off;
        let refreshes = round(since_refresh / period).max(0.0);
        off = 0.75 * (since_refresh - refreshes * period);
        indices[index] = indices[index - 1] + refreshes;
    }
    indices
}
