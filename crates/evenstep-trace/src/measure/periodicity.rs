//! Finds the period of recurring events, such as hitches.

/// A recurring event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Periodicity {
    /// The time from one occurrence to the next, in the unit of the times.
    pub(crate) period: f64,
    /// The number of events that come close together in each period.
    pub(crate) events_per_period: usize,
}

/// The fewest gaps that can distinguish a period from coincidence.
const FEWEST_GAPS: usize = 4;

/// The longest accepted gap in periods. A gap of several periods means that events are missing.
const MOST_PERIODS: f64 = 4.0;

/// Gaps between groups are at least this many times as long as gaps within groups.
const APART: f64 = 3.0;

/// The accepted deviations of gaps from a multiple of the period, in periods.
const TOLERANCES: [f64; 4] = [0.02, 0.05, 0.1, 0.15];

/// The highest accepted probability that random times are as regular.
const MAX_PROBABILITY: f64 = 1e-3;

/// The maximum number of gaps that are tried as the period.
const MOST_CANDIDATES: usize = 48;

impl Periodicity {
    /// The period of ascending times, or of groups of times that are close together. `None` if it is not longer than `least`.
    pub(crate) fn of(times: &[f64], least: f64) -> Option<Self> {
        // Gaps between groups may be multiples of the gaps within groups, so groups are tried first.
        let in_groups = groups(times).and_then(|grouped| {
            let events_per_period = (times.len() as f64 / grouped.len() as f64).round() as usize;
            best_period(&grouped).map(|period| Self {
                period,
                events_per_period,
            })
        });
        let found = in_groups.or_else(|| {
            best_period(times).map(|period| Self {
                period,
                events_per_period: 1,
            })
        });
        found.filter(|found| found.period > least)
    }
}

fn gaps(times: &[f64]) -> Vec<f64> {
    let gaps = times.windows(2).map(|pair| pair[1] - pair[0]);
    gaps.collect()
}

/// The first time of each group; `None` unless there are both short and long gaps.
fn groups(times: &[f64]) -> Option<Vec<f64>> {
    let mut sorted = gaps(times);
    sorted.sort_by(f64::total_cmp);
    let jumps = sorted.windows(2).filter(|pair| pair[1] > APART * pair[0]);
    let widest = jumps.max_by(|one, other| (one[1] / one[0]).total_cmp(&(other[1] / other[0])))?;
    let longest_within = widest[0];
    let begins = times.windows(2).filter(|pair| pair[1] - pair[0] > longest_within);
    Some(
        times
            .first()
            .copied()
            .into_iter()
            .chain(begins.map(|pair| pair[1]))
            .collect(),
    )
}

/// The period of which most gaps are small multiples, more closely than random gaps would be.
fn best_period(times: &[f64]) -> Option<f64> {
    let gaps = gaps(times);
    if gaps.len() < FEWEST_GAPS {
        return None;
    }
    let every = gaps.len().div_ceil(MOST_CANDIDATES);
    let candidates: Vec<f64> = gaps.iter().step_by(every).copied().filter(|gap| *gap > 0.0).collect();
    let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
    let mut best: Option<(f64, f64)> = None;
    for candidate in &candidates {
        for tolerance in TOLERANCES {
            let Some((period, fitting)) = fit(&gaps, *candidate, tolerance) else {
                continue;
            };
            // The candidate gap itself always fits.
            let at_random = at_least(fitting - 1, gaps.len() - 1, likelihood(period / mean, tolerance));
            let probability = at_random * (candidates.len() * TOLERANCES.len()) as f64;
            if best.is_none_or(|(_, least)| probability < least) {
                best = Some((period, probability));
            }
        }
    }
    best.filter(|(_, probability)| *probability < MAX_PROBABILITY)
        .map(|(period, _)| period)
}

