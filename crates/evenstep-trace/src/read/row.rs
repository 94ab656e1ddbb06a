//! The values of one row of a file.

use std::time::Duration;

use crate::read::present::PresentMode;

/// A number that may be missing, in half the size of an [`Option`]: rows have many.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MaybeNumber(f64);

impl MaybeNumber {
    pub(crate) fn get(self) -> Option<f64> {
        (!self.0.is_nan()).then_some(self.0)
    }
}

impl Default for MaybeNumber {
    fn default() -> Self {
        Self(f64::NAN)
    }
}

impl From<Option<f64>> for MaybeNumber {
    fn from(number: Option<f64>) -> Self {
        number.map_or_else(Self::default, Self)
    }
}

/// The values of a row, in the units of its columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    /// Its number in the file, set while reading.
    pub(crate) number: u64,
    pub(crate) time: MaybeNumber,
    /// The frame's delta if it has one; for cumulative columns, the time at which the frame began.
    pub(crate) delta: Option<Duration>,
    /// The value of another column for the length of the frame, in milliseconds.
    pub(crate) other: MaybeNumber,
    pub(crate) is_generated: bool,
    pub(crate) cpu_start: MaybeNumber,
    pub(crate) cpu_busy: MaybeNumber,
    pub(crate) gpu_busy: MaybeNumber,
    pub(crate) until_displayed: MaybeNumber,
    pub(crate) display_latency: MaybeNumber,
    pub(crate) between_displays: MaybeNumber,
    pub(crate) animation_time: MaybeNumber,
    pub(crate) in_present: MaybeNumber,
    pub(crate) sync_interval: MaybeNumber,
    pub(crate) allows_tearing: MaybeNumber,
    pub(crate) mode: Option<PresentMode>,
    pub(crate) pc_latency: MaybeNumber,
    pub(crate) click_to_photon: MaybeNumber,
}

impl Row {
    /// The row of a frame that began at `instant`.
    pub(crate) fn at(instant: Duration) -> Self {
        Self {
            delta: Some(instant),
            ..Self::default()
        }
    }
}
