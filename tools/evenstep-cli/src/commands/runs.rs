//! Several recordings of one scene as one result.

use std::fmt::Write as _;

use evenstep_trace::{Diagnosis, SwapChain};

use crate::commands::noise::{LEAST_FRAMES, METRICS, Mean, Values, metrics, parts};
use crate::failure::Failure;
use crate::output::analysis::Recording;

/// The numbers of parts into which a single run may be cut to estimate its noise.
const PARTS: std::ops::RangeInclusive<usize> = 8..=16;

/// From this number of runs on, the noise is that between the runs.
const ENOUGH_RUNS: usize = 3;

/// A run is an outlier if its frame rate differs from the median of the runs by more than this many median deviations, and by this share.
const OUTLIER: (f64, f64) = (5.0, 0.03);

/// A run: the main chain of a recording.
pub(crate) struct Run {
    pub(crate) name: String,
    pub(crate) chain: SwapChain,
    pub(crate) diagnosis: Vec<Diagnosis>,
    values: Values,
    /// The metrics of its parts; none if it is too short.
    parts: Option<Vec<Values>>,
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
            let chain = trace.chain(&measured.name.to_string())?.clone();
            let count = (chain.deltas.len() / LEAST_FRAMES).min(*PARTS.end());
            runs.push(Run {
                name: analysis.file,
                diagnosis: measured.diagnosis,
                values: metrics(&chain),
                parts: PARTS.contains(&count).then(|| parts(&chain, count)),
                chain,
            });
        }
        Ok(Self(runs))
    }

    pub(crate) fn all(&self) -> &[Run] {
        &self.0
    }

    /// The mean of a metric over the runs, and its standard error if it can be estimated; none if a run lacks the metric.
    pub(crate) fn mean(&self, metric: &str) -> Option<(f64, Option<f64>)> {
        let Mean { value, error } = Mean::over(self.0.iter().map(|run| &run.values), metric)?;
        if self.0.len() >= ENOUGH_RUNS {
            return Some((value, Some(error)));
        }
        let within = |run: &Run| Some(Mean::over(run.parts.as_ref()?, metric)?.error);
        let errors: Option<Vec<f64>> = self.0.iter().map(within).collect();
        let error = errors.map(|errors| errors.into_iter().fold(0.0, f64::hypot) / self.0.len() as f64);
        Some((value, error))
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
            if let Some((value, error)) = self.mean(metric) {
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
