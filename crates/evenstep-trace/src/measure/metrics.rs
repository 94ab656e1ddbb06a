//! Metrics of a swap chain, as PresentMon, CapFrameX and Chromium define them.

use serde::Serialize;

use crate::measure::hitches::Hitch;
use crate::read::present::Present;

/// PresentMon's metrics of a present, recomputed from its times; in milliseconds.
///
/// Definitions: PresentMon's documentation of its columns, version 2.3.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PresentMetrics {
    /// The number of its row in the file.
    pub row: u64,
    /// `MsBetweenPresents`: the time since the previous present, displayed or not.
    pub between_presents: Option<f64>,
    /// `MsBetweenDisplayChange`: the time since the previous displayed frame was displayed; none if this one was not displayed.
    pub between_display_change: Option<f64>,
    /// `MsAnimationError`: how much more the shown time advanced than the display time, since the program's last displayed frame. It is
    /// positive if the animation ran ahead.
    pub animation_error: Option<f64>,
}

/// A displayed frame. Both times have one unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DisplayedFrame {
    /// When it was displayed.
    pub(crate) displayed: f64,
    /// The simulated time that it shows.
    pub(crate) shown: f64,
}

impl DisplayedFrame {
    /// The animation error since an earlier frame: how much more the shown time advanced than the time of display.
    pub(crate) fn error_since(self, before: Self) -> f64 {
        (self.shown - before.shown) - (self.displayed - before.displayed)
    }
}

/// Measures presents one by one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Measure {
    presented: Option<f64>,
    /// When the last displayed frame was displayed, generated or not.
    displayed: Option<f64>,
    /// The program's last displayed frame, if it is known what it shows, and whether the program itself reported that.
    shown: Option<(DisplayedFrame, bool)>,
}

impl Measure {
    pub(crate) fn next(&mut self, present: &Present) -> PresentMetrics {
        if present.is_after_pause {
            *self = Self::default();
        }
        let since = |last: Option<f64>, now: f64| last.map(|last| now - last);
        let shown = present.displayed.zip(present.simulated).map(|(displayed, shown)| {
            let frame = DisplayedFrame { displayed, shown };
            (frame, present.is_simulated_told)
        });
        let error = |((now, is_told), (last, was_told)): ((DisplayedFrame, bool), (DisplayedFrame, bool))| {
            // If one of them does not advance, a time is wrong.
            let advance = now.shown > last.shown && now.displayed > last.displayed;
            (is_told == was_told && advance).then(|| now.error_since(last))
        };
        let measured = PresentMetrics {
            row: present.row,
            between_presents: since(self.presented, present.presented),
            between_display_change: present.displayed.and_then(|now| since(self.displayed, now)),
            animation_error: shown.zip(self.shown).and_then(error),
        };
        self.presented = Some(present.presented);
        self.displayed = present.displayed.or(self.displayed);
        if present.displayed.is_some() && !present.is_generated {
            self.shown = shown;
        }
        measured
    }
}

/// The metrics of a swap chain. [`absent`](Self::absent) lists the metrics that could not be computed, with the reasons.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Metrics {
    /// Frames of the program, displayed or not.
    pub frames: usize,
    /// Displayed frames, generated ones included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub displayed: Option<usize>,
    /// Frames that were never displayed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_displayed: Option<usize>,
    /// Frames that a driver generated.
    pub generated: usize,
    /// What generated them, as far as the file names it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub generated_by: Vec<&'static str>,
    /// The sum of the frame times.
    pub seconds: f64,
    /// Frames per second of frame time.
    pub fps_average: f64,
    /// The distribution of the program's frame times.
    pub frame_time_ms: FrameTimes,
    /// The average frame rate of the slowest 1 % of the frames. (CapFrameX: *1 % low average*.)
    pub fps_low_1pct: f64,
    /// The average frame rate of the slowest 0.1 % of the frames.
    pub fps_low_01pct: f64,
    /// The frame rate below which 1 % of the time was spent. (CapFrameX: *1 % low integral*.)
    pub fps_low_1pct_by_time: f64,
    /// The frame rate below which 0.1 % of the time was spent.
    pub fps_low_01pct_by_time: f64,
    /// Changes of the display per second, generated frames included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub displayed_fps_average: Option<f64>,
    /// The times between changes of the display.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_interval_ms: Option<FrameTimes>,
    /// The average rate of the slowest 1 % of the changes of the display.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub displayed_fps_low_1pct: Option<f64>,
    /// The average rate of the slowest 0.1 % of the changes of the display.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub displayed_fps_low_01pct: Option<f64>,
    /// PresentMon's animation error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub animation_error_ms: Option<AnimationErrors>,
    /// The standard deviation of the times between changes of the display.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_interval_std_ms: Option<f64>,
    /// The share of time in frames longer than 2.5 times the median of the sixty around them. (CapFrameX: *stuttering time*.)
    pub stutter_time_pct: f64,
    /// The share of frames that were never displayed. (Chromium: *percent dropped frames*.)
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dropped_pct: Option<f64>,
    /// The share of frames that were displayed longer than the previous one by over half of the median. (Chromium: *jank*.)
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jank_pct: Option<f64>,
    /// The share of time in frames that kept the graphics card busy for at least 90 % of their length.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpu_bound_pct: Option<f64>,
    /// The share of time in other frames that kept the program busy for at least 90 % of their length. A limiter that sleeps outside of the call to
    /// present counts as busy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_bound_pct: Option<f64>,
    /// The times from the call to present until the frame was displayed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until_displayed_ms: Option<FrameTimes>,
    /// The times from input to display that the file states (`MsPCLatency`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pc_latency_ms: Option<FrameTimes>,
    /// The times from a click to its display that the file states (`MsClickToPhotonLatency`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub click_to_photon_ms: Option<FrameTimes>,
    /// Visible hitches: frames longer than the median of the sixty frames around them by more than 21 ms, or by more than both 1.5 times
    /// that median and 7.5 ms; and changes of the display that came more than 21 ms late, although no frame was that long. Several within
    /// 0.02 s of each other are one, which has the end of the last and the length of the longest. The first 15 frames are not judged.
    pub hitches: Vec<Hitch>,
    /// Metrics that could not be computed, with the reasons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<MissingMetric>,
}

/// Frame times in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FrameTimes {
    /// The mean.
    pub mean: f64,
    /// The median.
    pub median: f64,
    /// The 95th percentile.
    pub p95: f64,
    /// The 99th percentile.
    pub p99: f64,
    /// The 99.9th percentile.
    pub p999: f64,
    /// The longest.
    pub max: f64,
    /// The standard deviation.
    pub std: f64,
}

/// Animation errors in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AnimationErrors {
    /// The number of frames with an animation error.
    pub count: usize,
    /// The mean of the absolute errors.
    pub mean_abs: f64,
    /// The root mean square.
    pub rms: f64,
    /// The 99th percentile of the absolute errors.
    pub p99_abs: f64,
    /// The largest absolute error.
    pub max_abs: f64,
}

/// A metric that could not be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MissingMetric {
    /// The name of the metric.
    pub name: &'static str,
    /// Why it is absent.
    pub reason: &'static str,
}
