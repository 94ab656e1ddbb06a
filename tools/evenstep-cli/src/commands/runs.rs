//! Several recordings of one scene as one result.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use evenstep_trace::{Diagnosis, SwapChain};

use crate::commands::check::limits::values;
use crate::failure::Failure;
use crate::output::analysis::Recording;

/// The metrics that describe a run, with their units, and whether more is better; none if neither is.
pub(crate) const METRICS: [(&str, &str, Option<bool>); 17] = [
    ("fps_average", "fps", Some(true)),
    ("fps_low_1pct", "fps", Some(true)),
    ("fps_low_01pct", "fps", Some(true)),
    ("frame_time_ms.median", "ms", Some(false)),
    ("frame_time_ms.p99", "ms", Some(false)),
    ("displayed_fps_average", "fps", Some(true)),
    ("displayed_fps_low_1pct", "fps", Some(true)),
    ("display_interval_ms.p99", "ms", Some(false)),
    ("animation_error_ms.rms", "ms", Some(false)),
    ("stutter_time_pct", "%", Some(false)),
    ("dropped_pct", "%", Some(false)),
    ("hitches_per_minute", "", Some(false)),
    ("until_displayed_ms.median", "ms", Some(false)),
    ("pc_latency_ms.median", "ms", Some(false)),
    ("click_to_photon_ms.median", "ms", Some(false)),
    ("gpu_bound_pct", "%", None),
    ("cpu_bound_pct", "%", None),
];

/// The numbers of parts into which a single run may be cut to estimate its noise, and the fewest frames in each.
const PARTS: std::ops::RangeInclusive<usize> = 8..=16;
const LEAST_FRAMES: usize = 60;

/// From this number of runs on, the noise is that between the runs.
const ENOUGH_RUNS: usize = 3;

/// A run is an outlier if its frame rate differs from the median of the runs by more than this many median deviations, and by this share.
const OUTLIER: (f64, f64) = (5.0, 0.03);

/// A mean over runs, and its standard error if it can be estimated.
#[derive(Clone, Copy)]
pub(crate) struct Mean {
    pub(crate) value: f64,
    pub(crate) error: Option<f64>,
}

/// A run: the main chain of a recording.
pub(crate) struct Run {
    pub(crate) name: String,
    pub(crate) chain: SwapChain,
    pub(crate) diagnosis: Vec<Diagnosis>,
    values: BTreeMap<String, f64>,
}

/// Runs of one scene; at least one.
pub(crate) struct Runs(Vec<Run>);

impl Runs {
    /// The runs of recordings that were read with their frames.
    pub(crate) fn new(recordings: Vec<Recording>) -> Result<Self, Failure> {
        let mut runs = Vec::new();
        for Recording { analysis, trace } in recordings {
            let (Some(measured), Some(trace)) = (analysis.chains.into_iter().next(), trace) else {
                continue;
            };
            let chain = trace.chain(&measured.name().to_string())?.clone();
            let values = of_run(&chain);
            runs.push(Run {
                name: analysis.file,
                chain,
                diagnosis: measured.diagnosis,
                values,
            });
        }
        Ok(Self(runs))
    }

    pub(crate) fn all(&self) -> &[Run] {
        &self.0
    }

    /// The mean of a metric over the runs; none if a run lacks it.
    pub(crate) fn mean(&self, metric: &str) -> Option<Mean> {
        let values: Vec<f64> = self
            .0
            .iter()
            .map(|run| run.values.get(metric).copied())
            .collect::<Option<_>>()?;
        let value = average(&values);
        let error = if values.len() >= ENOUGH_RUNS {
            Some(standard_error(&values))
        } else {
            let errors: Option<Vec<f64>> = self.0.iter().map(|run| error_within(&run.chain, metric)).collect();
            errors.map(|errors| errors.iter().map(|error| error * error).sum::<f64>().sqrt() / values.len() as f64)
        };
        Some(Mean { value, error })
    }

    /// The run whose frame rate differs from that of the others.
    pub(crate) fn outlier(&self) -> Option<String> {
        let rates: Vec<f64> = self
            .0
            .iter()
            .filter_map(|run| run.values.get("fps_average").copied())
            .collect();
        if rates.len() < ENOUGH_RUNS {
            return None;
        }
        let median = |mut values: Vec<f64>| {
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        };
        let middle = median(rates.clone());
        let usual = median(rates.iter().map(|rate| (rate - middle).abs()).collect());
        let off = |rate: f64| (rate - middle).abs();
        let (run, rate) = self
            .0
            .iter()
            .zip(rates)
            .max_by(|(_, one), (_, other)| off(*one).total_cmp(&off(*other)))?;
        let is_far = off(rate) > (OUTLIER.0 * usual).max(OUTLIER.1 * middle);
        is_far.then(|| {
            format!(
                "{} differs from the others: {rate:.1} fps, their median is {middle:.1}",
                run.name
            )
        })
    }

    /// The result of the runs.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("{} runs\n", self.0.len());
        for (metric, unit, _) in METRICS {
            if let Some(Mean { value, error }) = self.mean(metric) {
                let error = error.map_or_else(String::new, |error| format!(" ± {error:.2}"));
                let _ = writeln!(text, "  {metric:27}{value:>9.2}{error} {unit}");
            }
        }
        let _ = writeln!(text, "  ± is the standard error of the mean");
        for run in &self.0 {
            let found = &run.diagnosis[0];
            let _ = writeln!(text, "  {}: {}: {}", run.name, found.kind, found.evidence);
        }
        if let Some(outlier) = self.outlier() {
            let _ = writeln!(text, "  outlier: {outlier}");
        }
        text
    }
}

/// The metrics of a run.
fn of_run(chain: &SwapChain) -> BTreeMap<String, f64> {
    let metrics = chain.metrics();
    let mut values = values(&metrics);
    let per_minute = 60.0 * metrics.hitches.len() as f64 / metrics.seconds;
    values.insert("hitches_per_minute".to_owned(), per_minute);
    values
}

/// The standard error of a metric within a run, from its parts; none if the run is too short.
fn error_within(chain: &SwapChain, metric: &str) -> Option<f64> {
    let parts = (chain.deltas.len() / LEAST_FRAMES).min(*PARTS.end());
    if !PARTS.contains(&parts) {
        return None;
    }
    let part = |length: usize, n: usize| n * length / parts..(n + 1) * length / parts;
    let values = (0..parts).map(|n| {
        let deltas = chain.deltas[part(chain.deltas.len(), n)].to_vec();
        let presents = chain.presents[part(chain.presents.len(), n)].to_vec();
        of_run(&SwapChain::new(chain.name.clone(), deltas, presents))
            .get(metric)
            .copied()
    });
    Some(standard_error(&values.collect::<Option<Vec<f64>>>()?))
}

fn average(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The standard error of the mean.
fn standard_error(values: &[f64]) -> f64 {
    let (mean, count) = (average(values), values.len() as f64);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / (count - 1.0) / count).sqrt()
}
