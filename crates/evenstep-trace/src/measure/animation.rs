//! Animation errors of displayed frames.

use evenstep::SimDuration;

use crate::measure::distribution::Distribution;

/// A displayed frame. Times are in seconds, unless the user of this type says otherwise.
///
/// Exhaustive: no field will be added.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DisplayedFrame {
    /// When it was displayed.
    pub displayed: f64,
    /// The simulated time that it shows.
    pub shown: f64,
}

impl DisplayedFrame {
    /// The animation error since an earlier frame: how much more the shown time advanced than the time of display. Positive: the
    /// animation ran ahead.
    #[must_use]
    pub fn error_since(self, before: Self) -> f64 {
        (self.shown - before.shown) - (self.displayed - before.displayed)
    }
}

/// Collects the animation errors, in milliseconds, of consecutive displayed frames. Memory is bounded. An error that is not finite,
/// because a time is not, is left out.
#[derive(Clone, Debug, Default)]
pub struct AnimationMeter {
    last: Option<DisplayedFrame>,
    errors: Distribution,
}

impl AnimationMeter {
    /// Adds the next displayed frame.
    pub fn add(&mut self, frame: DisplayedFrame) {
        if let Some(last) = self.last.replace(frame) {
            self.add_error(frame.error_since(last));
        }
    }

    /// Adds a frame that shows a simulated time `shown` after that of the previous frame, which was displayed for `displayed` seconds.
    pub fn add_advance(&mut self, shown: SimDuration, displayed: f64) {
        self.add_error(shown.as_secs_f64() - displayed);
    }

    fn add_error(&mut self, seconds: f64) {
        let millis = 1e3 * seconds.abs();
        if millis.is_finite() {
            self.errors.add(millis);
        }
    }

    /// The root mean square in milliseconds; 0 for fewer than two frames.
    #[must_use]
    pub fn rms_ms(&self) -> f64 {
        self.errors.rms()
    }

    /// The value in milliseconds that `percent` of the absolute errors do not exceed; 0 for fewer than two frames. A percentage outside 0
    /// to 100 is clamped, and NaN counts as 0.
    #[must_use]
    pub fn percentile_ms(&self, percent: f64) -> f64 {
        self.errors.percentile(percent)
    }

    /// The largest absolute error in milliseconds; 0 for fewer than two frames.
    #[must_use]
    pub fn max_ms(&self) -> f64 {
        self.errors.max()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_frame_that_is_displayed_late_is_one_error_of_each_sign() {
        let mut meter = AnimationMeter::default();
        assert_eq!(
            (meter.rms_ms(), meter.percentile_ms(99.0), meter.max_ms()),
            (0.0, 0.0, 0.0)
        );
        for (displayed, shown) in [(0.001, 0.0), (0.003, 0.001), (0.003, 0.002)] {
            meter.add(DisplayedFrame { displayed, shown });
        }
        let mut by_advances = AnimationMeter::default();
        for displayed in [0.002, 0.000] {
            by_advances.add_advance(Duration::from_millis(1).into(), displayed);
        }
        for meter in [meter, by_advances] {
            for error in [meter.rms_ms(), meter.percentile_ms(50.0), meter.max_ms()] {
                assert!((error - 1.0).abs() < 1e-9, "{error}");
            }
        }
    }
}
