//! Fits a refresh interval to durations (`RefreshFit`), or one baseline with its mean absolute deviation (`Baseline`).

use crate::measure::distribution::Distribution;

/// The minimum number of durations for any conclusion.
pub(crate) const ENOUGH: usize = 60;

/// The maximum number of refreshes in a duration without a hitch: a frame at 24 Hz takes 15 on a display at 360 Hz.
const MOST_REFRESHES: usize = 20;

/// The range of displays' refresh intervals, in milliseconds.
const REFRESHES: std::ops::Range<f64> = 1.8..45.0;

/// The best accuracy that a measurement can have, in milliseconds.
const EXACT: f64 = 0.01;

/// Times longer than this many medians are hitches and are left out, unless more than a tenth are that long.
const HITCH: f64 = 2.5;

/// Times that differ from the median by more than this share of it are outliers.
const OUTLIER: f64 = 0.3;

/// Times are near a multiple of the refresh interval up to this share of it. Random times deviate by a quarter on average.
const NEAR: f64 = 0.25;

/// Long times are not exceptions if they make up at least this share of all times.
const MANY: f64 = 0.014;

/// Whether times are too numerous to be exceptions.
pub(crate) fn are_many(count: usize, of: usize) -> bool {
    count as f64 >= MANY * of as f64
}

/// Times below this share, one in some seconds, are too few to report.
const FEW: f64 = 0.003;

/// Fewer times than this may be a coincidence.
const COINCIDENCE: usize = 4;

/// Whether times are too few to report.
pub(crate) fn are_few(count: usize, of: usize) -> bool {
    let may_be_coincidence = count < 2 || (count < COINCIDENCE && !are_many(count, of));
    may_be_coincidence || (count as f64) < FEW * of as f64
}

/// How much shorter a description with a finer refresh interval must be to be preferred, in nats per time.
const BETTER: f64 = 0.2;

/// Times as multiples of a refresh interval. The interval with the shortest description wins. A description consists of the frequencies
/// of the multiples and the deviations from them: a coarse interval leaves large deviations, a fine one needs many multiples.
///
/// The core's grid fit cannot do this: it needs an approximate period and at most 64 timestamps in order. Here the input is a histogram
/// of durations over hours, the unknown is the interval of which they are multiples, and there is no phase.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RefreshFit {
    /// The refresh interval.
    pub(crate) refresh: f64,
    /// The mean absolute deviation of the times from the multiples of the refresh interval.
    pub(crate) mean_deviation: f64,
    /// The length of the description, in nats per time.
    pub(crate) description_length: f64,
    /// The number of times that take 0, 1, 2, … refreshes.
    multiples: Vec<usize>,
    /// The mean absolute deviation of the times of the most common multiple, and of the others.
    common_deviation: f64,
    rarer_deviation: f64,
}

impl RefreshFit {
    /// The coarsest refresh interval that describes the times well; `None` if no interval does.
    pub(crate) fn find(times: &Distribution) -> Option<Self> {
        let median = positive_median(times)?;
        let times = without_hitches(times, median);
        let anchor = mean_near(&times, median);
        let described = (1..=MOST_REFRESHES).filter_map(|multiple| {
            let refresh = anchor / multiple as f64;
            (multiple == 1 || REFRESHES.contains(&refresh)).then(|| Self::fit(&times, refresh))
        });
        let good: Vec<Self> = described.filter(Self::is_good).collect();
        let least = good.iter().map(|one| one.description_length).min_by(f64::total_cmp)?;
        good.into_iter().find(|one| one.description_length <= least + BETTER)
    }

    /// Describes times as multiples of a known refresh interval.
    pub(crate) fn at(times: &Distribution, refresh: f64) -> Option<Self> {
        let median = positive_median(times)?;
        Some(Self::measure(&without_hitches(times, median), refresh))
    }

