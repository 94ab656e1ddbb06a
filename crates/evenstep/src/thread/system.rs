//! What the threads are made of: the standard library's channels, counters, threads and clock.

use std::time::{Duration, Instant};

use spin_sleep::SpinSleeper;

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

pub(super) fn sleep(time: Duration) {
    SpinSleeper::default().sleep(time);
}
