use core::time::Duration;

/// What the system reports of one frame: whether and when it was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PresentFeedback {
    /// The number under which the program knows the frame. Later frames have larger ones.
    pub id: u64,
    /// When it was seen first, on the program's clock if possible; none if it never was.
    pub presented: Option<Duration>,
    /// The time between refreshes, as the system announces it; zero if it does not.
    pub refresh: Duration,
    /// Whether `presented` was measured when the picture was on the screen. A time that was predicted, or read when the picture was
    /// merely handed on, is not.
    pub reliable: bool,
}

impl PresentFeedback {
    /// A frame that was never seen.
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
