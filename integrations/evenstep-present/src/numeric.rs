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
    Duration::from_nanos_u128(nanos.max(0).unsigned_abs().min(Duration::MAX.as_nanos()))
}
