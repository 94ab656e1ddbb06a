//! Which differences between two groups of runs are certain, although runs of one program differ.

use std::collections::BTreeMap;

use serde::Serialize;
use statrs::distribution::{Binomial, ContinuousCDF as _, DiscreteCDF as _, StudentsT};

/// The metrics that are compared, with their units, and whether more is better; none if neither is.
pub(crate) const METRICS: [(&str, &str, Option<bool>); 20] = [
    ("fps_average", "fps", Some(true)),
    ("fps_low_1pct", "fps", Some(true)),
    ("fps_low_01pct", "fps", Some(true)),
    ("frame_time_ms.median", "ms", Some(false)),
    ("frame_time_ms.p99", "ms", Some(false)),
    ("displayed_fps_average", "fps", Some(true)),
    ("displayed_fps_low_1pct", "fps", Some(true)),
    ("display_interval_ms.p99", "ms", Some(false)),
    ("display_interval_std_ms", "ms", Some(false)),
    ("animation_error_ms.rms", "ms", Some(false)),
    ("animation_error_ms.p99_abs", "ms", Some(false)),
    ("stutter_time_pct", "%", Some(false)),
    ("dropped_pct", "%", Some(false)),
    ("jank_pct", "%", Some(false)),
    ("hitches_per_minute", "", Some(false)),
    ("until_displayed_ms.median", "ms", Some(false)),
    ("pc_latency_ms.median", "ms", Some(false)),
    ("click_to_photon_ms.median", "ms", Some(false)),
    ("gpu_bound_pct", "%", None),
    ("cpu_bound_pct", "%", None),
];

/// The figure that is a count of events, and has a test of its own.
const HITCHES: &str = "hitches_per_minute";

/// The chance that any difference of the other figures of the same program is called certain, and, in either direction, one of its
/// hitches.
const MISTAKEN: f64 = 0.01;

/// Runs of one program differ by about this share. Assumed where there are no two runs, only to say how many would tell.
const BETWEEN_RUNS: f64 = 0.02;

/// A difference below this share means nothing, however certain.
const NOTHING: f64 = 0.001;

/// More runs are too many to ask for.
const MAX_RUNS: usize = 30;

/// Hitches of less time than this, in seconds, are too few to compare.
const MIN_SECONDS: f64 = 10.0;

/// Metrics of a run by their names.
pub(crate) type Values = BTreeMap<String, f64>;

/// The values of a metric; none if a run lacks it.
pub(crate) fn values_of(runs: &[Values], metric: &str) -> Option<Vec<f64>> {
    runs.iter().map(|run| run.get(metric).copied()).collect()
}

/// Values of one figure, of which the runs are independent.
pub(crate) struct Spread {
    pub(crate) mean: f64,
    /// The variance; none of a single value.
    variance: Option<f64>,
    count: f64,
}

impl Spread {
    pub(crate) fn new(values: &[f64]) -> Self {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|one| (one - mean).powi(2)).sum();
        let variance = (values.len() > 1).then(|| squares / (count - 1.0));
        Self { mean, variance, count }
    }

    /// The standard error of the mean.
    pub(crate) fn error(&self) -> Option<f64> {
        Some((self.variance? / self.count).sqrt())
    }
}

/// A figure of two groups of runs.
#[derive(Serialize)]
pub(crate) struct Change {
    pub(crate) before: f64,
    pub(crate) after: f64,
    /// By how much the means of the same program may differ; none of hitches, and if no group has two runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) noise: Option<f64>,
    /// Of hitches, the chances that the same program has so many, and so few.
    #[serde(skip)]
    pub(crate) chances: Option<(f64, f64)>,
    /// The standard deviation between runs, measured or assumed, and how many figures are compared.
    #[serde(skip)]
    deviation: f64,
    #[serde(skip)]
    figures: f64,
}

impl Change {
    /// Every figure that all runs have.
    pub(crate) fn all(before: &[Values], after: &[Values]) -> Vec<(&'static str, &'static str, Option<bool>, Self)> {
        let known = METRICS.into_iter().filter_map(|(metric, unit, more_is_better)| {
            let (before, after) = (values_of(before, metric)?, values_of(after, metric)?);
            Some((metric, unit, more_is_better, Spread::new(&before), Spread::new(&after)))
        });
        let known: Vec<_> = known.collect();
        // The more figures are compared, the more a single one must differ: Bonferroni's correction.
        let figures = known.iter().filter(|(metric, ..)| *metric != HITCHES).count() as f64;
        let chances = [before, after].map(|runs| {
            let sum = |metric| values_of(runs, metric).map(|values| values.iter().sum::<f64>());
            sum("hitches").zip(sum("seconds"))
        });
        let change = |(metric, unit, more, before, after)| {
            let mut change = Self::welch(&before, &after, figures);
            if metric == HITCHES {
                change.noise = None;
                change.chances = chances[0]
                    .zip(chances[1])
                    .and_then(|(before, after)| chances_of(before, after));
            }
            (metric, unit, more, change)
        };
        known.into_iter().map(change).collect()
    }