/// Fits a period to the gaps near its multiples. Returns the period and the number of these gaps; `None` if there are too few.
fn fit(gaps: &[f64], period: f64, tolerance: f64) -> Option<(f64, usize)> {
    let fits = |gap: &&f64| {
        let multiple = (**gap / period).round();
        (1.0..=MOST_PERIODS).contains(&multiple) && (**gap / period - multiple).abs() <= tolerance
    };
    let fitting: Vec<f64> = gaps.iter().filter(fits).copied().collect();
    let multiple = |gap: &f64| (gap / period).round();
    let ones = fitting.iter().filter(|gap| multiple(gap) < 1.5).count();
    let is_recurring = 4 * fitting.len() >= 3 * gaps.len() && 3 * ones >= 2 * fitting.len();
    is_recurring.then(|| {
        (
            fitting.iter().sum::<f64>() / fitting.iter().map(multiple).sum::<f64>(),
            fitting.len(),
        )
    })
}

/// The probability that a gap between random times fits a period. Such gaps have an exponential distribution; `period` is in
/// units of the mean gap.
fn likelihood(period: f64, tolerance: f64) -> f64 {
    let fits = |multiple: i32| (-f64::from(multiple) * period).exp() * 2.0 * (tolerance * period).sinh();
    (1..=MOST_PERIODS as i32).map(fits).sum::<f64>().min(1.0)
}

/// The probability that at least `hits` of `tries` succeed, where each succeeds with the same likelihood.
fn at_least(hits: usize, tries: usize, likelihood: f64) -> f64 {
    let mut term = likelihood.powi(tries as i32);
    let mut sum = 0.0;
    for hit in (hits..=tries).rev() {
        sum += term;
        // From the binomial term of `hit` hits to that of one hit fewer.
        term *= hit as f64 / (tries - hit + 1) as f64 * (1.0 - likelihood) / likelihood;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regular times with small deviations.
    fn about_every(period: f64, count: usize, off: f64) -> Vec<f64> {
        let at = |n: usize| (n as f64 + off * ((n * 7) % 5) as f64 / 4.0) * period;
        (0..count).map(at).collect()
    }

    #[test]
    fn regular_times_have_a_period_even_if_some_are_missing() {
        let mut times = about_every(2.0, 12, 0.05);
        let whole = Periodicity::of(&times, 0.0).unwrap();
        assert!(
            (whole.period - 2.0).abs() < 0.05 && whole.events_per_period == 1,
            "{whole:?}"
        );
        times.remove(7);
        times.remove(3);
        assert!((Periodicity::of(&times, 0.0).unwrap().period - 2.0).abs() < 0.05);
    }

    #[test]
    fn pairs_have_the_period_of_the_pairs() {
        for apart in [0.05, 0.1, 0.3] {
            let pair = |time: f64| [time, time + apart];
            let times: Vec<f64> = about_every(2.0, 8, 0.03).into_iter().flat_map(pair).collect();
            let found = Periodicity::of(&times, 0.0).unwrap();
            assert!(
                (found.period - 2.0).abs() < 0.05 && found.events_per_period == 2,
                "{found:?}"
            );
        }
    }

    #[test]
    fn few_or_random_times_have_no_period() {
        assert_eq!(Periodicity::of(&[1.0, 2.0, 3.0, 4.0], 0.0), None);
        assert_eq!(
            Periodicity::of(&[0.5, 3.1, 3.6, 9.2, 17.0, 19.9, 20.4, 31.0], 0.0),
            None
        );
        assert_eq!(Periodicity::of(&[1.0; 9], 0.0), None);
    }

    #[test]
    fn probabilities_match_dice() {
        assert!((at_least(2, 2, 1.0 / 6.0) - 1.0 / 36.0).abs() < 1e-12);
        assert!((at_least(1, 2, 1.0 / 6.0) - 11.0 / 36.0).abs() < 1e-12);
        assert!((at_least(0, 5, 0.3) - 1.0).abs() < 1e-12);
    }
}
