//! Times from JavaScript.

use evenstep_flat::Error;

/// Converts whole milliseconds and the nanoseconds beyond to nanoseconds. Both are integers, so nothing is rounded.
pub(crate) fn nanoseconds(millis: f64, nanos: f64) -> Result<i64, Error> {
    if !millis.is_finite() || !nanos.is_finite() {
        return Err(Error::NotFinite);
    }
    if millis < 0.0 || nanos < 0.0 {
        return Err(Error::Negative);
    }
    let whole = (millis as i64).checked_mul(1_000_000).ok_or(Error::Range)?;
    whole.checked_add(nanos as i64).ok_or(Error::Range)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn milliseconds_and_nanoseconds_add_up_exactly_and_bad_times_are_errors() {
        assert_eq!(
            nanoseconds(1_792_000_000_123.0, 456_789.0),
            Ok(1_792_000_000_123_456_789)
        );
        assert_eq!(nanoseconds(f64::NAN, 0.0), Err(Error::NotFinite));
        assert_eq!(nanoseconds(0.0, f64::INFINITY), Err(Error::NotFinite));
        assert_eq!(nanoseconds(-1.0, 0.0), Err(Error::Negative));
        assert_eq!(nanoseconds(1e13, 0.0), Err(Error::Range));
        assert_eq!(nanoseconds(9_223_372_036_854.0, 775_808.0), Err(Error::Range));
    }
}
