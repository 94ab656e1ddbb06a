//! The running metrics of a swap chain, in bounded memory.

use std::collections::VecDeque;
use std::time::Duration;

use crate::measure::distribution::Distribution;
use crate::measure::metrics::{AnimationErrors, FrameTimes, Hitch, Measure, Metrics, MissingMetric, PresentMetrics};
use crate::read::present::Present;
use crate::read::trace::SwapChain;

/// A frame longer than this many means counts towards the stuttering time.
const MUCH_LONGER: f64 = 2.5;

/// A frame is a hitch if it is longer than the baseline by this many milliseconds. That is more than a refresh at 50 Hz: people see the
/// motion stop.
const HITCH: f64 = 21.0;

/// At high frame rates, a frame is a hitch if it is longer than the baseline by this many baseline frames.
const HITCH_FRAMES: f64 = 1.5;

/// The smallest excess of a hitch over the baseline in milliseconds, at any rate: a smaller excess is invisible.
const LEAST_HITCH: f64 = 7.5;

/// The longest frame time that is not a hitch at this baseline frame time. It increases with the baseline.
pub(crate) fn longest_without_hitch(baseline: f64) -> f64 {
    baseline + HITCH.min(HITCH_FRAMES * baseline).max(LEAST_HITCH)
}

/// The number of frames on either side of a frame that contribute to its baseline, a median.
const AROUND: usize = 30;

/// The running metrics of a swap chain. Times are in milliseconds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    total: Duration,
    pub(crate) deltas: Distribution,
    hitches: Hitches,
    measure: Measure,
    presents: usize,
    displayed: usize,
    generated: usize,
    /// Times between changes of the display.
    pub(crate) intervals: Distribution,
    last_interval: Option<f64>,
    /// How much longer each interval was than the previous one.
    pub(crate) growths: Distribution,
    /// Absolute animation errors.
    errors: Distribution,
    pub(crate) cpu_busy: Distribution,
    pub(crate) gpu_busy: Distribution,
}

impl SwapChain {
    /// PresentMon's metrics of each present, recomputed from the presents' times.
    #[must_use]
    pub fn measure(&self) -> Vec<PresentMetrics> {
        let mut measure = Measure::default();
        self.presents.iter().map(|present| measure.next(present)).collect()
    }

    /// The metrics of the swap chain.
    #[must_use]
    pub fn metrics(&self) -> Metrics {
        self.tally().metrics()
    }

    pub(crate) fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        self.deltas.iter().for_each(|delta| tally.delta(*delta));
        for present in &self.presents {
            tally.present(present);
        }
        tally
    }
}

impl Tally {
    pub(crate) fn delta(&mut self, delta: Duration) {
        let time = delta.as_secs_f64() * 1e3;
        self.total = self.total.saturating_add(delta);
        self.deltas.add(time);
        self.hitches.add(time);
    }

    pub(crate) fn present(&mut self, present: &Present) -> PresentMetrics {
        let measured = self.measure.next(present);
        self.presents += 1;
        self.displayed += usize::from(present.displayed.is_some());
        self.generated += usize::from(present.is_generated);
        if let Some(interval) = measured.between_display_change {
            let before = self.last_interval.replace(interval);
            self.intervals.add(interval);
            self.growths
                .add(before.map_or(0.0, |before| (interval - before).max(0.0)));
        }
        if let Some(error) = measured.animation_error {
            self.errors.add(error.abs());
        }
        if let Some(busy) = present.cpu_busy {
            self.cpu_busy.add(busy);
        }
        if let Some(busy) = present.gpu_busy {
            self.gpu_busy.add(busy);
        }
        measured
    }

    /// Whether any frame takes longer than zero.
    pub(crate) fn has_time(&self) -> bool {
        !self.total.is_zero()
    }

    pub(crate) fn frames(&self) -> usize {
        self.deltas.count()
    }

    pub(crate) fn metrics(&self) -> Metrics {
        let total = self.total.as_secs_f64() * 1e3;
        let (_, stuttering) = self
            .deltas
            .count_and_sum(|time| time > MUCH_LONGER * self.deltas.mean());
        let mut metrics = Metrics {
            frames: self.frames(),
            displayed: None,
            not_displayed: None,
            generated: self.generated,
            seconds: self.total.as_secs_f64(),
            fps_average: 1e3 * self.frames() as f64 / total,
            frame_time_ms: FrameTimes::of(&self.deltas),
            fps_low_1pct: fps_of_slowest(&self.deltas, 0.01),
            fps_low_01pct: fps_of_slowest(&self.deltas, 0.001),
            fps_low_1pct_by_time: 1e3 / time_weighted(&self.deltas, total * 0.01),
            fps_low_01pct_by_time: 1e3 / time_weighted(&self.deltas, total * 0.001),
            animation_error_ms: None,
            display_interval_std_ms: None,
            stutter_time_pct: 100.0 * stuttering / total,
            dropped_pct: None,
            jank_pct: None,
            hitches: self.hitches.clone().finish(),
            absent: Vec::new(),
        };
        self.add_display(&mut metrics);
        metrics
    }