    /// Improves a guess of the refresh interval by least squares. Times far from its multiples are left out if they are few: a single
    /// time between two multiples would shift the fit of a short recording.
    fn fit(times: &[(f64, usize)], guess: f64) -> Self {
        let is_near = |time: f64| (time / guess - (time / guess).round()).abs() < NEAR;
        let count = |is_counted: &dyn Fn(f64) -> bool| -> usize {
            let counted = times.iter().filter(|(time, _)| is_counted(*time));
            counted.map(|(_, count)| count).sum()
        };
        let leaves_out = are_few(count(&|time| !is_near(time)), count(&|_| true));
        let mut refresh = guess;
        for _ in 0..3 {
            let (mut products, mut squares) = (0.0, 0.0);
            for (time, count) in times.iter().filter(|(time, _)| !leaves_out || is_near(*time)) {
                let multiple = (time / refresh).round();
                products += multiple * time * *count as f64;
                squares += multiple * multiple * *count as f64;
            }
            refresh = products / squares;
        }
        Self::measure(times, refresh)
    }

    fn measure(times: &[(f64, usize)], refresh: f64) -> Self {
        let mut multiples = Vec::new();
        let mut deviations = Vec::new();
        for (time, count) in times {
            let multiple = (time / refresh).round() as usize;
            if multiple >= multiples.len() {
                multiples.resize(multiple + 1, 0);
                deviations.resize(multiple + 1, 0.0);
            }
            multiples[multiple] += count;
            deviations[multiple] += (time - multiple as f64 * refresh).abs() * *count as f64;
        }
        let total = multiples.iter().sum::<usize>() as f64;
        let mean_deviation = deviations.iter().sum::<f64>() / total;
        let share = |count: &usize| *count as f64 / total;
        let fit = Self {
            refresh,
            mean_deviation,
            description_length: laplace_description_length(mean_deviation)
                - multiples
                    .iter()
                    .filter(|count| **count > 0)
                    .map(|count| share(count) * share(count).ln())
                    .sum::<f64>(),
            multiples,
            common_deviation: 0.0,
            rarer_deviation: 0.0,
        };
        let common = fit.common();
        let many = fit.multiples[common] as f64;
        let rarer = total - many;
        let rarer_deviation = deviations.iter().sum::<f64>() - deviations[common];
        Self {
            common_deviation: deviations[common] / many,
            rarer_deviation: if rarer > 0.0 { rarer_deviation / rarer } else { 0.0 },
            ..fit
        }
    }

    /// Whether the times are multiples beyond coincidence: random times deviate by a quarter of a refresh.
    fn is_good(&self) -> bool {
        let rarer_at_most = 3.0 * self.mean_deviation.max(EXACT) + 0.02 * self.refresh;
        let are_multiples = self.rarer_deviation < rarer_at_most.min(0.12 * self.refresh);
        self.mean_deviation < 0.1 * self.refresh && (are_multiples || self.is_even())
    }

    /// The most common number of refreshes.
    pub(crate) fn common(&self) -> usize {
        let most = self.multiples.iter().enumerate().max_by_key(|(_, count)| **count);
        most.map_or(1, |(multiple, _)| multiple)
    }

    /// The number of times that take fewer refreshes than `refreshes`, the number that take more, and the total. Hitches are left out.
    pub(crate) fn around(&self, refreshes: usize) -> (usize, usize, usize) {
        let total = self.multiples.iter().sum();
        let early = self.multiples.iter().take(refreshes).sum();
        let late = self.multiples.iter().skip(refreshes + 1).sum();
        (early, late, total)
    }

    /// Each number of refreshes with the number of times that take it, except where these `are_few`.
    pub(crate) fn shares(&self) -> Vec<(usize, usize)> {
        let total = self.multiples.iter().sum();
        let all = self.multiples.iter().copied().enumerate();
        all.filter(|(_, count)| !are_few(*count, total)).collect()
    }

    /// The share of times that do not take the most common number of refreshes.
    pub(crate) fn uneven_share(&self) -> f64 {
        let total: usize = self.multiples.iter().sum();
        1.0 - self.multiples[self.common()] as f64 / total as f64
    }

    /// Whether nearly all times take the same number of refreshes.
    pub(crate) fn is_even(&self) -> bool {
        let (early, late, total) = self.around(self.common());
        are_few(early.max(late), total)
    }

    /// The mean absolute deviation of the times that take the most common number of refreshes.
    pub(crate) fn common_deviation(&self) -> f64 {
        self.common_deviation
    }
}

