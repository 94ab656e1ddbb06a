/// What a [`Rollback`](crate::Rollback) has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RollbackStats {
    /// How often the game went back.
    pub rollbacks: u64,
    /// How many ticks were simulated again.
    pub resimulated: u64,
    /// How many ticks the longest rollback went back.
    pub longest: u64,
    /// How many steps were given back to the timestep because the session had to wait.
    pub given_back: u64,
    /// How many events were dropped because [`next_notice`](crate::Rollback::next_notice) did not take them.
    pub dropped_events: u64,
}
