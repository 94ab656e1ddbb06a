//! The bound of how far a filter's output may lead the clock.

use core::time::Duration;

/// The output of no filter of this crate ever leads the clock by more.
pub(crate) const MAX_LEAD: Duration = Duration::from_micros(2_500);

/// Converts nanoseconds to a `Duration`, clamped to its range.
pub(crate) fn from_nanos(nanos: i128) -> Duration {
    let nanos = nanos.clamp(0, Duration::MAX.as_nanos() as i128);
    Duration::new((nanos / 1_000_000_000) as u64, (nanos % 1_000_000_000) as u32)
}

/// The longest output in nanoseconds that keeps within [`MAX_LEAD`]; `residual` is all input less all output before it.
pub(crate) const fn max_output(residual: i128) -> i128 {
    residual.saturating_add(MAX_LEAD.as_nanos() as i128)
}
