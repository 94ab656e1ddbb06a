//! How much a metric varies between the parts of a recording, or between recordings.

use std::collections::BTreeMap;

use evenstep_trace::SwapChain;

use crate::commands::check::limits::values;

/// The smallest number of frames in a part.
pub(crate) const LEAST_FRAMES: usize = 60;

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

/// Standard errors beyond which a difference is certain.
pub(crate) const CERTAIN: f64 = 3.0;

/// Metrics by their names.
pub(crate) type Values = BTreeMap<String, f64>;

/// A mean and its standard error.
#[derive(Clone, Copy)]
pub(crate) struct Mean {
    pub(crate) value: f64,
    pub(crate) error: f64,
}

impl Mean {
    /// The mean of a metric; none if one of them lacks it.
    pub(crate) fn over<'a>(all: impl IntoIterator<Item = &'a Values>, metric: &str) -> Option<Self> {
        let values = all.into_iter().map(|one| one.get(metric).copied());
        let values: Vec<f64> = values.collect::<Option<_>>()?;
        let count = values.len() as f64;
        let value = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|one| (one - value).powi(2)).sum();
        Some(Self {
            value,
            error: (squares / (count - 1.0) / count).sqrt(),
        })
    }
}

/// The metrics of each part, if a recording is cut into this number of parts with equal numbers of rows.
pub(crate) fn parts(chain: &SwapChain, count: usize) -> Vec<Values> {
    let rows = chain.presents.len().max(chain.deltas.len());
    let part = |n: usize| chain.part(n * rows / count..(n + 1) * rows / count);
    (0..count).map(|n| metrics(&part(n))).collect()
}

/// The metrics of a recording.
pub(crate) fn metrics(chain: &SwapChain) -> Values {
    let metrics = chain.metrics();
    let mut values = values(&metrics);
    let per_minute = 60.0 * metrics.hitches.len() as f64 / metrics.seconds;
    values.insert("hitches_per_minute".to_owned(), per_minute);
    values
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
