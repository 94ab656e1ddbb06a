//! Several recordings of one scene as one result.

use std::fmt::Write as _;

use crate::commands::check::limits::values;
use crate::commands::noise::{METRICS, Spread, Values, values_of};
use crate::output::analysis::Recording;

/// From this number of runs on, one may differ from the others.
const ENOUGH_RUNS: usize = 3;

/// A run is an outlier if its frame rate differs from the median of the runs by more than this many median deviations, and by this share.
const OUTLIER_MADS: f64 = 5.0;
const OUTLIER_SHARE: f64 = 0.03;

/// Runs of one scene; at least one.
pub(crate) struct Runs {
    pub(crate) recordings: Vec<Recording>,
    /// The metrics of each one's main chain.
    pub(crate) values: Vec<Values>,
}

impl Runs {
    pub(crate) fn new(recordings: Vec<Recording>) -> Self {
        let values = recordings.iter().map(|run| values(&run.main().metrics)).collect();
        Self { recordings, values }
    }

    /// The run whose frame rate differs from that of the others.
    pub(crate) fn outlier(&self) -> Option<String> {
        let rates = values_of(&self.values, "fps_average")?;
        if rates.len() < ENOUGH_RUNS {
            return None;
        }
        let median = |mut values: Vec<f64>| {
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        };
        let median_rate = median(rates.clone());
        let off = |rate: f64| (rate - median_rate).abs();
        let mad = median(rates.iter().map(|rate| off(*rate)).collect());
        let (run, rate) = self
            .recordings
            .iter()
            .zip(rates)
            .max_by(|(_, one), (_, other)| off(*one).total_cmp(&off(*other)))?;
        let is_far = off(rate) > (OUTLIER_MADS * mad).max(OUTLIER_SHARE * median_rate);
        is_far.then(|| {
            format!(
                "{} differs from the others: {rate:.1} fps, their median is {median_rate:.1}",
                run.analysis.file
            )
        })
    }

    /// The result of the runs.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("{} runs\n", self.recordings.len());
        for (metric, unit, _) in METRICS {
            if let Some(values) = values_of(&self.values, metric) {
                let spread = Spread::new(&values);
                let error = spread
                    .error()
                    .map_or_else(String::new, |error| format!(" ± {error:.2}"));
                let _ = writeln!(text, "  {metric:27}{:>9.2}{error} {unit}", spread.mean);
            }
        }
        let _ = writeln!(text, "  ± is the standard error of the mean");
        for run in &self.recordings {
            let found = &run.main().diagnosis[0];
            let _ = writeln!(text, "  {}: {}: {}", run.analysis.file, found.kind, found.evidence);
        }
        if let Some(outlier) = self.outlier() {
            let _ = writeln!(text, "  outlier: {outlier}");
        }
        text
    }
}
