//! The report of a loop: deadlines and jitter.

use core::time::Duration;

/// How well a loop keeps its deadlines: the results of [`LoopStats`](super::LoopStats).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoopReport {
    /// Cycles that were recorded.
    pub cycles: u64,
    /// Cycles that ended after their deadline.
    pub deadline_misses: u64,
    /// How long after it was due a cycle began.
    pub lateness: Timing,
    /// How long a cycle took, from its begin to its end.
    pub execution: Timing,
    /// The time from the begin of one cycle to that of the next.
    pub period: Timing,
    /// The difference between the period and the time between the instants at which the two cycles were due.
    pub jitter: Timing,
}

/// Statistics of durations: percentiles by the nearest rank of the last ones, mean and longest of all. A duration beyond 2^64 ns, 584
/// years, is clamped to that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Timing {
    /// The mean of all, rounded down to nanoseconds.
    pub mean: Duration,
    /// The median of the window.
    pub p50: Duration,
    /// The 99th percentile of the window.
    pub p99: Duration,
    /// The longest of all.
    pub longest: Duration,
}
