//! The system's report about the presentation of a frame.

use core::time::Duration;

/// The system's report about one frame: whether and when it was presented.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PresentFeedback {
    /// The number of the frame in the program. Later frames have larger numbers.
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
    /// A frame, and when it was presented first; `None` if it never was. No refresh is announced, and the time counts as not
    /// measured, until set.
    ///
    /// ```
    /// use evenstep::present::PresentFeedback;
    /// use std::time::Duration;
    ///
    /// let feedback = PresentFeedback::new(7, Duration::from_millis(120)).with_reliable(true);
    /// assert_eq!((feedback.id, feedback.refresh), (7, Duration::ZERO));
    /// ```
    #[must_use]
    pub fn new(id: u64, presented: impl Into<Option<Duration>>) -> Self {
        Self {
            id,
            presented: presented.into(),
            refresh: Duration::ZERO,
            reliable: false,
        }
    }

    /// The same with the time between refreshes, as the system announces it.
    #[must_use]
    pub const fn with_refresh(mut self, refresh: Duration) -> Self {
        self.refresh = refresh;
        self
    }

    /// The same with [`reliable`](Self::reliable) set.
    #[must_use]
    pub const fn with_reliable(mut self, reliable: bool) -> Self {
        self.reliable = reliable;
        self
    }

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
