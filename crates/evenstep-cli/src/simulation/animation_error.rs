//! How even pictures are: animation errors.

use evenstep::{Frame, Rate, Smoothing};
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
    last_shown: Option<f64>,
    squares: f64,
    count: u32,
    max: f64,
}

impl Meter {
    /// Takes a frame whose picture shows the simulated time `shown`, in seconds, `displayed` seconds of simulated time
    /// at the present speed after the one before.
    pub(crate) fn add(&mut self, shown: f64, displayed: f64) {
        if let Some(last) = self.last_shown.replace(shown) {
            let error = (shown - last - displayed) * 1e3;
            self.squares += error * error;
            self.count += 1;
            self.max = self.max.max(error.abs());
        }
    }

    pub(crate) fn result(&self) -> AnimationError {
        let rms = if self.count == 0 {
            0.0
        } else {
            (self.squares / f64::from(self.count)).sqrt()
        };
        AnimationError { rms, max: self.max }
    }
}

/// The simulated time in seconds that a frame's picture shows when it is smoothed so.
pub(crate) fn shown_time(frame: &Frame, smoothing: Smoothing, rate: Rate) -> f64 {
    match smoothing {
        Smoothing::None => frame.current_time().as_secs_f64(),
        Smoothing::Interpolate | Smoothing::Hermite => frame.drawn_time().as_secs_f64(),
        Smoothing::Extrapolate { .. } => frame.drawn_time().as_secs_f64() + rate.period_secs_f64(),
    }
}
