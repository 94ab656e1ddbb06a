//! When a frame will be presented.

use core::time::Duration;

/// When a frame will be presented, and how certain the prediction is. Times are on the program's own clock, such as
/// [`MonotonicClock::now`](evenstep::MonotonicClock::now).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Prediction {
    /// The refresh at which it will be presented.
    pub at: Duration,
    /// The time between refreshes; the shortest with variable refresh.
    pub period: Duration,
    /// The uncertainty of `at` in either direction. From [`RefreshGrid::next_refresh`](crate::RefreshGrid::next_refresh) it is
    /// how long before `at` a frame has to be ready.
    pub uncertainty: Duration,
}

impl Prediction {
    /// A frame that will be presented at `at` ± `uncertainty`, by a display that refreshes every `period`.
    #[must_use]
    pub const fn new(at: Duration, period: Duration, uncertainty: Duration) -> Self {
        Self {
            at,
            period,
            uncertainty,
        }
    }
}
