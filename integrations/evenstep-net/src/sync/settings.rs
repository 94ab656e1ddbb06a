//! Settings of a tick synchronisation.

/// The settings of a [`TickSync`](crate::TickSync). Lengths are in nanoseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    /// In ten-thousandths of the speed, the steps in which it is changed.
    pub(super) max_slew: i64,
    pub(super) margin: i64,
    /// How many inputs may be late, and of how many.
    pub(super) tolerance: (u32, u32),
    pub(super) memory: i64,
    pub(super) jump_beyond: i64,
}

impl Settings {
    pub(super) const DEFAULT: Self = Self {
        max_slew: 200,
        margin: 1_000_000,
        tolerance: (2, 1_000),
        memory: 4_000_000_000,
        jump_beyond: 150_000_000,
    };
}
