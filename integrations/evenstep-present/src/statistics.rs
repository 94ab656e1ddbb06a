//! Statistics of times in milliseconds.

use std::time::Duration;

pub(crate) fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

pub(crate) fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

/// The 99th percentile by the nearest rank; `None` for no values.
pub(crate) fn percentile_99(sorted: &[f64]) -> Option<f64> {
    let rank = (0.99 * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied()
}
