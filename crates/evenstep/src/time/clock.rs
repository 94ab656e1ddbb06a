//! Clocks.

use core::time::Duration;

/// Something that knows how much time has passed since it was last asked.
///
/// Nothing in evenstep asks a clock by itself; a program does, once a frame, and tells the timestep.
pub trait Clock {
    /// The time since the last call, or since the clock was made. Zero if the clock went backwards.
    fn delta(&mut self) -> Duration;

    /// How often the clock has gone backwards. Each time it answered zero, and went on from there.
    fn times_backwards(&self) -> u64;
}

/// A clock that is told the time: for tests, for replays, and for time that comes from elsewhere, such as
/// `requestAnimationFrame` or a network.
///
/// ```
/// use evenstep::{Clock, ManualClock};
/// use std::time::Duration;
///
/// let mut clock = ManualClock::new();
/// clock.set(Duration::from_millis(16));
/// assert_eq!(clock.delta(), Duration::from_millis(16));
///
/// clock.set(Duration::from_millis(10)); // somebody corrected it
/// assert_eq!((clock.delta(), clock.times_backwards()), (Duration::ZERO, 1));
/// clock.set(Duration::from_millis(25));
/// assert_eq!(clock.delta(), Duration::from_millis(15));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ManualClock {
    now: Duration,
    last: Duration,
    times_backwards: u64,
}

impl ManualClock {
    /// A clock that shows zero.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            now: Duration::ZERO,
            last: Duration::ZERO,
            times_backwards: 0,
        }
    }

    /// Sets the time that it shows.
    pub fn set(&mut self, now: Duration) {
        self.now = now;
    }

    /// Moves the time that it shows on, at most to the longest there is.
    pub fn advance(&mut self, by: Duration) {
        self.now = self.now.saturating_add(by);
    }

    /// The time that it shows.
    #[must_use]
    pub const fn now(&self) -> Duration {
        self.now
    }
}

impl Clock for ManualClock {
    fn delta(&mut self) -> Duration {
        let delta = self.now.checked_sub(self.last);
        self.last = self.now;
        delta.unwrap_or_else(|| {
            self.times_backwards += 1;
            Duration::ZERO
        })
    }

    fn times_backwards(&self) -> u64 {
        self.times_backwards
    }
}

/// The operating system's monotonic clock.
///
/// ```
/// use evenstep::{Clock, MonotonicClock};
///
/// let mut clock = MonotonicClock::new();
/// let (first, second) = (clock.delta(), clock.delta());
/// assert!(first + second <= clock.now());
/// ```
#[cfg(feature = "std")]
#[derive(Clone, Debug)]
pub struct MonotonicClock {
    start: std::time::Instant,
    last: std::time::Instant,
    times_backwards: u64,
}

#[cfg(feature = "std")]
impl MonotonicClock {
    /// A clock whose first delta begins now.
    #[must_use]
    pub fn new() -> Self {
        let start = std::time::Instant::now();
        Self {
            start,
            last: start,
            times_backwards: 0,
        }
    }

    /// The time since the clock was made: when an event happened that arrives now, for an
    /// [`InputBuffer`](crate::input::InputBuffer). Asking changes no delta.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.start.elapsed()
    }
}

#[cfg(feature = "std")]
impl Default for MonotonicClock {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(feature = "std")]
impl Clock for MonotonicClock {
    fn delta(&mut self) -> Duration {
        let now = std::time::Instant::now();
        let delta = now.checked_duration_since(self.last);
        self.last = now;
        delta.unwrap_or_else(|| {
            self.times_backwards += 1;
            Duration::ZERO
        })
    }

    fn times_backwards(&self) -> u64 {
        self.times_backwards
    }
}
