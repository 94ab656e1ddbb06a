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

impl Chain {
    /// What PresentMon says of each present, computed anew from their times.
    #[must_use]
    pub fn measure(&self) -> Vec<Measured> {
        let mut before: Option<&Present> = None;
        let mut last_displayed: Option<f64> = None;
        let mut last_shown: Option<&Present> = None;
        let measured = |present| {
            let measured = measured(present, before, last_displayed, last_shown);
            before = Some(present);
            last_displayed = present.displayed.or(last_displayed);
            if present.displayed.is_some() && !present.is_generated {
                last_shown = Some(present);
            }
            measured
        };
        self.presents.iter().map(measured).collect()
    }
}

fn measured(
    present: &Present,
    before: Option<&Present>,
    last_displayed: Option<f64>,
    last_shown: Option<&Present>,
) -> Measured {
    Measured {
        row: present.row,
        between_presents: before.map(|before| present.presented - before.presented),
        between_display_change: present.displayed.zip(last_displayed).map(|(now, last)| now - last),
        animation_error: last_shown.and_then(|last| animation_error(present, last)),
    }
}

/// None where one of the two is not told, or a step is not above zero: then one of them is wrong.
fn animation_error(present: &Present, last: &Present) -> Option<f64> {
    if present.is_simulated_told != last.is_simulated_told {
        return None;
    }
    let simulated = present.simulated? - last.simulated?;
    let displayed = present.displayed? - last.displayed?;
    (simulated > 0.0 && displayed > 0.0).then_some(simulated - displayed)
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

/// A frame is a hitch beyond this many times the median around it, and stutters beyond this many times the mean.
const MUCH_LONGER: f64 = 2.5;

/// Frames around a frame, to either side, whose median it is held against.
const AROUND: usize = 30;

impl Chain {
    /// What the chain comes down to.
    #[must_use]
    pub fn metrics(&self) -> Metrics {
        let times: Vec<f64> = self.deltas.iter().map(|delta| delta.as_secs_f64() * 1e3).collect();
        let total: f64 = times.iter().sum();
        let mut sorted = times.clone();
        sorted.sort_by(f64::total_cmp);
        let frame_times = FrameTimes::of(&sorted);
        let low = |share: f64| fps_of_slowest(&sorted, share);
        let stuttering = times.iter().filter(|time| **time > MUCH_LONGER * frame_times.mean);
        let mut metrics = Metrics {
            frames: times.len(),
            displayed: None,
            not_displayed: None,
            generated: self.presents.iter().filter(|present| present.is_generated).count(),
            seconds: total / 1e3,
            fps_average: 1e3 * times.len() as f64 / total,
            frame_time_ms: frame_times,
            fps_low_1pct: low(0.01),
            fps_low_01pct: low(0.001),
            fps_low_1pct_by_time: 1e3 / time_weighted(&sorted, total * 0.01),
            fps_low_01pct_by_time: 1e3 / time_weighted(&sorted, total * 0.001),
            animation_error_ms: None,
            display_interval_std_ms: None,
            // Nothing adds up to minus zero.
            stutter_time_pct: 100.0 * (0.0 + stuttering.sum::<f64>()) / total,
            dropped_pct: None,
            jank_pct: None,
            hitches: hitches(&times),
            absent: Vec::new(),
        };
        self.add_display(&mut metrics);
        metrics
    }

    /// What can be told of the display, where the file tells of it.
    fn add_display(&self, metrics: &mut Metrics) {
        let displayed = self
            .presents
            .iter()
            .filter(|present| present.displayed.is_some())
            .count();
        if displayed == 0 {
            let reason = "the file does not tell when frames were on the screen";
            for name in [
                "displayed",
                "animation_error_ms",
                "display_interval_std_ms",
                "dropped_pct",
                "jank_pct",
            ] {
                metrics.absent.push(Absent { name, reason });
            }
            return;
        }
        let measured = self.measure();
        let not_displayed = self.presents.len() - displayed;
        metrics.displayed = Some(displayed);
        metrics.not_displayed = Some(not_displayed);
        metrics.dropped_pct = Some(100.0 * not_displayed as f64 / self.presents.len() as f64);
        let intervals: Vec<f64> = measured.iter().filter_map(|one| one.between_display_change).collect();
        if !intervals.is_empty() {
            let mut sorted = intervals.clone();
            sorted.sort_by(f64::total_cmp);
            let of = FrameTimes::of(&sorted);
            metrics.display_interval_std_ms = Some(of.std);
            let janks = intervals
                .windows(2)
                .filter(|pair| pair[1] > pair[0] + 0.5 * of.median)
                .count();
            metrics.jank_pct = Some(100.0 * janks as f64 / intervals.len() as f64);
        }
        let errors: Vec<f64> = measured.iter().filter_map(|one| one.animation_error).collect();
        metrics.animation_error_ms = AnimationErrors::of(&errors);
        if errors.is_empty() {
            metrics.absent.push(Absent {
                name: "animation_error_ms",
                reason: "the file does not tell when the program began each frame",
            });
        }
    }
}

impl FrameTimes {
    /// Of times in ascending order, of which there is at least one.
    fn of(sorted: &[f64]) -> Self {
        let count = sorted.len() as f64;
        let mean = sorted.iter().sum::<f64>() / count;
        let square = |time: &f64| (time - mean) * (time - mean);
        Self {
            mean,
            median: percentile(sorted, 50.0),
            p95: percentile(sorted, 95.0),
            p99: percentile(sorted, 99.0),
            p999: percentile(sorted, 99.9),
            max: percentile(sorted, 100.0),
            std: (sorted.iter().map(square).sum::<f64>() / count).sqrt(),
        }
    }
}

impl AnimationErrors {
    fn of(errors: &[f64]) -> Option<Self> {
        let count = errors.len();
        if count == 0 {
            return None;
        }
        let mut sizes: Vec<f64> = errors.iter().map(|error| error.abs()).collect();
        sizes.sort_by(f64::total_cmp);
        let mean = |sum: f64| sum / count as f64;
        Some(Self {
            count,
            mean_abs: mean(sizes.iter().sum()),
            rms: mean(sizes.iter().map(|size| size * size).sum()).sqrt(),
            p99_abs: percentile(&sizes, 99.0),
            max_abs: percentile(&sizes, 100.0),
        })
    }
}

/// The value that `percent` of the values, in ascending order, do not exceed: by the nearest rank.
pub(crate) fn percentile(sorted: &[f64], percent: f64) -> f64 {
    let rank = (percent / 100.0 * sorted.len() as f64 - 1e-9).ceil() as usize;
    let at = rank.clamp(1, sorted.len().max(1)) - 1;
    sorted.get(at).copied().unwrap_or(f64::NAN)
}

/// Frames a second over the slowest share of the frames, at least one.
fn fps_of_slowest(sorted: &[f64], share: f64) -> f64 {
    let count = ((sorted.len() as f64 * share).round() as usize).clamp(1, sorted.len().max(1));
    let slowest = &sorted[sorted.len().saturating_sub(count)..];
    1e3 * slowest.len() as f64 / slowest.iter().sum::<f64>()
}

/// The frame time that the slowest frames reach down to when they fill so much time.
fn time_weighted(sorted: &[f64], most: f64) -> f64 {
    let mut filled = 0.0;
    for time in sorted.iter().rev() {
        filled += time;
        if filled >= most {
            return *time;
        }
    }
    sorted.first().copied().unwrap_or(f64::NAN)
}

fn hitches(times: &[f64]) -> Vec<Hitch> {
    let mut found = Vec::new();
    let (mut end, mut around) = (0.0, Vec::with_capacity(2 * AROUND + 1));
    for (index, time) in times.iter().enumerate() {
        end += time;
        let (from, to) = (index.saturating_sub(AROUND), (index + AROUND + 1).min(times.len()));
        around.clear();
        around.extend_from_slice(&times[from..to]);
        let middle = around.len() / 2;
        let (_, median, _) = around.select_nth_unstable_by(middle, f64::total_cmp);
        if *time > MUCH_LONGER * *median {
            found.push(Hitch {
                at_s: end / 1e3,
                ms: *time,
            });
        }
    }
    found
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
