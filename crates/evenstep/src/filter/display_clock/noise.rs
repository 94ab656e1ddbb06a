//! By what readings are off, and how long that lasts.

/// What is off by more mean sizes than this is an outlier.
const OUTLIER: f64 = 4.0;

/// By what readings are off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Noise {
    /// The share of it that stays until the next frame, of at most so many periods.
    memory: f64,
    most: f64,
    /// The mean size of what does not, in periods.
    pub(super) usual: f64,
    /// The unit to which the clock rounds, in periods, if that explains it; zero otherwise.
    pub(super) unit: f64,
}

impl Noise {
    /// Readings are not usually off by less than this, in periods.
    pub(super) const LEAST: f64 = 1.0 / 64.0;

    /// Of such a mean size, of which `memory` stays, and the share `own` is new in each frame.
    pub(super) fn new(memory: f64, own: f64, spread: f64, unit: f64) -> Self {
        Self {
            memory,
            most: OUTLIER * spread,
            usual: (own * spread).max(Self::LEAST),
            unit,
        }
    }

    /// What stays of what a reading was late, but that outliers are no noise that lasts.
    pub(super) fn stays(self, late: f64) -> f64 {
        self.memory * late.clamp(-self.most, self.most)
    }
}
