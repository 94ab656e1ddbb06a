//! Arithmetic that `core` lacks.

use core::time::Duration;

/// Rounds to the nearest integer, halves towards positive infinity. Valid for magnitudes below 2^63.
pub(crate) fn round(value: f64) -> f64 {
    let value = value + 0.5;
    let truncated = value as i64 as f64;
    if truncated > value { truncated - 1.0 } else { truncated }
}

/// Converts nanoseconds to a `Duration`, clamped to its range.
pub(crate) fn from_nanos(nanos: i128) -> Duration {
    const NANOS_PER_SEC: u128 = 1_000_000_000;
    let nanos = nanos.max(0).unsigned_abs();
    let secs = u64::try_from(nanos / NANOS_PER_SEC);
    secs.map_or(Duration::MAX, |secs| {
        Duration::new(secs, (nanos % NANOS_PER_SEC) as u32)
    })
}
