//! The running metrics of a swap chain, in bounded memory.

use std::ops::RangeInclusive;
use std::time::Duration;

use crate::measure::diagnose::verdict;
use crate::measure::diagnosis::{Diagnosis, SwapChainAnalysis};
use crate::measure::distribution::Distribution;
use crate::measure::hitches::{HitchFinder, HitchOf, merged};
use crate::measure::metrics::{AnimationErrors, FrameTimes, Measure, Metrics, MissingMetric, PresentMetrics};
use crate::measure::samples::{Sample, Samples};
use crate::measure::thresholds::BOUND;
use crate::read::chain_name::SwapChainName;
use crate::read::present::Present;
use crate::read::trace::SwapChain;

/// The running metrics of a swap chain. Times are in milliseconds.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunningMetrics {
    total: Duration,
    deltas: Distribution,
    frame_hitches: HitchFinder,
    display_hitches: HitchFinder,
    measure: Measure,
    presents: usize,
    displayed: usize,
    generated: usize,
    generated_by: Vec<&'static str>,
    /// The sum of the times between changes of the display, without pauses.
    shown_for: f64,
    /// Times between changes of the display.
    intervals: Distribution,
    last_interval: Option<f64>,
    /// How much longer each interval was than the previous one.
    growths: Distribution,
    /// Absolute animation errors.
    errors: Distribution,
    until_displayed: Distribution,
    pc_latency: Distribution,
    click_to_photon: Distribution,
    /// The time in frames for which it is known how long the graphics card was busy, and in the frames that it bound.
    gpu_bound: (f64, f64),
    /// The same of the program, but for the frames that the graphics card bound.
    cpu_bound: (f64, f64),
    pub(super) samples: Samples,
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
        self.running_metrics().metrics()
    }

    /// The metrics of the swap chain, the account of its unevenness, and its kinds of stutter.
    #[must_use]
    pub fn analysis(&self) -> SwapChainAnalysis {
        self.running_metrics().analysis(&self.name)
    }

    /// The kinds of stutter of the swap chain; at least one entry.
    #[must_use]
    pub fn diagnose(&self) -> Vec<Diagnosis> {
        self.analysis().diagnosis
    }

    /// Each row with its time in milliseconds, of the recording where the row has a present, else of the frames so far.
    fn rows(&self) -> impl Iterator<Item = (f64, Option<Duration>, Option<&Present>)> {
        let (mut deltas, mut elapsed) = (self.deltas.iter().copied(), Duration::ZERO);
        let rest = self.presents.iter().filter(|present| present.has_delta()).count();
        let rest = self.deltas.iter().skip(rest).map(|delta| (Some(*delta), None));
        let rows = self.presents.iter().map(|present| (None, Some(present))).chain(rest);
        rows.map(move |(delta, present): (_, Option<&Present>)| {
            let own = present
                .filter(|present| present.has_delta())
                .and_then(|_| deltas.next());
            let delta = delta.or(own);
            elapsed = elapsed.saturating_add(delta.unwrap_or_default());
            let time = present.map_or(1e3 * elapsed.as_secs_f64(), |present| present.presented);
            (time, delta, present)
        })
    }

    /// When the first frame began and the last one ended, in milliseconds of the recording.
    #[must_use]
    pub fn span(&self) -> (f64, f64) {
        let mut rows = self.rows();
        let Some((first, delta, _)) = rows.next() else {
            return (0.0, 0.0);
        };
        let begin = first - delta.map_or(0.0, |delta| 1e3 * delta.as_secs_f64());
        (begin, rows.last().map_or(first, |(last, ..)| last))
    }

    /// Keeps the rows between two times of the recording in milliseconds.
    pub(crate) fn keep(&mut self, times: RangeInclusive<f64>) {
        /// Clocks are written in steps of a microsecond.
        const STEP: f64 = 1e-3;
        let times = times.start() - STEP..=times.end() + STEP;
        let kept = self.rows().filter(|(time, ..)| times.contains(time));
        let (deltas, presents): (Vec<_>, Vec<_>) = kept.map(|(_, delta, present)| (delta, present.copied())).unzip();
        self.deltas = deltas.into_iter().flatten().collect();
        self.presents = presents.into_iter().flatten().collect();
    }

    pub(crate) fn running_metrics(&self) -> RunningMetrics {
        let mut running = RunningMetrics::default();
        self.rows().for_each(|(_, delta, present)| running.add(delta, present));
        running
    }
}

