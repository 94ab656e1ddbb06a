//! The system's report about the presentation of a frame.

use core::time::Duration;

/// The system's report about one frame: whether and when it was presented.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PresentFeedback {
    /// The program's number of the frame. Later frames have larger numbers.
    pub id: u64,
    /// When the frame was first presented, on the program's clock; none if it was never presented.
    pub presented: Option<Duration>,
    /// The time between refreshes that the system reports; zero if it reports none.
    pub refresh: Duration,
    /// Whether `presented` was measured at scan-out. A time that was predicted, or taken when the frame was merely passed to the
    /// display, was not.
    pub reliable: bool,
}

impl PresentFeedback {
    /// A report of a frame that was first presented at a time; `None` if it was never presented. Until set, no refresh is reported, and
    /// the time counts as not measured.
    ///
    /// ```
    /// use evenstep_present::PresentFeedback;
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

    /// The same with the time between refreshes that the system reports.
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