    /// Adds the metrics of the display, if the file has display times.
    fn add_display(&self, metrics: &mut Metrics) {
        if self.displayed == 0 {
            let reason = "the file does not state when frames were displayed";
            for name in [
                "displayed",
                "animation_error_ms",
                "display_interval_std_ms",
                "dropped_pct",
                "jank_pct",
            ] {
                metrics.absent.push(MissingMetric { name, reason });
            }
            return;
        }
        let not_displayed = self.presents - self.displayed;
        metrics.displayed = Some(self.displayed);
        metrics.not_displayed = Some(not_displayed);
        metrics.dropped_pct = Some(100.0 * not_displayed as f64 / self.presents as f64);
        let mut absent = |name, reason| metrics.absent.push(MissingMetric { name, reason });
        if self.intervals.count() > 0 {
            let median = self.intervals.percentile(50.0);
            let (janks, _) = self.growths.count_and_sum(|growth| growth > 0.5 * median);
            metrics.display_interval_std_ms = Some(self.intervals.std());
            metrics.jank_pct = Some(100.0 * janks as f64 / self.intervals.count() as f64);
        } else {
            for name in ["display_interval_std_ms", "jank_pct"] {
                absent(name, "only one frame was displayed");
            }
        }
        if self.errors.count() > 0 {
            metrics.animation_error_ms = Some(AnimationErrors {
                count: self.errors.count(),
                mean_abs: self.errors.mean(),
                rms: self.errors.rms(),
                p99_abs: self.errors.percentile(99.0),
                max_abs: self.errors.max(),
            });
        } else {
            absent(
                "animation_error_ms",
                "the file does not state when the program began each frame",
            );
        }
    }
}

impl FrameTimes {
    fn of(times: &Distribution) -> Self {
        Self {
            mean: times.mean(),
            median: times.percentile(50.0),
            p95: times.percentile(95.0),
            p99: times.percentile(99.0),
            p999: times.percentile(99.9),
            max: times.max(),
            std: times.std(),
        }
    }
}

/// Frames per second over the slowest share of the frames, at least one frame.
fn fps_of_slowest(times: &Distribution, share: f64) -> f64 {
    let count = ((times.count() as f64 * share).round() as usize).max(1);
    let (mut left, mut sum) = (count, 0.0);
    for (time, number) in times.ascending().rev() {
        let taken = number.min(left);
        sum += time * taken as f64;
        left -= taken;
        if left == 0 {
            break;
        }
    }
    1e3 * count as f64 / sum
}

/// The shortest of the slowest frames that together take `most` milliseconds.
fn time_weighted(times: &Distribution, most: f64) -> f64 {
    let mut filled = 0.0;
    for (time, number) in times.ascending().rev() {
        filled += time * number as f64;
        if filled >= most {
            return time;
        }
    }
    times.percentile(0.0)
}

/// Finds frames that are much longer than the frames around them.
#[derive(Clone, Debug, Default)]
struct Hitches {
    /// The next frame to be judged, and the frames after it.
    waiting: VecDeque<f64>,
    /// The [`longest_without_hitch`] of each frame around the next frame, itself included.
    limits: VecDeque<f64>,
    /// How many of the limits belong to frames before the next frame.
    before: usize,
    /// When the last judged frame ended, in milliseconds.
    elapsed: f64,
    found: Vec<Hitch>,
}

impl Hitches {
    fn add(&mut self, time: f64) {
        self.waiting.push_back(time);
        self.limits.push_back(longest_without_hitch(time));
        if self.waiting.len() > AROUND {
            self.judge();
        }
    }

    fn judge(&mut self) {
        let Some(time) = self.waiting.pop_front() else { return };
        self.elapsed += time;
        // More than half of the limits are below `time` if and only if the limit of the median is, because the limit increases with the
        // frame time.
        let below = self.limits.iter().filter(|limit| **limit < time).count();
        if below > self.limits.len() / 2 {
            self.found.push(Hitch {
                at_s: self.elapsed / 1e3,
                ms: time,
            });
        }
        if self.before == AROUND {
            self.limits.pop_front();
        } else {
            self.before += 1;
        }
    }

    fn finish(mut self) -> Vec<Hitch> {
        while !self.waiting.is_empty() {
            self.judge();
        }
        self.found
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn chain(times: &[f64]) -> SwapChain {
        let deltas = times.iter().map(|ms| Duration::from_secs_f64(ms / 1e3));
        SwapChain {
            deltas: deltas.collect(),
            ..SwapChain::default()
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
            ..Present::default()
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
    fn a_frame_that_is_displayed_a_refresh_late_is_one_error_of_each_sign() {
        let shown = [Some(10.0), Some(26.0), Some(58.0), Some(58.0 + 16.0)];
        let presents = shown
            .iter()
            .enumerate()
            .map(|(n, at)| present(n as u64, 16.0 * n as f64, *at));
        let chain = SwapChain {
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
    fn a_frame_that_was_never_displayed_has_no_error_and_is_skipped() {
        let mut presents = vec![
            present(0, 0.0, Some(20.0)),
            present(1, 8.0, None),
            present(2, 16.0, Some(36.0)),
        ];
        presents[1].is_generated = true;
        let chain = SwapChain {
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
