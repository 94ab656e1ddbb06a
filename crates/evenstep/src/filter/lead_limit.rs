//! The bound of how far a filter's output may lead the clock.

use core::time::Duration;

use crate::time::duration_from_nanos;

/// The output of no filter of this crate ever leads the clock by more.
pub(crate) const MAX_LEAD: Duration = Duration::from_micros(2_500);

/// Converts nanoseconds to a `Duration`, clamped to its range.
pub(crate) fn from_nanos(nanos: i128) -> Duration {
    // Five centuries fit into 64 bits, which are divided faster.
    let within_64_bits = u64::try_from(nanos).map(Duration::from_nanos);
    within_64_bits.unwrap_or_else(|_| duration_from_nanos(nanos.max(0) as u128))
}

/// The longest output in nanoseconds that keeps within [`MAX_LEAD`]; `residual` is all input less all output before it.
pub(crate) const fn max_output(residual: i128) -> i128 {
    residual.saturating_add(MAX_LEAD.as_nanos() as i128)
}
