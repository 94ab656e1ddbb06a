//! Fits a refresh interval to durations (`MultiplesFit`), or one baseline with its mean absolute deviation (`Baseline`).

use std::ops::Range;

use crate::measure::thresholds::{HITCH_MEDIANS, MIN_FRAMES, SECOND_SHARE};

/// The maximum number of refreshes in a duration without a hitch: a frame at 24 Hz takes 15 on a display at 360 Hz.
const MAX_REFRESHES: usize = 20;

/// The range of displays' refresh intervals, in milliseconds.
const REFRESHES: Range<f64> = 1.8..45.0;

/// The best accuracy that a measurement can have, in milliseconds.
const EXACT_MS: f64 = 0.01;

/// Display times are on refreshes up to this mean distance: a share of a refresh, or this many milliseconds.
const ON_REFRESHES: f64 = 0.0125;
const ON_REFRESHES_MS: f64 = 0.05;

/// Or up to this share, if sums of so many times are no further from refreshes than this many single ones: the errors of a display that
/// keeps a rate do not add up, those of one that follows frames do.
const LOCKED: f64 = 0.11;
const LOCKED_TIMES: usize = 16;
const LOCKED_GROWTH: f64 = 1.6;

/// The same for frame times, which the errors of the program's clock make less exact, as a share.
const FRAMES_ON_REFRESHES: f64 = 0.045;

/// The largest mean distance of times other than the most common ones, as a share of a refresh. That of random times is a quarter.
const RARER_OFF: f64 = 0.1;

/// Shares of the two numbers of refreshes of a beat: together, and how far each is from the share in even frames.
const BEAT_SHARE: f64 = 0.95;
const BEAT_OFF: f64 = 0.1;

/// How much shorter a description with a finer refresh interval must be to be preferred, in nats per time.
const FINER: f64 = 0.2;

/// Times as multiples of a refresh interval. The interval with the shortest description wins. A description consists of the frequencies
/// of the multiples and the deviations from them: a coarse interval leaves large deviations, a fine one needs many multiples.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MultiplesFit {
    /// The refresh interval.
    pub(crate) refresh: f64,
    /// The mean absolute deviation of the times from the multiples of the refresh interval.
    pub(crate) mean_deviation: f64,
    /// The length of the description, in nats per time.
    description_length: f64,
    /// The number of times that take 0, 1, 2, … refreshes.
    pub(crate) multiples: Vec<usize>,
    /// The mean absolute deviation of the times that do not take the most common number of refreshes.
    rarer_deviation: f64,
}

impl MultiplesFit {
    /// The coarsest refresh interval on whose multiples the times are; `None` if they are on none.
    pub(crate) fn find(times: &[f64]) -> Option<Self> {
        let all = times;
        let times = without_hitches(times)?;
        let median = median(&times);
        let near: Vec<f64> = times
            .iter()
            .copied()
            .filter(|time| (time / median - 1.0).abs() < 0.015)
            .collect();
        let anchor = near.iter().sum::<f64>() / near.len() as f64;
        let guesses = (1..=MAX_REFRESHES).map(|multiple| (multiple, anchor / multiple as f64));
        let good: Vec<Self> = guesses
            .filter(|(multiple, refresh)| *multiple == 1 || REFRESHES.contains(refresh))
            .map(|(_, refresh)| Self::fit(&times, refresh))
            .filter(|fit| fit.is_of_display(all))
            .collect();
        let least = good.iter().map(|one| one.description_length).min_by(f64::total_cmp)?;
        good.into_iter().find(|one| one.description_length <= least + FINER)
    }

    /// Whether a display with this interval shows these times.
    pub(crate) fn is_of_display(&self, times: &[f64]) -> bool {
        self.is_good() || self.is_locked(times)
    }

