//! Grid fit: the period and phase of a display's refreshes, estimated from timestamps.
//!
//! This is timing recovery in two steps. First the refreshes between timestamps are counted with an approximate period. Then a line
//! is fitted to the timestamps over their refresh indices by least squares, twice: the second time without the outliers of the first.
//! The line's slope is the period, and its value at an index is the refresh.
//!
//! The display clock's acquisition and the filter that snaps differ in which approximate periods
//! they try, and share the rest. A tracker that is locked needs no fit: it updates the same least-squares estimate recursively.
//!
//! Diagnosis of recordings, in `evenstep-trace`, solves another problem: it has durations as a histogram, without their order, so there
//! is no phase and refreshes cannot be counted from one timestamp to the next. It asks which of twenty intervals explains the
//! durations with the shortest description, and regresses them on multiples through the origin.

use core::ops::RangeInclusive;

use crate::numeric::rounding::round;

/// Periods that a display can have, in nanoseconds: from 1 000 Hz to 5 Hz.
pub(crate) const PERIODS: RangeInclusive<f64> = 1e6..=2e8;

/// The most timestamps that are fitted together.
pub(crate) const MAX_TIMESTAMPS: usize = 64;

/// Timestamps with residuals of more mean absolute deviations are left out of the second fit, and trackers clamp them.
pub(crate) const OUTLIER: f64 = 3.0;

/// The share of a timestamp's deviation that is expected of the next one, while refreshes are counted: the approximate period may be
/// too long or too short by some percent.
const CARRIED: f64 = 0.75;

/// A fitted refresh grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GridFit {
    /// In nanoseconds.
    pub(crate) period: f64,
    /// Mean absolute residual, in nanoseconds.
    pub(crate) deviation: f64,
    residuals: [f64; MAX_TIMESTAMPS],
    indices: [f64; MAX_TIMESTAMPS],
    count: usize,
}

impl GridFit {
    /// Fits a grid of about this period to ascending timestamps in nanoseconds, at most [`MAX_TIMESTAMPS`]. None if all belong to one
    /// refresh, or no display has the fitted period.
    pub(crate) fn near(times: &[f64], period: f64) -> Option<Self> {
        let (mut indices, mut deviation) = ([0.0; MAX_TIMESTAMPS], 0.0);
        for index in 1..times.len() {
            let since_refresh = times[index] - times[index - 1] + deviation;
            let refreshes = round(since_refresh / period).max(0.0);
            deviation = CARRIED * (since_refresh - refreshes * period);
            indices[index] = indices[index - 1] + refreshes;
        }
        Self::through(times, indices)
    }

    /// Fits a grid with one refresh per timestamp.
    pub(crate) fn of_every_timestamp(times: &[f64]) -> Option<Self> {
        Self::through(times, core::array::from_fn(|index| index as f64))
    }

    /// Fits a grid to timestamps whose refreshes have these indices.
    fn through(times: &[f64], indices: [f64; MAX_TIMESTAMPS]) -> Option<Self> {
        let all = Self::least_squares(times, indices, |_| true)?;
        let is_inlier = |index: usize| all.residuals[index].abs() <= OUTLIER * all.deviation;
        Self::least_squares(times, indices, is_inlier).filter(|fit| PERIODS.contains(&fit.period))
    }

    fn least_squares(times: &[f64], indices: [f64; MAX_TIMESTAMPS], is_inlier: impl Fn(usize) -> bool) -> Option<Self> {
        let inliers = || (0..times.len()).filter(|at| is_inlier(*at));
        let sum = inliers().fold((0.0, 0.0), |sum, at| (sum.0 + indices[at], sum.1 + times[at]));
        let count = inliers().count() as f64;
        let mean = (sum.0 / count, sum.1 / count);
        let (variance, covariance) = inliers().fold((0.0, 0.0), |sum, at| {
            let deviation = indices[at] - mean.0;
            (sum.0 + deviation * deviation, sum.1 + deviation * (times[at] - mean.1))
        });
        let period = (variance > 0.0).then(|| covariance / variance)?;
        let mut residuals = [0.0; MAX_TIMESTAMPS];
        for (at, time) in times.iter().enumerate() {
            residuals[at] = time - mean.1 - period * (indices[at] - mean.0);
        }
        let deviation = residuals.iter().map(|residual| residual.abs()).sum::<f64>() / times.len() as f64;
        Some(Self {
            period,
            deviation,
            residuals,
            indices,
            count: times.len(),
        })
    }

    /// Timestamps less their refreshes, in nanoseconds.
    pub(crate) fn residuals(&self) -> &[f64] {
        &self.residuals[..self.count]
    }

    /// The refresh of each timestamp, counted from that of the first.
    pub(crate) fn indices(&self) -> &[f64] {
        &self.indices[..self.count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 40 timestamps at these refreshes in turn, with a deviation of up to `noise` nanoseconds.
    fn timestamps(period: f64, refreshes: &[u32], noise: f64) -> [f64; 40] {
        let mut index = 0;
        core::array::from_fn(|frame| {
            index += refreshes[frame % refreshes.len()];
            f64::from(index) * period + noise * ((frame * 7 % 11) as f64 / 5.0 - 1.0)
        })
    }

    #[test]
    fn period_and_phase_are_found_from_an_approximate_period() {
        for refreshes in [&[1][..], &[2, 3], &[1, 1, 4]] {
            let fit = GridFit::near(&timestamps(6_944_444.0, refreshes, 3e5), 7.1e6).unwrap();
            assert!((fit.period - 6_944_444.0).abs() < 1e4, "{refreshes:?}: {}", fit.period);
            assert!(fit.residuals().iter().all(|residual| residual.abs() < 4e5));
            assert_eq!(
                *fit.indices().last().unwrap(),
                f64::from((1..40).map(|frame| refreshes[frame % refreshes.len()]).sum::<u32>())
            );
        }
    }

    #[test]
    fn a_late_timestamp_does_not_change_the_fit() {
        let mut times = timestamps(16_666_667.0, &[1], 1e4);
        let without = GridFit::of_every_timestamp(&times).unwrap();
        times[30] += 5e6;
        let with = GridFit::of_every_timestamp(&times).unwrap();
        assert!((with.period - without.period).abs() < 1e3);
    }

    #[test]
    fn timestamps_that_are_all_the_same_have_no_period() {
        assert_eq!(GridFit::near(&[5e6; 8], 1e7), None);
    }
}
