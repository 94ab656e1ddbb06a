//! When to begin a frame, and the refresh that it is for.

use core::time::Duration;

/// When to begin a frame, and the refresh for which it is planned. Times are on the program's own clock.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FramePlan {
    /// When to begin reading input, simulating and drawing. Never before [`asked`](Self::asked).
    pub begin: Duration,
    /// The refresh for which the frame is planned; none if no display is known.
    pub shown: Option<Duration>,
    /// When the plan was requested: the earliest time at which the frame could have begun.
    pub asked: Duration,
    /// The time between refreshes; zero if no display is known.
    pub period: Duration,
}

impl FramePlan {
    /// How long to wait before the frame begins.
    #[must_use]
    pub const fn wait(&self) -> Duration {
        self.begin.saturating_sub(self.asked)
    }
}
