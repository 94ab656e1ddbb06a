//! The operating system's clock.

use core::time::Duration;
use std::time::Instant;

/// The operating system's monotonic clock: when frames begin, for a [`FrameClock`](crate::FrameClock), and when events happen that
/// arrive now, for an [`InputBuffer`](crate::input::InputBuffer).
///
/// Only a [`GameLoop`](crate::GameLoop) and a simulation on a thread read it themselves; to everything else a program passes the time.
///
/// ```
/// use evenstep::MonotonicClock;
///
/// let clock = MonotonicClock::new();
/// let (first, second) = (clock.now(), clock.now());
/// assert!(first <= second);
/// ```
#[derive(Clone, Debug)]
pub struct MonotonicClock {
    start: Instant,
}

impl MonotonicClock {
    /// A clock that shows zero now.
    #[must_use]
    pub fn new() -> Self {
        Self { start: Instant::now() }
    }

    /// The time since the clock was made.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.start.elapsed()
    }
}

/// A clock that showed zero at that time, for a program whose times begin elsewhere.
///
/// ```
/// use evenstep::MonotonicClock;
/// use std::time::Instant;
///
/// let start = Instant::now();
/// let clock = MonotonicClock::from(start);
/// assert!(clock.now() <= start.elapsed());
/// ```
impl From<Instant> for MonotonicClock {
    fn from(start: Instant) -> Self {
        Self { start }
    }
}

impl Default for MonotonicClock {
    fn default() -> Self {
        Self::new()
    }
}
