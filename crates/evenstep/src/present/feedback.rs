//! What the system reports about the presentation of a frame.

use core::time::Duration;

/// What the system reports about one frame: whether and when it was presented.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PresentFeedback {
    /// The number under which the program knows the frame. Later frames have larger ones.
    pub id: u64,
    /// When it was presented first, on the program's clock if possible; none if it never was.
    pub presented: Option<Duration>,
    /// The time between refreshes, as the system announces it; zero if it does not.
    pub refresh: Duration,
    /// Whether `presented` was measured at scan-out. A time that was predicted, or taken when the frame was merely passed to the
    /// display, was not.
    pub reliable: bool,
}

impl PresentFeedback {
    /// A frame that was never presented.
    #[must_use]
    pub const fn discarded(id: u64) -> Self {
        Self {
            id,
            presented: None,
            refresh: Duration::ZERO,
            reliable: true,
        }
    }
}
