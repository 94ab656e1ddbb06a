//! How even pictures are: animation errors.

use evenstep_trace::measure::{AnimationMeter, Picture};
use serde::Serialize;

/// Animation errors of a run, in milliseconds: by how much the time that a picture shows moved on more than the time
/// at which it was shown. Zero throughout is perfectly smooth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(crate) struct AnimationError {
    /// The root of the mean square.
    pub(crate) rms: f64,
    /// The largest, of either sign.
    pub(crate) max: f64,
}

/// Gathers animation errors frame by frame.
#[derive(Default)]
pub(crate) struct Meter {
    /// Seconds of simulated time for which pictures were displayed.
    displayed: f64,
    errors: AnimationMeter,
}

impl Meter {
    /// Takes a frame whose picture shows the simulated time `shown`, in seconds, `displayed` seconds of simulated time
    /// at the present speed after the one before.
    pub(crate) fn add(&mut self, shown: f64, displayed: f64) {
        self.displayed += displayed;
        self.errors.add(Picture {
            displayed: self.displayed,
            shown,
        });
    }

    pub(crate) fn result(&self) -> AnimationError {
        AnimationError {
            rms: self.errors.rms_ms(),
            max: self.errors.max_ms(),
        }
    }
}