impl RunningMetrics {
    /// Adds a row: a frame of the program, a present, or both.
    pub(crate) fn add(&mut self, delta: Option<Duration>, present: Option<&Present>) {
        if let Some(delta) = delta {
            let stated = stated(delta, present);
            let time = stated.as_secs_f64() * 1e3;
            self.total = self.total.saturating_add(stated);
            self.deltas.add(time);
            self.frame_hitches
                .add(HitchOf::Frame, time, self.total.as_secs_f64() * 1e3);
            if let Some(present) = present {
                self.add_busy(time, present);
            }
        }
        let interval = present.and_then(|present| self.present(present));
        let at = self.total.as_secs_f64() * 1e3;
        self.samples.add(Sample::new(at, delta, present, interval));
    }

    fn add_busy(&mut self, time: f64, present: &Present) {
        let is_bound = |busy: Option<f64>| busy.is_some_and(|busy| busy >= BOUND * time);
        self.gpu_bound.0 += present.gpu_busy.map_or(0.0, |_| time);
        self.cpu_bound.0 += present.cpu_busy.map_or(0.0, |_| time);
        if is_bound(present.gpu_busy) {
            self.gpu_bound.1 += time;
        } else if is_bound(present.cpu_busy) {
            self.cpu_bound.1 += time;
        }
    }

    /// Adds a present. Returns the time since the last change of the display.
    fn present(&mut self, present: &Present) -> Option<f64> {
        let measured = self.measure.next(present);
        self.presents += 1;
        self.displayed += usize::from(present.displayed.is_some());
        self.generated += usize::from(present.is_generated);
        let is_new = |name: &&'static str| !self.generated_by.contains(name);
        self.generated_by.extend(present.generated_by.filter(is_new));
        if let Some(displayed) = present.displayed {
            self.until_displayed.add(displayed - present.presented);
            let before = std::mem::replace(&mut self.last_interval, measured.between_display_change);
            if let Some(interval) = measured.between_display_change {
                self.intervals.add(interval);
                self.growths
                    .add(before.map_or(0.0, |before| (interval - before).max(0.0)));
                self.shown_for += interval;
                self.display_hitches.add(HitchOf::Display, interval, self.shown_for);
            }
        }
        let known = [
            (&mut self.errors, measured.animation_error.map(f64::abs)),
            (&mut self.pc_latency, present.pc_latency),
            (&mut self.click_to_photon, present.click_to_photon),
        ];
        for (values, value) in known {
            if let Some(value) = value {
                values.add(value);
            }
        }
        measured.between_display_change
    }

    /// Whether any frame takes longer than zero.
    pub(crate) fn has_time(&self) -> bool {
        !self.total.is_zero()
    }

    pub(crate) fn frames(&self) -> usize {
        self.deltas.count()
    }

    pub(crate) fn analysis(&self, name: &SwapChainName) -> SwapChainAnalysis {
        let metrics = self.metrics();
        let (unevenness, diagnosis) = verdict(self.samples.all(), &metrics);
        SwapChainAnalysis {
            name: name.clone(),
            unevenness,
            diagnosis,
            metrics,
        }
    }

