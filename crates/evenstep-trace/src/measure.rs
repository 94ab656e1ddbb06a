//! Metrics of a chain of presents, as the industry measures them.

use serde::Serialize;

use crate::{Chain, Present};

/// What PresentMon says of a present, computed anew; in milliseconds.
///
/// Definitions: PresentMon's documentation of its columns, version 2.3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The number of its row in the file.
    pub row: u64,
    /// `MsBetweenPresents`: since the chain's present before, whether that was displayed or not.
    pub between_presents: Option<f64>,
    /// `MsBetweenDisplayChange`: since the chain's displayed frame before; none if this one was not displayed.
    pub between_display_change: Option<f64>,
    /// `MsAnimationError`: by how much the time that the picture shows moved on more than the time at which it was shown,
    /// since the last displayed frame that the program itself made. Positive: the animation ran ahead.
    pub animation_error: Option<f64>,
}

impl Measured {
    /// A row that tells of no present.
    pub(crate) fn nothing(row: u64) -> Self {
        Self {
            row,
            between_presents: None,
            between_display_change: None,
            animation_error: None,
        }
    }
}

impl Chain {
    /// What PresentMon says of each present, computed anew from their times.
    #[must_use]
    pub fn measure(&self) -> Vec<Measured> {
        let mut measure = Measure::default();
        self.presents.iter().map(|present| measure.next(present)).collect()
    }

    /// What the chain comes down to.
    #[must_use]
    pub fn metrics(&self) -> Metrics {
        self.gauge().metrics()
    }
}

/// Measures presents one by one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Measure {
    presented: Option<f64>,
    /// When the last displayed frame was, whoever made it.
    displayed: Option<f64>,
    /// The last one that was displayed and that the program itself made.
    shown: Option<Shown>,
}

/// What a frame that was on the screen showed, and when.
#[derive(Clone, Copy, Debug)]
struct Shown {
    simulated: Option<f64>,
    is_simulated_told: bool,
    displayed: f64,
}

impl Measure {
    pub(crate) fn next(&mut self, present: &Present) -> Measured {
        let shown = present.displayed.map(|displayed| Shown {
            simulated: present.simulated,
            is_simulated_told: present.is_simulated_told,
            displayed,
        });
        let since = |last: Option<f64>, now: f64| last.map(|last| now - last);
        let measured = Measured {
            row: present.row,
            between_presents: since(self.presented, present.presented),
            between_display_change: present.displayed.and_then(|now| since(self.displayed, now)),
            animation_error: shown.zip(self.shown).and_then(|(now, last)| now.error_since(last)),
        };
        self.presented = Some(present.presented);
        self.displayed = present.displayed.or(self.displayed);
        if !present.is_generated {
            self.shown = shown.or(self.shown);
        }
        measured
    }
}

impl Shown {
    /// None where one of the two is not told, or a step is not above zero: then one of them is wrong.
    fn error_since(self, last: Self) -> Option<f64> {
        if self.is_simulated_told != last.is_simulated_told {
            return None;
        }
        let simulated = self.simulated? - last.simulated?;
        let displayed = self.displayed - last.displayed;
        (simulated > 0.0 && displayed > 0.0).then_some(simulated - displayed)
    }
}

/// What a chain comes down to. What could not be computed is none, and [`absent`](Self::absent) says why.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Metrics {
    /// Frames that the program made, whether displayed or not.
    pub frames: usize,
    /// Frames that were on the screen, generated ones included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub displayed: Option<usize>,
    /// Frames that never were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_displayed: Option<usize>,
    /// Frames that a driver generated.
    pub generated: usize,
    /// The sum of the frame times.
    pub seconds: f64,
    /// Frames by seconds.
    pub fps_average: f64,
    /// Of the frames that the program made.
    pub frame_time_ms: FrameTimes,
    /// The frame rate of the slowest hundredth of the frames: their number by their time. (CapFrameX: *1 % low average*.)
    pub fps_low_1pct: f64,
    /// The same of the slowest thousandth.
    pub fps_low_01pct: f64,
    /// The frame rate below which a hundredth of the time was spent. (CapFrameX: *1 % low integral*.)
    pub fps_low_1pct_by_time: f64,
    /// The same for a thousandth of the time.
    pub fps_low_01pct_by_time: f64,
    /// PresentMon's animation error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub animation_error_ms: Option<AnimationErrors>,
    /// The standard deviation of the times between changes of the display.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_interval_std_ms: Option<f64>,
    /// The share of time in frames that took more than 2.5 times the mean. (CapFrameX: *stuttering time*.)
    pub stutter_time_pct: f64,
    /// The share of frames that never reached the screen. (Chromium: *percent dropped frames*.)
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dropped_pct: Option<f64>,
    /// The share of frames that stayed on the screen longer than the one before by over half of the median. (Chromium: *jank*.)
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jank_pct: Option<f64>,
    /// Frames that took more than 2.5 times the median of the sixty around them.
    pub hitches: Vec<Hitch>,
    /// What could not be computed, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<Absent>,
}

