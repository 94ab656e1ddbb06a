//! What the frames of a recording, or of a half of it, show.

use crate::measure::multiples_fit::{Baseline, MultiplesFit, median};
use crate::measure::samples::Sample;
use crate::measure::thresholds::{ENDS_MS, HITCH_MEDIANS, MAX_ENDS, NEARLY_ALL, SLOW};

/// By then a capture has reached the present mode of most of its frames: a time, and at most a share of the recording.
const START_MS: f64 = 3000.0;
const MAX_START: f64 = 0.2;

/// Each of so many of the longest runs of so many presents that were never displayed is one stop of the display.
const STOP_RUNS: usize = 3;
const STOP_PRESENTS: usize = 5;

/// A rate is held if the sums of 32 frames deviate by at most this share (median absolute deviation) or this many milliseconds, and by at
/// most this many times the deviation of sums of 8, or half of the share. There are at least this many sums.
const HELD_SHARE: f64 = 0.0007;
const HELD_MS: f64 = 0.2;
const HELD_GROWTH: f64 = 1.8;
const MIN_SUMS: usize = 6;

/// The frames that count for the verdict: without the ends, and without the start of a capture that reaches the screen another way than
/// most: FrameView's own message has the compositor show the first two seconds.
pub(super) fn inner(samples: &[Sample]) -> &[Sample] {
    let total = samples.last().map_or(0.0, |last| last.at);
    let (start_ms, ends_ms) = (START_MS.min(MAX_START * total), ENDS_MS.min(MAX_ENDS * total));
    let composed = samples.iter().filter(|sample| sample.is_composed).count();
    let is_other_way = |sample: &&Sample| sample.is_composed != (2 * composed > samples.len());
    let start = samples
        .iter()
        .take_while(|sample| sample.at < start_ms)
        .filter(is_other_way)
        .last();
    let begin = start.map_or(0.0, |last| last.at) + ends_ms;
    let from = samples.partition_point(|sample| sample.at < begin);
    let to = samples.partition_point(|sample| sample.at <= total - ends_ms);
    samples.get(from..to).unwrap_or_default()
}

/// The evidence of frames.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    /// The program's deltas.
    pub(super) frames: Baseline,
    /// Whether the file states when frames began.
    pub(super) is_start_known: bool,
    /// The times between changes of the display.
    pub(super) shown: Option<Baseline>,
    /// The interval on whose multiples the times on the screen are, or the frames where the file has no display times.
    pub(super) multiples: Option<MultiplesFit>,
    /// The share of the program's frames that take longer than usual by most of a refresh.
    pub(super) slow: f64,
    /// Changes of the display per frame of the program.
    pub(super) each: f64,
    /// Shares of the presents that were never displayed and that were generated.
    pub(super) never: f64,
    pub(super) generated: f64,
    /// The medians of the shorter and of the longer frames.
    pub(super) short_and_long: (f64, f64),
    /// The rate in frames a second that something holds.
    pub(super) held_rate: Option<f64>,
    /// The shares of the median frame for which the program and the graphics card are busy.
    pub(super) cpu: Option<f64>,
    pub(super) gpu: Option<f64>,
    /// Whether vertical sync was on in nearly all rows, or in nearly none.
    pub(super) is_synced: Option<bool>,
}

