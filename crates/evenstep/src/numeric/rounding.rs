//! Rounding of floats without the standard library.

/// Rounds to the nearest integer, halves towards positive infinity. Valid for magnitudes below 2^63.
pub(crate) fn round(value: f64) -> f64 {
    floor(value + 0.5)
}

/// Returns the largest integer that is at most `value`. Valid for magnitudes below 2^63.
pub(crate) fn floor(value: f64) -> f64 {
    let truncated = value as i64 as f64;
    if truncated > value { truncated - 1.0 } else { truncated }
}