    pub(crate) fn metrics(&self) -> Metrics {
        let total = self.total.as_secs_f64() * 1e3;
        let (of_frames, stuttering) = self.frame_hitches.clone().finish(HitchOf::Frame);
        let (of_display, _) = self.display_hitches.clone().finish(HitchOf::Display);
        let bound = |(known, bound): (f64, f64)| (known > 0.0).then(|| 100.0 * bound / total);
        let times = |values: &Distribution| (values.count() > 0).then(|| FrameTimes::summarize(values));
        let is_displayed = self.displayed > 0;
        let not_displayed = self.presents - self.displayed;
        let intervals = Some(&self.intervals).filter(|intervals| intervals.count() > 0);
        Metrics {
            frames: self.frames(),
            displayed: is_displayed.then_some(self.displayed),
            not_displayed: is_displayed.then_some(not_displayed),
            generated: self.generated,
            generated_by: self.generated_by.clone(),
            seconds: self.total.as_secs_f64(),
            fps_average: 1e3 * self.frames() as f64 / total,
            frame_time_ms: FrameTimes::summarize(&self.deltas),
            fps_low_1pct: fps_of_slowest(&self.deltas, 0.01),
            fps_low_01pct: fps_of_slowest(&self.deltas, 0.001),
            fps_low_1pct_by_time: 1e3 / time_weighted(&self.deltas, total * 0.01),
            fps_low_01pct_by_time: 1e3 / time_weighted(&self.deltas, total * 0.001),
            displayed_fps_average: intervals.map(|intervals| 1e3 / intervals.mean()),
            display_interval_ms: times(&self.intervals),
            displayed_fps_low_1pct: intervals.map(|intervals| fps_of_slowest(intervals, 0.01)),
            displayed_fps_low_01pct: intervals.map(|intervals| fps_of_slowest(intervals, 0.001)),
            animation_error_ms: (self.errors.count() > 0).then(|| AnimationErrors {
                count: self.errors.count(),
                mean_abs: self.errors.mean(),
                rms: self.errors.rms(),
                p99_abs: self.errors.percentile(99.0),
                max_abs: self.errors.max(),
            }),
            display_interval_std_ms: intervals.map(Distribution::std),
            stutter_time_pct: 100.0 * stuttering / total,
            dropped_pct: is_displayed.then(|| 100.0 * not_displayed as f64 / self.presents as f64),
            jank_pct: intervals.map(|intervals| {
                let median = intervals.percentile(50.0);
                let janks = self.growths.ascending().filter(|(growth, _)| *growth > 0.5 * median);
                100.0 * janks.map(|(_, count)| count).sum::<usize>() as f64 / intervals.count() as f64
            }),
            gpu_bound_pct: bound(self.gpu_bound),
            cpu_bound_pct: bound(self.cpu_bound),
            until_displayed_ms: times(&self.until_displayed),
            pc_latency_ms: times(&self.pc_latency),
            click_to_photon_ms: times(&self.click_to_photon),
            hitches: merged(of_frames, of_display),
            absent: self.absent(),
        }
    }

    /// The metrics that are unknown, with the reasons.
    fn absent(&self) -> Vec<MissingMetric> {
        let of_display = (self.displayed == 0).then_some("the file does not state when frames were displayed");
        let no_starts =
            "the file does not state when each frame began: it is taken to begin when the last one was presented";
        let of_intervals = of_display.or((self.intervals.count() == 0).then_some("only one frame was displayed"));
        let of_errors = of_intervals.or((self.errors.count() == 0).then_some(no_starts));
        [
            ("displayed", of_display),
            ("animation_error_ms", of_errors),
            ("dropped_pct", of_display),
            ("displayed_fps_average", of_intervals),
            ("displayed_fps_low_1pct", of_intervals),
            ("displayed_fps_low_01pct", of_intervals),
            ("display_interval_ms", of_intervals),
            ("display_interval_std_ms", of_intervals),
            ("jank_pct", of_intervals),
        ]
        .into_iter()
        .filter_map(|(name, reason)| Some(MissingMetric { name, reason: reason? }))
        .collect()
    }
}