    /// Welch's test; with one run in a group, the other's variance counts for both.
    fn welch(before: &Spread, after: &Spread, figures: f64) -> Self {
        let largest = before.mean.abs().max(after.mean.abs());
        let squares = [before, after].map(|one| one.variance.map(|variance| (variance / one.count, one.count - 1.0)));
        let (error, freedom) = match (squares, before.variance.or(after.variance)) {
            ([Some((one, of_one)), Some((other, of_other))], _) => {
                let freedom = (one + other).powi(2) / (one * one / of_one + other * other / of_other);
                (
                    (one + other).sqrt(),
                    if freedom.is_nan() { of_one + of_other } else { freedom },
                )
            }
            (_, Some(variance)) => (
                (variance * (1.0 / before.count + 1.0 / after.count)).sqrt(),
                before.count.max(after.count) - 1.0,
            ),
            (_, None) => (f64::NAN, f64::NAN),
        };
        let noise = critical(freedom, figures).map(|critical| (critical * error).max(NOTHING * largest));
        let of_one = error / (1.0 / before.count + 1.0 / after.count).sqrt();
        Self {
            before: before.mean,
            after: after.mean,
            noise,
            chances: None,
            deviation: if error.is_nan() { BETWEEN_RUNS * largest } else { of_one },
            figures,
        }
    }

    /// Whether the means differ in this direction by more than `allowed`.
    pub(crate) fn is_certain(&self, is_more: bool, allowed: f64) -> bool {
        let by = if is_more {
            self.after - self.before
        } else {
            self.before - self.after
        };
        match (self.noise, self.chances) {
            (_, Some((so_many, so_few))) => by > 0.0 && if is_more { so_many } else { so_few } < MISTAKEN,
            (Some(noise), None) => by - noise > allowed,
            (None, None) => false,
        }
    }

    /// About how many runs a group would tell a difference; none if too many.
    pub(crate) fn runs_to_tell(&self, difference: f64) -> Option<usize> {
        (2..=MAX_RUNS).find(|runs| {
            let count = *runs as f64;
            let critical = critical(2.0 * count - 2.0, self.figures).unwrap_or(f64::INFINITY);
            critical * self.deviation * (2.0 / count).sqrt() < difference.abs()
        })
    }
}

/// How many standard errors one of several figures may be off by chance, in either direction.
fn critical(freedom: f64, figures: f64) -> Option<f64> {
    let distribution = StudentsT::new(0.0, 1.0, freedom).ok()?;
    Some(distribution.inverse_cdf(1.0 - MISTAKEN / 2.0 / figures.max(1.0)))
}

/// The chances that events of one rate come at least, and at most, so often in the second of two times: of all of them, each is in it
/// with the share of the time. None if a time is too short.
fn chances_of((before, seconds_before): (f64, f64), (after, seconds_after): (f64, f64)) -> Option<(f64, f64)> {
    if seconds_before.min(seconds_after) < MIN_SECONDS {
        return None;
    }
    let share = seconds_after / (seconds_before + seconds_after);
    let events = Binomial::new(share, (before + after) as u64).ok()?;
    let fewer = |count: f64| if count < 1.0 { 0.0 } else { events.cdf(count as u64 - 1) };
    Some((1.0 - fewer(after), events.cdf(after as u64)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_rates_more_is_better_of_what_is_bound_neither_and_of_all_other_figures_less() {
        for (metric, unit, more_is_better) in METRICS {
            let expected = match metric {
                _ if metric.ends_with("_bound_pct") => None,
                _ => Some(metric.contains("fps")),
            };
            assert_eq!(more_is_better, expected, "{metric}");
            let named = [("fps", "fps"), ("_ms", "ms"), ("_pct", "%"), ("_per_minute", "")];
            let (_, expected) = named.into_iter().find(|(part, _)| metric.contains(part)).unwrap();
            assert_eq!(unit, expected, "{metric}");
        }
    }
}
