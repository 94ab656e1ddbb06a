//! The threads' primitives: the standard library's channels, counters, threads and clock.

use std::time::{Duration, Instant};

use super::step_timer::StepTimer;

pub(super) use std::sync::atomic::{AtomicUsize, Ordering};
pub(super) use std::sync::mpsc;
pub(super) use std::thread::{Builder, JoinHandle};

pub(super) fn now() -> Instant {
    Instant::now()
}

/// Waits for a message, for so long at most.
pub(super) fn receive<T>(channel: &mpsc::Receiver<T>, at_most: Duration) -> Result<T, mpsc::RecvTimeoutError> {
    channel.recv_timeout(at_most)
}

/// Sleeps until an instant.
pub(super) struct Sleeper(StepTimer);

impl Sleeper {
    /// One for this thread.
    pub(super) fn new() -> Self {
        Self(StepTimer::new())
    }

    pub(super) fn sleep_until(&mut self, due: Instant) {
        let start = now();
        self.0.wait(|| start.elapsed(), due.saturating_duration_since(start));
    }
}
