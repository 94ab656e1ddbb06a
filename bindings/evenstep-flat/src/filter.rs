//! The filter that smooths deltas before they reach a timestep or a schedule.

/// A filter.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FilterSettings {
    /// The kind of filter: a `FILTER_` constant.
    pub kind: u32,
}

/// Evens out the times of frames: within 2.5 ms ahead of the clock and 5 ms behind it.
pub const FILTER_DISPLAY_CLOCK: u32 = 1;
