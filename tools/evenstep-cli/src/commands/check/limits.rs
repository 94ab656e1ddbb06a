//! Limits for metrics, from the command line and from files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use evenstep_trace::measure::MissingMetric;
use evenstep_trace::{Metrics, Present, SwapChain, SwapChainName};
use serde::Deserialize;
use serde_json::Value;

use crate::commands::check::found::{Found, Outcome};
use crate::failure::{self, Failure};

/// A limit for a metric.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Limit {
    metric: String,
    bound: Bound,
    value: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Max,
    Min,
}

/// A file of limits.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LimitFile {
    #[serde(default)]
    max: BTreeMap<String, f64>,
    #[serde(default)]
    min: BTreeMap<String, f64>,
}

/// Units, and the part of a metric's name that stands for the unit.
const UNITS: [(&str, &str); 4] = [("%", "_pct"), ("ms", "_ms"), ("fps", "fps_"), ("s", "seconds")];

/// Parses `METRIC=VALUE`. The value may have the metric's unit.
pub(super) fn limit(text: &str, bound: Bound) -> Result<Limit, String> {
    let (metric, value) = text
        .split_once('=')
        .ok_or("is not METRIC=VALUE, such as stutter_time_pct=1")?;
    let (metric, value) = (metric.trim(), value.trim());
    let number_end = value
        .find(|char: char| !(char.is_ascii_digit() || matches!(char, '.' | '-' | '+')))
        .unwrap_or(value.len());
    let (number, unit) = (&value[..number_end], value[number_end..].trim());
    let number = number.parse::<f64>().ok().filter(|number| number.is_finite());
    let number = number.ok_or_else(|| format!("has no number: {value:?}; write it like stutter_time_pct=1"))?;
    let mut known = UNITS.iter().filter(|(_, part)| metric.contains(part));
    if !unit.is_empty() && !known.any(|(name, _)| *name == unit) {
        return Err(format!("the unit {unit:?} is not that of {metric}; leave it out"));
    }
    Ok(Limit {
        metric: metric.to_owned(),
        bound,
        value: number,
    })
}

/// Parses a percentage, with or without the percent sign.
pub(super) fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches('%').trim().parse::<f64>().ok();
    number
        .filter(|number| (0.0..=1000.0).contains(number))
        .ok_or_else(|| "is not a percentage from 0 to 1000".to_owned())
}

/// Reads the limits of a file.
pub(super) fn read(file: &Path) -> Result<Vec<Limit>, Failure> {
    let name = file.display();
    let text = fs::read_to_string(file).map_err(|error| {
        Failure::Run(format!(
            "{name}: cannot be read: {}; give a file of limits that can",
            failure::reason(&error)
        ))
    })?;
    let limits: LimitFile = toml::from_str(&text).map_err(|error| {
        let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
        let reason = error.message();
        Failure::Run(format!(
            "{name}:{line}: {reason}; write METRIC = NUMBER in the tables [max] and [min], with quotes around names that have a dot"
        ))
    })?;
    let of = |bound, limits: BTreeMap<String, f64>| {
        let limits = limits.into_iter();
        limits.map(move |(metric, value)| Limit { metric, bound, value })
    };
    Ok(of(Bound::Max, limits.max).chain(of(Bound::Min, limits.min)).collect())
}

/// Makes sure that there are metrics of these names.
pub(super) fn must_be_known(limits: &[Limit]) -> Result<(), Failure> {
    // A chain that has every value that a recording may have.
    let present = |n: u32| {
        let start = f64::from(n) * 16.0;
        let mut present = Present::new(start + 5.0);
        (present.started, present.simulated, present.displayed) = (Some(start), Some(start), Some(start + 20.0));
        (present.cpu_busy, present.gpu_busy) = (Some(5.0), Some(5.0));
        (present.pc_latency, present.click_to_photon) = (Some(30.0), Some(40.0));
        present
    };
    let presents = (0..100).map(present).collect();
    let chain = SwapChain::new(SwapChainName::default(), vec![Duration::from_millis(16); 100], presents);
    let values = values(&chain.metrics());
    match limits.iter().find(|limit| !values.contains_key(&limit.metric)) {
        None => Ok(()),
        Some(Limit { metric, .. }) => {
            let known: Vec<&str> = values.keys().map(String::as_str).collect();
            Err(Failure::Usage(format!(
                "there is no metric {metric}; there are {}",
                known.join(", ")
            )))
        }
    }
}

impl Limit {
    /// Checks the metrics of a chain, and their values by their names.
    pub(super) fn check(&self, metrics: &Metrics, values: &BTreeMap<String, f64>) -> Found {
        let (metric, bound) = (&self.metric, self.value);
        let (finding, passed) = match (values.get(metric), self.bound) {
            (Some(value), Bound::Max) => (
                format!("{metric} is {value:.3}, at most {bound} is allowed"),
                *value <= bound,
            ),
            (Some(value), Bound::Min) => (
                format!("{metric} is {value:.3}, at least {bound} is required"),
                *value >= bound,
            ),
            (None, _) => (missing(metric, metrics), false),
        };
        Found {
            metric: metric.clone(),
            finding,
            outcome: if passed { Outcome::Passed } else { Outcome::Failed },
        }
    }
}

/// Says why a metric, or the part of one, has no value.
fn missing(metric: &str, metrics: &Metrics) -> String {
    let is_it = |absent: &&MissingMetric| metric.split('.').next() == Some(absent.name);
    let reason = metrics
        .absent
        .iter()
        .find(is_it)
        .map_or("this recording lacks it", |absent| absent.reason);
    format!("{metric} cannot be computed: {reason}")
}

/// All metrics that are numbers, by their names in `analyze --json`, with dots between the names of parts. Hitches are counted, also by the
/// minute.
pub(in crate::commands) fn values(metrics: &Metrics) -> BTreeMap<String, f64> {
    let mut values = BTreeMap::new();
    if let Ok(Value::Object(fields)) = serde_json::to_value(metrics) {
        for (name, value) in fields {
            match value {
                Value::Number(number) => values.extend(number.as_f64().map(|number| (name, number))),
                Value::Array(list) if name == "hitches" => {
                    let count = list.len() as f64;
                    values.extend([
                        (name, count),
                        ("hitches_per_minute".to_owned(), 60.0 * count / metrics.seconds),
                    ]);
                }
                Value::Object(parts) => values.extend(parts.iter().filter_map(|(part, value)| {
                    let number = value.as_f64()?;
                    Some((format!("{name}.{part}"), number))
                })),
                _ => {}
            }
        }
    }
    values
}
