//! The report of a loop: real-time factor, deadlines and jitter.

use core::time::Duration;

use crate::time::SimDuration;

/// How well a loop keeps real time: the results of [`LoopStats`](super::LoopStats).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoopReport {
    /// The real-time factor since the beginning.
    pub total: RealTimeFactor,
    /// The real-time factor of the frames of the window.
    pub rolling: RealTimeFactor,
    /// Real time of known pauses. It is not part of the real-time factors.
    pub suspended: Duration,
    /// Cycles that were recorded.
    pub cycles: u64,
    /// Cycles that ended after their deadline, and steps that were dropped.
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

/// The real-time factor: simulated time divided by the real time that it took, at the requested speed. 1 if the loop keeps up, less
/// if it lost time or has not caught up yet.
///
/// It excludes pauses and the time scale: a simulation in slow motion that keeps up has a factor of 1. Gazebo's and mjlab's factor
/// is this factor times the time scale.
///
/// Exhaustive: a quotient has two parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RealTimeFactor {
    /// The simulated time, exact. Time that the overrun policy keeps back is not included.
    pub simulated: SimDuration,
    /// The real time that passed, times the time scale, exact.
    pub expected: SimDuration,
}

impl RealTimeFactor {
    /// The quotient, to within a few units in the last place; 1 before any time has passed.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        if self.expected.is_zero() {
            1.0
        } else {
            self.simulated.as_secs_f64() / self.expected.as_secs_f64()
        }
    }
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