impl Evidence {
    /// The evidence of frames; `None` if they are too few.
    pub(super) fn collect(samples: &[Sample]) -> Option<Self> {
        let deltas: Vec<f64> = known(samples, |sample| sample.delta).collect();
        let frames = Baseline::measure(&deltas)?;
        let intervals: Vec<f64> = known(samples, |sample| sample.interval).collect();
        let shown = Baseline::measure(&intervals);
        let presents: Vec<&Sample> = samples.iter().filter(|sample| sample.is_present).collect();
        let share = |is_it: fn(&Sample) -> bool| {
            let count = presents.iter().filter(|sample| is_it(sample)).count();
            count as f64 / presents.len().max(1) as f64
        };
        let fact = |read: fn(&Sample) -> Option<bool>| {
            let stated: Vec<bool> = presents.iter().copied().filter_map(read).collect();
            let share = stated.iter().filter(|fact| **fact).count() as f64 / stated.len() as f64;
            (share >= NEARLY_ALL || share <= 1.0 - NEARLY_ALL).then_some(share >= NEARLY_ALL)
        };
        let is_synced = fact(|sample| Some(sample.sync_interval? > 0));
        let tears = fact(|sample| sample.allows_tearing);
        let generated = share(|sample| sample.is_generated);
        let each = 1.0 / (1.0 - generated).max(0.05);
        // A frame that was never displayed makes the next interval longer: that is no second number of refreshes.
        let next = samples.windows(2).filter(|pair| pair[0].is_displayed);
        let next = next.map(|pair| f64::from(pair[1].interval));
        let (next, times) = match shown {
            Some(_) => (next.filter(|time| !time.is_nan()).collect(), &intervals),
            None => (deltas.clone(), &deltas),
        };
        // Refreshes show in both halves.
        let (one, other) = times.split_at(times.len() / 2);
        let is_in =
            |times: &[f64], refresh| MultiplesFit::at(times, refresh).is_none_or(|fit| fit.is_of_display(times));
        let multiples = MultiplesFit::find(&next)
            .filter(|_| tears != Some(true))
            .filter(|fit| is_synced == Some(true) || fit.is_determined(frames.median / each))
            .filter(|fit| is_in(times, fit.refresh) && is_in(one, fit.refresh) && is_in(other, fit.refresh))
            .and_then(|fit| MultiplesFit::at(times, fit.refresh));
        let busy = |of: fn(&Sample) -> f32| {
            let shares = samples
                .iter()
                .filter(|sample| sample.delta > 0.0 && !of(sample).is_nan());
            let shares: Vec<f64> = shares.map(|sample| f64::from(of(sample) / sample.delta)).collect();
            (2 * shares.len() > deltas.len()).then(|| median(&shares))
        };
        let slow = multiples.as_ref().map_or(0.0, |fit| {
            let longest = frames.median + SLOW * fit.refresh;
            deltas.iter().filter(|delta| **delta > longest).count() as f64 / deltas.len() as f64
        });
        Some(Self {
            frames,
            slow,
            is_start_known: presents.is_empty() || share(|sample| sample.is_started) > 0.5,
            shown,
            multiples,
            each,
            never: never(&presents),
            generated,
            short_and_long: short_and_long(&deltas),
            held_rate: held_rate(&deltas),
            cpu: busy(|sample| sample.cpu_busy),
            gpu: busy(|sample| sample.gpu_busy),
            is_synced,
        })
    }

    /// What pictures are: the times on the screen, or the frames where the file has no display times.
    pub(super) fn time_of_pictures(&self) -> fn(&Sample) -> f32 {
        match self.shown {
            Some(_) => |sample| sample.interval,
            None => |sample| sample.delta,
        }
    }

    /// That interval.
    pub(super) fn refresh(&self) -> Option<f64> {
        self.multiples.as_ref().map(|fit| fit.refresh)
    }

    /// How many refreshes each frame takes.
    pub(super) fn refreshes(&self, display: &MultiplesFit) -> f64 {
        self.frames.median / self.each / display.refresh
    }
}

fn known(samples: &[Sample], of: fn(&Sample) -> f32) -> impl Iterator<Item = f64> {
    samples.iter().map(of).filter(|value| !value.is_nan()).map(f64::from)
}

/// The share of presents that were never displayed, without the longest runs of them: each of these is one event, a stop.
fn never(presents: &[&Sample]) -> f64 {
    let runs = presents.split(|sample| sample.is_displayed).map(<[&Sample]>::len);
    let mut runs: Vec<usize> = runs.filter(|run| *run > 0).collect();
    runs.sort_unstable();
    let lost: usize = runs.iter().sum();
    let longest = runs.iter().rev().take(STOP_RUNS);
    let stops: usize = longest.filter(|run| **run >= STOP_PRESENTS).sum();
    (lost - stops) as f64 / (presents.len() - stops).max(1) as f64
}

/// The rate in frames a second that something holds: sums of 32 frames, without hitches, are equal, and hardly more off than sums of 8,
/// because the errors of frames do not add up.
fn held_rate(deltas: &[f64]) -> Option<f64> {
    let longest = HITCH_MEDIANS * median(deltas);
    let deltas: Vec<f64> = deltas.iter().copied().filter(|delta| *delta <= longest).collect();
    let median_and_mad = |of: usize| {
        let sums: Vec<f64> = deltas.chunks_exact(of).map(|frames| frames.iter().sum()).collect();
        let median_sum = median(&sums);
        let off: Vec<f64> = sums.iter().map(|sum| (sum - median_sum).abs()).collect();
        (median_sum, median(&off))
    };
    let ((sum, mad), (_, mad_of_8)) = (median_and_mad(32), median_and_mad(8));
    let is_held = mad <= (HELD_SHARE * sum).max(HELD_MS) && mad <= (HELD_GROWTH * mad_of_8).max(0.5 * HELD_SHARE * sum);
    (is_held && deltas.len() >= 32 * MIN_SUMS).then_some(32e3 / sum)
}

