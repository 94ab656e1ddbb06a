//! One present: a frame that was submitted for display.

/// A present: a frame that a program submitted for display, or that a driver generated.
///
/// Times are in milliseconds from the first row of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Present {
    /// The number of its row in the file, counted from 0 without the header.
    pub row: u64,
    /// When the program began to work on the frame, if known.
    pub started: Option<f64>,
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
    /// How long the program worked on the frame, if known.
    pub cpu_busy: Option<f64>,
    /// How long the graphics card worked on the frame, if known.
    pub gpu_busy: Option<f64>,
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
}