    /// Whether sums of times are as close to refreshes as single ones.
    fn is_locked(&self, times: &[f64]) -> bool {
        let sums = times
            .as_chunks::<LOCKED_TIMES>()
            .0
            .iter()
            .map(|times| times.iter().sum::<f64>() / self.refresh);
        let off: Vec<f64> = sums.map(|refreshes| (refreshes - refreshes.round()).abs()).collect();
        let off = off.iter().sum::<f64>() / off.len() as f64;
        self.mean_deviation < LOCKED * self.refresh
            && self.rarer_deviation < LOCKED * self.refresh
            && off < (LOCKED_GROWTH * self.mean_deviation / self.refresh).max(EXACT_MS / self.refresh)
    }

    /// Describes times as multiples of a known refresh interval.
    pub(crate) fn at(times: &[f64], refresh: f64) -> Option<Self> {
        Some(Self::measure(&without_hitches(times)?, refresh))
    }

    /// Improves a guess of the refresh interval by least squares over the times that are near its multiples.
    fn fit(times: &[f64], guess: f64) -> Self {
        let mut refresh = guess;
        for _ in 0..3 {
            let (mut products, mut squares) = (0.0, 0.0);
            for time in times {
                let refreshes = time / refresh;
                let multiple = f64::from(nearest(refreshes));
                if (refreshes - multiple).abs() < 0.25 {
                    products += multiple * time;
                    squares += multiple * multiple;
                }
            }
            // NaN if no time is near a multiple; such a fit is not good.
            refresh = products / squares;
        }
        Self::measure(times, refresh)
    }

    fn measure(times: &[f64], refresh: f64) -> Self {
        let mut each: Vec<(usize, f64)> = Vec::new();
        for time in times {
            let multiple = nearest(time / refresh) as usize;
            if multiple >= each.len() {
                each.resize(multiple + 1, (0, 0.0));
            }
            each[multiple].0 += 1;
            each[multiple].1 += (time - multiple as f64 * refresh).abs();
        }
        let common = each.iter().max_by_key(|(count, _)| *count).copied().unwrap_or_default();
        let deviation = each.iter().map(|(_, deviation)| deviation).sum::<f64>();
        let shares = each.iter().map(|(count, _)| *count as f64 / times.len() as f64);
        let mean_deviation = deviation / times.len() as f64;
        Self {
            refresh,
            mean_deviation,
            description_length: laplace_description_length(mean_deviation)
                - shares
                    .filter(|share| *share > 0.0)
                    .map(|share| share * share.ln())
                    .sum::<f64>(),
            rarer_deviation: (deviation - common.1) / (times.len() - common.0).max(1) as f64,
            multiples: each.into_iter().map(|(count, _)| count).collect(),
        }
    }

    /// Whether the times are on multiples of the interval.
    pub(crate) fn is_good(&self) -> bool {
        self.mean_deviation
            <= (ON_REFRESHES * self.refresh)
                .max(ON_REFRESHES_MS)
                .min(FRAMES_ON_REFRESHES * self.refresh)
            && self.rarer_deviation < RARER_OFF * self.refresh
    }

    /// Whether the times determine the interval: there are frames of adjacent numbers of refreshes, `frame` included. Times
    /// of one length are multiples of many intervals, and so are two.
    pub(crate) fn is_determined(&self, frame: f64) -> bool {
        let (early, late) = self.around(self.common());
        let least = if early + late >= SECOND_SHARE { 2 } else { usize::MAX };
        let refreshes = frame / self.refresh;
        let is_there = |multiple: usize| {
            self.multiples.get(multiple).is_some_and(|count| *count >= least)
                || (refreshes - multiple as f64).abs() < 0.025
        };
        (1..self.multiples.len()).any(|multiple| is_there(multiple) && is_there(multiple + 1))
    }