/// The medians of the times below their mean, and of the others.
fn short_and_long(times: &[f64]) -> (f64, f64) {
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let (short, long): (Vec<f64>, Vec<f64>) = times.iter().copied().partition(|time| *time < mean);
    (median(&short), median(&long))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::read::present::Present;

    /// Presents of frames with these deltas in milliseconds, each displayed after `interval`.
    fn samples(deltas: &[f64], interval: f64) -> Vec<Sample> {
        let mut at = 0.0;
        let sample = |delta: &f64| {
            at += delta;
            let present = Present {
                started: Some(at),
                displayed: Some(at),
                sync_interval: Some(1),
                ..Present::new(at)
            };
            Sample::new(
                at,
                Some(Duration::from_secs_f64(delta / 1e3)),
                Some(&present),
                Some(interval),
            )
        };
        deltas.iter().map(sample).collect()
    }

    /// The evidence of samples that are changed by their index.
    fn evidence(mut samples: Vec<Sample>, change: impl Fn(usize, &mut Sample)) -> Evidence {
        samples
            .iter_mut()
            .enumerate()
            .for_each(|(index, sample)| change(index, sample));
        Evidence::collect(&samples).unwrap()
    }

    #[test]
    fn a_second_at_each_end_is_left_out_and_of_short_recordings_a_twentieth() {
        for (seconds, left_out) in [(4, 200), (20, 1_000), (40, 1_000)] {
            let all = samples(&vec![10.0; seconds * 100], 10.0);
            let kept = inner(&all);
            let ends = [kept[0].at, seconds as f64 * 1e3 - kept[kept.len() - 1].at];
            assert_eq!(ends.map(|end| end.round() as i64), [left_out; 2], "of {seconds} s");
        }
    }

    #[test]
    fn the_start_ends_a_second_after_the_present_mode_became_that_of_most_frames() {
        for (composed, from) in [(0, 1_000), (1, 1_010), (200, 3_000), (299, 3_990), (2_000, 1_000)] {
            let mut all = samples(&[10.0; 3_000], 10.0);
            all[..composed].iter_mut().for_each(|sample| sample.is_composed = true);
            assert_eq!(inner(&all)[0].at.round() as i64, from, "{composed} frames");
        }
    }

    #[test]
    fn a_fact_is_told_if_it_holds_in_nine_of_ten_presents_or_in_one() {
        for (share, fact) in [
            (0, Some(false)),
            (9, Some(false)),
            (11, None),
            (50, None),
            (89, None),
            (91, Some(true)),
        ] {
            let found = evidence(samples(&[10.0; 200], 10.0), |index, frame| {
                frame.sync_interval = Some(u8::from(index % 100 < share));
            });
            assert_eq!(found.is_synced, fact, "{share} of 100");
        }
        let untold = evidence(samples(&[10.0; 100], 10.0), |_, frame| frame.sync_interval = None);
        assert_eq!(untold.is_synced, None);
    }

    #[test]
    fn frames_that_tear_show_no_refreshes_of_the_display() {
        for (tears, has_refreshes) in [(Some(true), false), (Some(false), true), (None, true)] {
            let found = evidence(samples(&[8.0; 120], 8.0), |_, frame| frame.allows_tearing = tears);
            assert_eq!(found.multiples.is_some(), has_refreshes, "{tears:?}");
        }
    }

    #[test]
    fn of_generated_frames_each_frame_of_the_program_has_its_share_of_changes_and_refreshes() {
        for (of, generated, each) in [(4, 1, 4.0 / 3.0), (2, 1, 2.0), (4, 3, 4.0)] {
            let found = evidence(samples(&[8.0; 120], 4.0), |index, frame| {
                frame.is_generated = index % of < generated;
            });
            let display = found.multiples.as_ref().unwrap();
            assert!((display.refresh - 4.0).abs() < 1e-4);
            assert!((found.each - each).abs() < 1e-9);
            assert!((found.refreshes(display) - 2.0 / each).abs() < 1e-4);
        }
    }

    #[test]
    fn frames_without_a_duration_do_not_count_for_the_load() {
        let deltas = [vec![10.0; 61], vec![0.0; 60]].concat();
        let found = evidence(samples(&deltas, 10.0), |index, frame| {
            frame.cpu_busy = 0.1 * index as f32
        });
        assert!((found.cpu.unwrap() - 0.3).abs() < 1e-6);
    }

    #[test]
    fn the_start_of_frames_is_known_if_most_presents_have_it() {
        for (share, is_known) in [(40, false), (50, false), (60, true)] {
            let found = evidence(samples(&[10.0; 100], 10.0), |index, frame| {
                frame.is_started = index < share
            });
            assert_eq!(found.is_start_known, is_known, "{share} of 100");
        }
    }

    #[test]
    fn a_rate_is_held_if_the_errors_of_frames_do_not_add_up() {
        let off = |n: usize| ((n * 7919 % 1000) as f64 / 500.0 - 1.0) * 0.5;
        let of_clock: Vec<f64> = (0..1_200).map(|n| 10.0 + off(n + 1) - off(n)).collect();
        assert!((held_rate(&of_clock).unwrap() - 100.0).abs() < 0.2);
        let mut added = 0.0;
        let walk = (0..1_200).map(|n| {
            added += 0.1 * off(n);
            10.0 + added
        });
        assert_eq!(held_rate(&walk.collect::<Vec<_>>()), None);
        assert_eq!((held_rate(&[10.0; 191]), held_rate(&[10.0; 192])), (None, Some(100.0)));
    }
}
