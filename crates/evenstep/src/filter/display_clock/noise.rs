//! The noise of timestamps: a first-order autoregressive process, AR(1), and whether timestamps belong to a grid at all.
//!
//! Both follow from the mean absolute deviation of timestamps from the grid and the mean absolute change of that deviation from frame
//! to frame. Their ratio is that of J. von Neumann, *Distribution of the ratio of the mean square successive difference to the
//! variance* (1941). Jitter deviates by about as much as it changes, however many frames are averaged; the deviation of a free-running
//! loop grows with their number.

use super::constants::{ACQUIRE_FRAMES, CORE_WIDTH, MAX_WEIGHT, MIN_INNOVATION};

/// Averages over the last frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NoiseStats {
    frames: f64,
    /// Mean absolute deviation from the grid, and of deltas from whole periods, in nanoseconds.
    deviation: f64,
    change: f64,
}

impl NoiseStats {
    /// Of no frame.
    pub(super) const fn new() -> Self {
        Self {
            frames: 0.0,
            deviation: 0.0,
            change: 0.0,
        }
    }

    /// Takes the deviation of a timestamp from the grid and that of its delta from whole periods.
    pub(super) fn add(&mut self, deviation: f64, change: f64) {
        self.frames = (self.frames + 1.0).min(MAX_WEIGHT);
        self.deviation += (deviation.abs() - self.deviation) / self.frames;
        self.change += (change.abs() - self.change) / self.frames;
    }

    /// Begins the averages again.
    pub(super) fn restart(&mut self) {
        self.frames = 0.0;
    }

    /// Whether the averages rest on enough frames for a lock to be given up.
    pub(super) fn is_settled(&self) -> bool {
        self.frames >= ACQUIRE_FRAMES as f64
    }

    /// Whether (deviation / change)² is at most this share of a tracker's weight.
    pub(super) fn is_on_grid(&self, weight: f64, weight_per_ratio: f64) -> bool {
        weight_per_ratio * self.deviation * self.deviation
            <= weight.max(ACQUIRE_FRAMES as f64) * self.change * self.change
    }

    /// The coefficient of the process, and the mean absolute innovation as a share of the mean absolute deviation:
    /// G. Box, G. Jenkins, *Time Series Analysis* (1970), 3.2.3.
    pub(super) fn autoregression(&self) -> (f64, f64) {
        let change = self.change * self.change;
        let share = 0.5 * change / (self.deviation * self.deviation);
        if change == 0.0 || share >= 1.0 {
            return (0.0, 1.0);
        }
        // sqrt(1 - share / 2), to a thousandth.
        let root = 1.0 - share * (0.25 + 0.043 * share);
        (1.0 - share, self.change / self.deviation * root)
    }
}

/// The distribution of timestamp noise in the current frame. Amounts are in periods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Noise {
    /// The share of a deviation that persists in the next frame, and the largest deviation that does.
    coefficient: f64,
    max_persistent: f64,
    /// The mean absolute innovation: of the part of a deviation that the last frame does not predict.
    pub(super) innovation: f64,
    /// The resolution of the clock where it explains the deviations; zero otherwise.
    pub(super) resolution: f64,
}

impl Noise {
    /// Noise with the mean absolute deviation `deviation`, of which the share `coefficient` persists and the innovations are the
    /// share `innovation_share`.
    pub(super) fn new((coefficient, innovation_share): (f64, f64), deviation: f64, resolution: f64) -> Self {
        Self {
            coefficient,
            max_persistent: CORE_WIDTH * deviation,
            innovation: (innovation_share * deviation).max(MIN_INNOVATION),
            resolution,
        }
    }

    /// The deviation that the process predicts after one of `last`. Outliers do not persist beyond their bound.
    pub(super) fn predict(self, last: f64) -> f64 {
        self.coefficient * last.clamp(-self.max_persistent, self.max_persistent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_coefficient_of_autocorrelated_noise_is_estimated_and_white_noise_has_none() {
        let autoregression = |coefficient: f64| {
            let (mut stats, mut deviation, mut seed) = (NoiseStats::new(), 0.0, 1_u32);
            for _ in 0..2000 {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let last = deviation;
                deviation = coefficient * last + f64::from(seed >> 8) / f64::from(1 << 24) - 0.5;
                stats.add(deviation, deviation - last);
            }
            stats.autoregression()
        };
        assert_eq!(autoregression(-0.2), (0.0, 1.0));
        let (coefficient, innovation) = autoregression(0.9);
        assert!((coefficient - 0.9).abs() < 0.05, "{coefficient}");
        assert!(
            (innovation * innovation + coefficient * coefficient - 1.0).abs() < 0.01,
            "{innovation}"
        );
    }
}