    /// Whether the refresh rate may be named: some times take one refresh, or nearly all take one of the two numbers of refreshes around
    /// `refreshes`, in the shares that even frames have. Otherwise a display with variable refresh looks like one of two or three times
    /// its rate.
    pub(crate) fn is_named(&self, refreshes: f64) -> bool {
        let share =
            |multiple: usize| self.multiples.get(multiple).copied().unwrap_or_default() as f64 / self.total() as f64;
        let (fewer, part) = (refreshes.floor(), refreshes.fract());
        let (few, many) = (share(fewer as usize), share(fewer as usize + 1));
        let is_beat = few.min(many) >= SECOND_SHARE && few + many > BEAT_SHARE && (many - part).abs() < BEAT_OFF;
        // One more and one less in turn.
        let whole = refreshes.round() as usize;
        let is_in_turn = whole > 1 && share(whole - 1) + share(whole + 1) > BEAT_SHARE;
        share(1) >= SECOND_SHARE || is_beat || is_in_turn
    }

    /// The most common number of refreshes.
    pub(crate) fn common(&self) -> usize {
        let most = self.multiples.iter().enumerate().max_by_key(|(_, count)| **count);
        most.map_or(1, |(multiple, _)| multiple)
    }

    /// The shares of times that take fewer refreshes than `refreshes`, and more. Hitches are left out.
    pub(crate) fn around(&self, refreshes: usize) -> (f64, f64) {
        let total = self.total() as f64;
        let early: usize = self.multiples.iter().take(refreshes).sum();
        let late: usize = self.multiples.iter().skip(refreshes + 1).sum();
        (early as f64 / total, late as f64 / total)
    }

    pub(crate) fn total(&self) -> usize {
        self.multiples.iter().sum()
    }
}

/// The baseline of nearly equal times, without hitches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Baseline {
    pub(crate) median: f64,
    pub(crate) mean: f64,
    /// The mean absolute deviation from the median, as a share of the median.
    pub(crate) deviation: f64,
    pub(crate) count: usize,
}

impl Baseline {
    pub(crate) fn measure(times: &[f64]) -> Option<Self> {
        let times = without_hitches(times)?;
        let (median, count) = (median(&times), times.len() as f64);
        let off = times.iter().map(|time| (time / median - 1.0).abs());
        Some(Self {
            median,
            mean: times.iter().sum::<f64>() / count,
            deviation: off.sum::<f64>() / count,
            count: times.len(),
        })
    }

    /// The standard error of the median, as a share of it.
    pub(crate) fn standard_error(&self) -> f64 {
        // The factor for normally distributed deviations is π/2; for a Laplace distribution it is 1.
        1.6 * self.deviation.max(EXACT_MS / self.median) / (self.count as f64).sqrt()
    }
}

/// The nearest whole number to a positive one.
fn nearest(number: f64) -> u32 {
    // `round` takes several times as long on processors without an instruction for it.
    (number + 0.5) as u32
}

/// The description length of deviations under Laplace's distribution.
fn laplace_description_length(mean_deviation: f64) -> f64 {
    1.0 + (2.0 * mean_deviation.max(EXACT_MS)).ln()
}

