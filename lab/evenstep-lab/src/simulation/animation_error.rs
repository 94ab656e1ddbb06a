//! Animation errors of a run.

use evenstep::SimTime;
use evenstep_trace::measure::AnimationMeter;
use serde::Serialize;

/// Animation errors of a run, in milliseconds: the advance of the simulated time that a frame shows minus the advance of the time
/// at which it was displayed. Zero throughout means that motion
/// and display advanced equally; a long frame that is simulated completely scores zero, too.
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
    /// The simulated time that the last frame showed.
    last: Option<SimTime>,
    errors: AnimationMeter,
}

impl Meter {
    /// Takes a frame that shows the simulated time `shown`, `displayed` seconds of simulated time at the present
    /// speed after the one before.
    pub(crate) fn add(&mut self, shown: SimTime, displayed: f64) {
        if let Some(last) = self.last.replace(shown) {
            self.errors.add_advance(shown - last, displayed);
        }
    }

    pub(crate) fn result(&self) -> AnimationError {
        AnimationError {
            rms: self.errors.rms_ms(),
            max: self.errors.max_ms(),
        }
    }
}
