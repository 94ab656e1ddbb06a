//! A frame loop in real time.

use std::time::Duration;

use evenstep::{MonotonicClock, Rate};

use crate::interrupt;

/// A loop that sleeps between frames, as exactly as the operating system allows.
pub struct LiveLoop {
    clock: MonotonicClock,
    /// When the last frame began.
    last: Duration,
    interval: Duration,
    /// How much later than planned the last frame came.
    late: Duration,
}

impl LiveLoop {
    /// Starts a loop that aims at `rate` frames a second.
    pub fn start(rate: Rate) -> Self {
        Self {
            clock: MonotonicClock::new(),
            last: Duration::ZERO,
            interval: Duration::from_nanos(rate.period_nanos()),
            late: Duration::ZERO,
        }
    }

    /// Sleeps until the next frame is due or the command is asked to stop. Returns the time since the last frame.
    pub fn next_delta(&mut self) -> Duration {
        let wait = self.interval.saturating_sub(self.late);
        interrupt::sleep(wait);
        let now = self.clock.now();
        let delta = now - std::mem::replace(&mut self.last, now);
        self.late = (self.late + delta).saturating_sub(self.interval).min(self.interval);
        delta
    }
}