/// The median; NaN without values.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    let middle = values.len() / 2;
    if values.is_empty() {
        return f64::NAN;
    }
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// The times that are neither zero nor hitches; `None` if they are too few.
fn without_hitches(times: &[f64]) -> Option<Vec<f64>> {
    let mut times: Vec<f64> = times.iter().copied().filter(|time| *time > 0.0).collect();
    if times.len() < MIN_FRAMES {
        return None;
    }
    let median = median(&times);
    let tenth = times.len() * 9 / 10;
    let long = *times.select_nth_unstable_by(tenth, f64::total_cmp).1;
    let longest = HITCH_MEDIANS * median.max(long);
    times.retain(|time| *time <= longest);
    Some(times)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times that take these numbers of refreshes in turn, with a periodic measurement error of at most `error`.
    fn multiples_of(refresh: f64, multiples: &[usize], error: f64) -> Vec<f64> {
        let mut times = Vec::new();
        for n in 0..900 {
            let off = error * ((n * 7 % 11) as f64 / 5.0 - 1.0);
            times.push(multiples[n % multiples.len()] as f64 * refresh + off);
        }
        times
    }

    #[test]
    fn the_refresh_interval_is_found_in_any_mix_of_multiples() {
        for hertz in [50.0, 59.94, 60.0, 144.0, 165.0, 240.0, 360.0] {
            let refresh = 1e3 / hertz;
            for mix in [
                &[1][..],
                &[2, 3],
                &[1, 1, 1, 2],
                &[2, 2, 3, 2, 3],
                &[3, 4],
                &[14, 15, 14, 14, 15],
            ] {
                let most = *mix.iter().max().unwrap() as f64;
                if most * refresh > 120.0 || refresh < 0.05 * most {
                    continue;
                }
                let found = MultiplesFit::find(&multiples_of(refresh, mix, 0.03)).unwrap();
                assert!(
                    (found.refresh / refresh - 1.0).abs() < 1e-3,
                    "{hertz} Hz, {mix:?}: {found:?}"
                );
                let common = found.around(found.common());
                assert_eq!(common == (0.0, 0.0), mix.len() == 1);
            }
        }
    }

    #[test]
    fn random_times_fit_no_refresh_interval() {
        let mut times = Vec::new();
        for n in 0..900_u64 {
            times.push(8.0 + (n.wrapping_mul(2_654_435_761) % 1000) as f64 / 125.0);
        }
        assert_eq!(MultiplesFit::find(&times), None);
    }

    #[test]
    fn times_are_on_refreshes_up_to_their_share_and_not_beyond() {
        let is_good = |refresh, mean_deviation, rarer_deviation| {
            let fit = MultiplesFit {
                refresh,
                mean_deviation,
                description_length: 0.0,
                multiples: vec![0, 1],
                rarer_deviation,
            };
            fit.is_good()
        };
        assert!(is_good(10.0, 0.125, 0.99) && !is_good(10.0, 0.126, 0.0) && !is_good(10.0, 0.0, 1.0));
        assert!(is_good(2.0, 0.05, 0.0) && !is_good(2.0, 0.051, 0.0));
        assert!(is_good(1.0, 0.045, 0.0) && !is_good(1.0, 0.046, 0.0));
    }

    #[test]
    fn the_rate_is_named_if_some_times_take_one_refresh_or_all_take_the_two_of_a_beat_or_one_more_and_one_less() {
        for (refreshes, counts, is_named) in [
            (2.0, &[0, 6, 994][..], true),
            (2.0, &[0, 5, 995], false),
            // Of a beat: the smaller share, the share of both, and the distance to that of even frames.
            (2.01, &[0, 0, 994, 6], true),
            (2.01, &[0, 0, 995, 5], false),
            (2.5, &[0, 0, 476, 475, 0, 0, 49], true),
            (2.5, &[0, 0, 475, 475, 0, 0, 50], false),
            (2.0, &[0, 0, 91, 9], true),
            (2.0, &[0, 0, 90, 10], false),
            (2.5, &[0, 0, 59, 41], true),
            (2.5, &[0, 0, 61, 39], false),
            (3.0, &[0, 0, 476, 0, 475, 0, 0, 49], true),
            (3.0, &[0, 0, 475, 0, 475, 0, 0, 50], false),
        ] {
            let fit = MultiplesFit {
                refresh: 4.0,
                mean_deviation: 0.0,
                description_length: 0.0,
                multiples: counts.to_vec(),
                rarer_deviation: 0.0,
            };
            assert_eq!(fit.is_named(refreshes), is_named, "{refreshes}: {counts:?}");
        }
    }

    #[test]
    fn a_baseline_leaves_out_hitches_and_frames_without_a_duration() {
        let times = [vec![10.0; 96], vec![14.0, 6.0, 25.1], vec![0.0; 150]].concat();
        let baseline = Baseline::measure(&times).unwrap();
        assert_eq!((baseline.count, baseline.median), (98, 10.0));
        assert!((baseline.deviation - 0.8 / 98.0).abs() < 1e-12);
    }
}