/// Frame times in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FrameTimes {
    /// The mean.
    pub mean: f64,
    /// What half of the frames do not exceed.
    pub median: f64,
    /// What 95 % do not exceed.
    pub p95: f64,
    /// What 99 % do not exceed.
    pub p99: f64,
    /// What 99.9 % do not exceed.
    pub p999: f64,
    /// The longest.
    pub max: f64,
    /// The standard deviation.
    pub std: f64,
}

/// Animation errors in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AnimationErrors {
    /// How many frames have one.
    pub count: usize,
    /// The mean of their sizes.
    pub mean_abs: f64,
    /// The root of the mean of their squares.
    pub rms: f64,
    /// What 99 % do not exceed, of either sign.
    pub p99_abs: f64,
    /// The largest, of either sign.
    pub max_abs: f64,
}

/// A frame that took much longer than those around it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Hitch {
    /// When it ended, in seconds of frame time from the start.
    pub at_s: f64,
    /// How long it took.
    pub ms: f64,
}

/// Something that could not be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Absent {
    /// The name of the value.
    pub name: &'static str,
    /// Why it is absent.
    pub reason: &'static str,
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn chain(times: &[f64]) -> Chain {
        let deltas = times.iter().map(|ms| Duration::from_secs_f64(ms / 1e3));
        Chain {
            deltas: deltas.collect(),
            ..Chain::default()
        }
    }

    fn present(row: u64, simulated: f64, displayed: Option<f64>) -> Present {
        Present {
            row,
            started: None,
            presented: simulated + 5.0,
            displayed,
            simulated: Some(simulated),
            is_simulated_told: true,
            is_generated: false,
            cpu_busy: None,
            gpu_busy: None,
        }
    }

    #[test]
    fn frame_rates_follow_their_definitions() {
        let times: Vec<f64> = (0..1000).map(|n| if n % 100 == 50 { 40.0 } else { 10.0 }).collect();
        let metrics = chain(&times).metrics();
        assert!((metrics.fps_average - 1000.0 / 10.3).abs() < 1e-9);
        assert!((metrics.fps_low_1pct - 25.0).abs() < 1e-9);
        assert!((metrics.fps_low_01pct - 25.0).abs() < 1e-9);
        assert!((metrics.fps_low_1pct_by_time - 25.0).abs() < 1e-9);
        assert_eq!((metrics.frame_time_ms.median, metrics.frame_time_ms.max), (10.0, 40.0));
        assert!((metrics.stutter_time_pct - 100.0 * 400.0 / 10_300.0).abs() < 1e-9);
        assert_eq!(metrics.hitches.len(), 10);
        assert!((metrics.hitches[0].at_s - 0.54).abs() < 1e-9);
        assert_eq!(metrics.absent.len(), 5);
        assert_eq!(metrics.displayed, None);
    }

    #[test]
    fn a_frame_that_is_shown_a_refresh_late_is_one_error_each_way() {
        let shown = [Some(10.0), Some(26.0), Some(58.0), Some(58.0 + 16.0)];
        let presents = shown
            .iter()
            .enumerate()
            .map(|(n, at)| present(n as u64, 16.0 * n as f64, *at));
        let chain = Chain {
            presents: presents.collect(),
            ..chain(&[16.0; 4])
        };
        let errors: Vec<_> = chain
            .measure()
            .iter()
            .map(|measured| measured.animation_error)
            .collect();
        assert_eq!(errors, [None, Some(0.0), Some(-16.0), Some(0.0)]);
    }

    #[test]
    fn what_was_never_displayed_has_no_error_and_is_passed_over() {
        let mut presents = vec![
            present(0, 0.0, Some(20.0)),
            present(1, 8.0, None),
            present(2, 16.0, Some(36.0)),
        ];
        presents[1].is_generated = true;
        let chain = Chain {
            presents,
            ..chain(&[8.0; 3])
        };
        let measured = chain.measure();
        assert_eq!(measured[1].between_presents, Some(8.0));
        assert_eq!(measured[1].between_display_change, None);
        assert_eq!(measured[2].animation_error, Some(0.0));
        let metrics = chain.metrics();
        assert_eq!(
            (metrics.displayed, metrics.not_displayed, metrics.generated),
            (Some(2), Some(1), 1)
        );
    }

    #[test]
    fn one_frame_has_metrics() {
        let metrics = chain(&[5.0]).metrics();
        assert_eq!((metrics.fps_average, metrics.fps_low_1pct), (200.0, 200.0));
        assert!(metrics.hitches.is_empty());
    }
}
