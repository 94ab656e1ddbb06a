//! Metrics of a chain of presents, as the industry measures them.

use serde::Serialize;

use crate::read::present::Present;

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
