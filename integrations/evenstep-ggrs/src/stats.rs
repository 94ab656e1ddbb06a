//! Statistics of a `Rollback`.

/// Statistics of a [`Rollback`](crate::Rollback).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RollbackStats {
    /// The number of rollbacks.
    pub rollbacks: u64,
    /// The number of ticks that were simulated again.
    pub resimulated: u64,
    /// The length of the longest rollback in ticks.
    pub longest: u64,
    /// The number of steps that were given back to the timestep because the session had to wait.
    pub given_back: u64,
    /// The number of notices that were dropped because [`next_notice`](crate::Rollback::next_notice) was not called often enough.
    pub dropped_events: u64,
}
