//! Times in milliseconds, as reports and recordings have them.

use std::time::Duration;

pub(crate) fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

pub(crate) fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

/// What 99 % do not exceed, by the nearest rank; none of nothing.
pub(crate) fn percentile_99(sorted: &[f64]) -> Option<f64> {
    let rank = (0.99 * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied()
}
