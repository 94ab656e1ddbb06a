use core::time::Duration;

/// No filter of this crate is ever farther ahead of the clock.
pub(crate) const MAX_LEAD: Duration = Duration::from_micros(2_500);

/// Nanoseconds as a `Duration`: at least zero, at most the longest there is.
pub(crate) fn from_nanos(nanos: i128) -> Duration {
    let nanos = nanos.clamp(0, Duration::MAX.as_nanos() as i128);
    Duration::new((nanos / 1_000_000_000) as u64, (nanos % 1_000_000_000) as u32)
}

/// The most that may be handed on when `owed` nanoseconds came in and were not handed on yet.
pub(crate) const fn within_lead(owed: i128) -> i128 {
    owed.saturating_add(MAX_LEAD.as_nanos() as i128)
}
