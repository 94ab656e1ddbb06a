//! Animation errors of displayed frames.

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
            let millis = 1e3 * frame.error_since(last).abs();
            if millis.is_finite() {
                self.errors.add(millis);
            }
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
        for error in [meter.rms_ms(), meter.percentile_ms(50.0), meter.max_ms()] {
            assert!((error - 1.0).abs() < 1e-9, "{error}");
        }
    }
}
