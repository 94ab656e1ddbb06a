//! The noise of timestamps as a first-order autoregressive process, AR(1).

/// A deviation of more mean absolute deviations than this is an outlier.
const OUTLIER: f64 = 4.0;

/// The distribution of timestamp noise in the current frame. Amounts are in periods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NoiseModel {
    /// The coefficient of the AR(1) process: the share of a deviation that persists in the next frame.
    coefficient: f64,
    /// The largest deviation that persists.
    max_persistent: f64,
    /// The mean absolute innovation: of the part of a deviation that the last frame does not predict.
    pub(super) innovation: f64,
    /// The resolution of the clock where it explains the deviations; zero otherwise.
    pub(super) resolution: f64,
}

impl NoiseModel {
    /// Lower bound of [`innovation`](Self::innovation).
    pub(super) const MIN_INNOVATION: f64 = 1.0 / 64.0;

    /// Noise with the mean absolute deviation `deviation`, of which the share `coefficient` persists and the innovations are the
    /// share `innovation_share`.
    pub(super) fn new(coefficient: f64, innovation_share: f64, deviation: f64, resolution: f64) -> Self {
        Self {
            coefficient,
            max_persistent: OUTLIER * deviation,
            innovation: (innovation_share * deviation).max(Self::MIN_INNOVATION),
            resolution,
        }
    }

    /// The deviation that the process predicts after one of `last`. Outliers do not persist beyond their bound.
    pub(super) fn predict(self, last: f64) -> f64 {
        self.coefficient * last.clamp(-self.max_persistent, self.max_persistent)
    }
}
