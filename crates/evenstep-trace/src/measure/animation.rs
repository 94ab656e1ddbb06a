//! The simulated time that a picture shows, and animation errors.

use evenstep::{Frame, Rate, Smoothing};

use crate::measure::distribution::Distribution;

/// The simulated time in seconds that a frame's picture shows when it is drawn with this smoothing.
#[must_use]
pub fn shown_time(frame: &Frame, smoothing: Smoothing, rate: Rate) -> f64 {
    match smoothing {
        Smoothing::None => frame.current_time().as_secs_f64(),
        Smoothing::Interpolate | Smoothing::Hermite => frame.drawn_time().as_secs_f64(),
        // Not a step after the drawn time, which is 0 until the first step is done.
        Smoothing::Extrapolate { .. } => frame.current_time().as_secs_f64() + frame.alpha() * rate.period_secs_f64(),
    }
}

/// A displayed picture. Times are in seconds, unless the user of this type says otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Picture {
    /// When it was displayed.
    pub displayed: f64,
    /// The simulated time that it shows.
    pub shown: f64,
}

impl Picture {
    /// The animation error since an earlier picture: how much more the shown time advanced than the time of display. Positive: the
    /// animation ran ahead.
    #[must_use]
    pub fn error_since(self, before: Self) -> f64 {
        (self.shown - before.shown) - (self.displayed - before.displayed)
    }
}

/// Gathers the animation errors, in milliseconds, of pictures that follow each other. Memory is bounded.
#[derive(Clone, Debug, Default)]
pub struct AnimationMeter {
    last: Option<Picture>,
    errors: Distribution,
}

impl AnimationMeter {
    /// Adds the next picture.
    pub fn add(&mut self, picture: Picture) {
        if let Some(last) = self.last.replace(picture) {
            self.errors.add(1e3 * picture.error_since(last).abs());
        }
    }

    /// The root mean square in milliseconds; 0 for fewer than two pictures.
    #[must_use]
    pub fn rms_ms(&self) -> f64 {
        self.or_zero(Distribution::rms)
    }

    /// The milliseconds that `percent` of the errors do not exceed, of either sign; 0 for fewer than two pictures.
    #[must_use]
    pub fn percentile_ms(&self, percent: f64) -> f64 {
        self.or_zero(|errors| errors.percentile(percent))
    }

    /// The largest error in milliseconds, of either sign; 0 for fewer than two pictures.
    #[must_use]
    pub fn max_ms(&self) -> f64 {
        self.errors.max()
    }

    fn or_zero(&self, value: impl Fn(&Distribution) -> f64) -> f64 {
        if self.errors.count() > 0 {
            value(&self.errors)
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use evenstep::FixedTimestep;

    use super::*;

    #[test]
    fn every_smoothing_shows_the_time_that_its_picture_belongs_to() {
        let rate = Rate::hz(100);
        let frame = FixedTimestep::new(rate).advance(Duration::from_millis(25));
        let horizon = Duration::from_secs(1);
        for (smoothing, shown) in [
            (Smoothing::None, 0.020),
            (Smoothing::Interpolate, 0.015),
            (Smoothing::Hermite, 0.015),
            (Smoothing::Extrapolate { horizon }, 0.025),
        ] {
            assert!(
                (shown_time(&frame, smoothing, rate) - shown).abs() < 1e-12,
                "{smoothing:?}"
            );
        }
    }

    #[test]
    fn a_picture_that_is_displayed_late_is_one_error_each_way() {
        let mut meter = AnimationMeter::default();
        assert_eq!(
            (meter.rms_ms(), meter.percentile_ms(99.0), meter.max_ms()),
            (0.0, 0.0, 0.0)
        );
        for (displayed, shown) in [(0.001, 0.0), (0.003, 0.001), (0.003, 0.002)] {
            meter.add(Picture { displayed, shown });
        }
        for error in [meter.rms_ms(), meter.percentile_ms(50.0), meter.max_ms()] {
            assert!((error - 1.0).abs() < 1e-9, "{error}");
        }
    }
}