/// The baseline of nearly equal times, without hitches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Baseline {
    /// The median time.
    pub(crate) median: f64,
    /// The mean time.
    pub(crate) mean: f64,
    /// The mean absolute deviation from the median.
    pub(crate) mean_deviation: f64,
    /// The number of times, and the number of outliers among them.
    pub(crate) count: usize,
    pub(crate) outliers: usize,
}

impl Baseline {
    pub(crate) fn of(times: &Distribution) -> Option<Self> {
        let median = positive_median(times)?;
        let times = without_hitches(times, median);
        let (mut count, mut outliers, mut deviation_sum, mut sum) = (0, 0, 0.0, 0.0);
        for (time, number) in times {
            sum += time * number as f64;
            let apart = (time - median).abs();
            count += number;
            outliers += if apart > OUTLIER * median { number } else { 0 };
            deviation_sum += apart * number as f64;
        }
        Some(Self {
            median,
            mean: sum / count as f64,
            mean_deviation: deviation_sum / count as f64,
            count,
            outliers,
        })
    }

    /// Whether the times are equal, apart from exceptions and a mean absolute deviation of `share` of the median.
    pub(crate) fn is_even(&self, share: f64) -> bool {
        self.mean_deviation <= share * self.median && !are_many(self.outliers, self.count)
    }

    /// The description length without a refresh interval, in nats per time.
    pub(crate) fn description_length(&self) -> f64 {
        laplace_description_length(self.mean_deviation)
    }

    /// The standard error of the median.
    pub(crate) fn standard_error(&self) -> f64 {
        // The factor for normally distributed deviations is π/2; for a Laplace distribution it is 1.
        1.6 * self.mean_deviation.max(EXACT) / (self.count as f64).sqrt()
    }
}

/// The description length of deviations under Laplace's distribution.
fn laplace_description_length(mean_deviation: f64) -> f64 {
    1.0 + (2.0 * mean_deviation.max(EXACT)).ln()
}

/// The median of the times above zero; `None` if there are too few.
fn positive_median(times: &Distribution) -> Option<f64> {
    let (zeros, _) = times.count_and_sum(|time| time <= 0.0);
    let share = zeros as f64 / times.count() as f64;
    (times.count() - zeros >= ENOUGH).then(|| times.percentile(100.0 * share + (1.0 - share) * 50.0))
}

/// Times that are neither zero nor hitches.
fn without_hitches(times: &Distribution, median: f64) -> Vec<(f64, usize)> {
    let longest = HITCH * median.max(times.percentile(90.0));
    let is_without_hitch = |(time, _): &(f64, usize)| *time > 0.0 && *time <= longest;
    times.ascending().filter(is_without_hitch).collect()
}

fn mean_near(times: &[(f64, usize)], median: f64) -> f64 {
    let near = times.iter().filter(|(time, _)| (time / median - 1.0).abs() < 0.015);
    let (count, sum) = near.fold((0, 0.0), |(number, sum), (time, count)| {
        (number + count, sum + time * *count as f64)
    });
    if count > 0 { sum / count as f64 } else { median }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times that take these numbers of refreshes in turn, with a periodic measurement error of at most `error`.
    fn multiples_of(refresh: f64, multiples: &[usize], error: f64) -> Distribution {
        let mut times = Distribution::default();
        for n in 0..900 {
            let off = error * ((n * 7 % 11) as f64 / 5.0 - 1.0);
            times.add(multiples[n % multiples.len()] as f64 * refresh + off);
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
                let found = RefreshFit::find(&multiples_of(refresh, mix, 0.03)).unwrap();
                assert!(
                    (found.refresh / refresh - 1.0).abs() < 1e-3,
                    "{hertz} Hz, {mix:?}: {found:?}"
                );
                assert_eq!(found.is_even(), mix.len() == 1);
            }
        }
    }

    #[test]
    fn random_times_fit_no_refresh_interval() {
        let mut times = Distribution::default();
        for n in 0..900_u64 {
            times.add(8.0 + (n.wrapping_mul(2_654_435_761) % 1000) as f64 / 125.0);
        }
        assert_eq!(RefreshFit::find(&times), None);
    }
}
