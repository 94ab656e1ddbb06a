//! One present: a frame that was submitted for display.

/// A present: a frame that a program submitted for display, or that a driver generated.
///
/// Times are in milliseconds from the first row of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Present {
    /// The number of its row in the file, counted from 0 without the header.
    pub row: u64,
    /// When the program began to work on the frame, if known: as the file states it, or when the call that presented its last frame returned.
    pub started: Option<f64>,
    /// The frame time that the file states, where that is the time between calls to present, and the program's delta is the time between
    /// their returns.
    pub frame_time: Option<f64>,
    /// When the call to present began.
    pub presented: f64,
    /// When the frame was displayed; `None` if it never was.
    pub displayed: Option<f64>,
    /// The simulated time that the frame shows. If unknown, the time when the program began to work on the frame.
    pub simulated: Option<f64>,
    /// Whether the program itself reported [`simulated`](Self::simulated), on a clock of its own.
    pub is_simulated_told: bool,
    /// Whether a driver generated the frame.
    pub is_generated: bool,
    /// What generated the frame, by the name that PresentMon or the maker gives it, if known.
    pub generated_by: Option<&'static str>,
    /// Whether nothing was to be drawn before the frame: the time since the last present is no frame time.
    pub is_after_pause: bool,
    /// Whether its row has no delta of the program, although it may be a frame of it: the first of a clock, or a field without a number.
    pub(crate) is_without_delta: bool,
    /// How long the program worked on the frame, if known.
    pub cpu_busy: Option<f64>,
    /// How long the graphics card worked on the frame, if known.
    pub gpu_busy: Option<f64>,
    /// The refreshes that the program asked to wait for, if known: 0 without vertical sync.
    pub sync_interval: Option<u32>,
    /// Whether the program allowed the frame to tear, if known.
    pub allows_tearing: Option<bool>,
    /// Whether the desktop's compositor drew the frame (PresentMon's modes `Composed: …`), if known.
    pub is_composed: Option<bool>,
    /// What made the frame late, if it was and the file says so.
    pub late_by: Option<LateBy>,
    /// The time from the program's reception of input to the display of its frame, as the tool measured it.
    pub pc_latency: Option<f64>,
    /// The time from a click to the display of the first frame that shows it, as the tool measured it.
    pub click_to_photon: Option<f64>,
}

/// What made a frame late, as Android states it (`jank_type` of its FrameTimeline).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LateBy {
    /// The program was not ready in time.
    Program,
    /// The compositor, SurfaceFlinger, or the display.
    Compositor,
    /// The frame waited behind another, or the cause is not known.
    Queue,
}

impl Present {
    /// A present whose call began at this time in milliseconds. Nothing else about it is known, so it counts as never displayed.
    #[must_use]
    pub fn new(presented: f64) -> Self {
        Self {
            presented,
            ..Self::default()
        }
    }

    /// Whether the swap chain has a delta for this row.
    pub(crate) const fn has_delta(&self) -> bool {
        !self.is_generated && !self.is_after_pause && !self.is_without_delta
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_present_that_was_generated_or_follows_a_pause_or_lacks_a_delta_has_none() {
        for case in 0..8_u8 {
            let present = Present {
                is_generated: case & 1 != 0,
                is_after_pause: case & 2 != 0,
                is_without_delta: case & 4 != 0,
                ..Present::default()
            };
            assert_eq!(present.has_delta(), case == 0, "{present:?}");
        }
    }
}