impl FrameTimes {
    fn summarize(times: &Distribution) -> Self {
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

/// The frame time that the file states, if the delta is not that.
fn stated(delta: Duration, present: Option<&Present>) -> Duration {
    let stated = present.and_then(|present| Duration::try_from_secs_f64(present.frame_time? / 1e3).ok());
    stated.unwrap_or(delta)
}

/// Frames per second over the slowest share of the frames, at least one frame.
fn fps_of_slowest(times: &Distribution, share: f64) -> f64 {
    let count = ((times.count() as f64 * share - 1e-9).ceil() as usize).max(1);
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

    /// Both sides of each share: of a second, a hundredth is 10 ms; of 200 frames, 2.
    #[test]
    fn low_rates_are_those_of_the_slowest_frames_that_complete_the_share_and_of_no_more() {
        for (slowest, next, low) in [(9.9, 5.1, 5.1), (10.0, 5.0, 10.0), (10.1, 4.9, 10.1)] {
            let mut times = vec![5.0; 197];
            times.extend([next, slowest]);
            let metrics = chain(&times).metrics();
            assert!((metrics.fps_low_1pct_by_time - 1e3 / low).abs() < 1e-9, "{slowest} ms");
        }
        for (frames, count) in [(199, 2), (200, 2), (201, 3)] {
            let times: Vec<f64> = (0..frames).map(|n| 10.0 + f64::from(n)).collect();
            let mean = 10.0 + f64::from(frames - 1) - f64::from(count - 1) / 2.0;
            let metrics = chain(&times).metrics();
            assert!((metrics.fps_low_1pct - 1e3 / mean).abs() < 1e-9, "{frames} frames");
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
        assert_eq!(metrics.absent.len(), 9);
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
    fn shares_are_percent_of_their_wholes_and_count_from_their_thresholds_on() {
        let shown = [0.0, 10.0, 20.0, 34.9, f64::NAN, 44.9, 54.9, f64::NAN, 70.0, 80.0];
        let presents = shown.iter().enumerate().map(|(n, at)| Present {
            // A frame that waits for the GPU is not bound by the program, too.
            gpu_busy: Some(if n < 3 { 9.0 } else { 8.9 }),
            cpu_busy: Some(if (2..4).contains(&n) { 9.1 } else { 8.9 }),
            ..present(n as u64, 10.0 * n as f64, (!at.is_nan()).then_some(*at))
        });
        let chain = SwapChain {
            presents: presents.collect(),
            ..chain(&[10.0; 10])
        };
        let metrics = chain.metrics();
        assert_eq!((metrics.displayed, metrics.not_displayed), (Some(8), Some(2)));
        // The display's times grow by 4.9 and 5.1 ms, and their median is 10 ms.
        for (share, percent) in [
            (metrics.dropped_pct, 20.0),
            (metrics.jank_pct, 100.0 / 7.0),
            (metrics.gpu_bound_pct, 30.0),
            (metrics.cpu_bound_pct, 10.0),
        ] {
            assert!((share.unwrap() - percent).abs() < 1e-9, "{share:?} and {percent}");
        }
    }

    #[test]
    fn a_metric_that_is_unknown_says_why() {
        let absent = |displayed: u64, has_starts: bool| {
            let presents = (0..3).map(|n| Present {
                simulated: has_starts.then_some(10.0 * n as f64),
                ..present(n, 10.0 * n as f64, (n < displayed).then_some(10.0 * n as f64))
            });
            let chain = SwapChain {
                presents: presents.collect(),
                ..chain(&[10.0; 3])
            };
            chain.metrics().absent
        };
        for (displayed, has_starts, count, why) in [
            (0, true, 9, "does not state when frames were displayed"),
            (1, true, 7, "only one frame was displayed"),
            (2, false, 1, "does not state when each frame began"),
            (2, true, 0, ""),
        ] {
            let found = absent(displayed, has_starts);
            assert_eq!(found.len(), count, "{found:?}");
            assert!(found.iter().all(|one| one.reason.contains(why)), "{found:?}");
            let has_error = found.iter().all(|one| one.name != "animation_error_ms");
            assert_eq!(has_error, count == 0);
        }
    }

    #[test]
    fn one_frame_has_metrics() {
        let metrics = chain(&[5.0]).metrics();
        assert_eq!((metrics.fps_average, metrics.fps_low_1pct), (200.0, 200.0));
        assert!(metrics.hitches.is_empty());
    }

    #[test]
    fn the_displayed_rate_is_that_of_the_intervals_between_changes_of_the_display() {
        let presents = (0..11).map(|n| present(n, 10.0 * n as f64, (n % 2 == 0).then_some(10.0 * n as f64)));
        let chain = SwapChain {
            presents: presents.collect(),
            ..chain(&[10.0; 11])
        };
        let metrics = chain.metrics();
        assert!((metrics.fps_average - 100.0).abs() < 1e-9);
        assert!((metrics.displayed_fps_average.unwrap() - 50.0).abs() < 1e-9);
    }
}
