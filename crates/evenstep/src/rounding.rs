//! Whole numbers of floats, without the standard library and without libm.

/// To the nearest whole number, halves up; of sizes below 2^63.
pub(crate) fn round(value: f64) -> f64 {
    floor(value + 0.5)
}

/// The largest whole number that is no larger; of sizes below 2^63.
pub(crate) fn floor(value: f64) -> f64 {
    let cut = value as i64 as f64;
    if cut > value { cut - 1.0 } else { cut }
}
