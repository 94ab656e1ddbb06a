//! A model of the threads' primitives, in which every interleaving is tried: in the tests of this crate it replaces [`system`](super). Time
//! passes by itself for [`WAITS`] waits of a thread; then it stands still, so every run ends.

use std::cell::Cell;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use mpsc::{RecvTimeoutError, TryRecvError};

pub(super) use shuttle::sync::atomic::{AtomicUsize, Ordering};
pub(super) use shuttle::sync::mpsc;
pub(super) use shuttle::thread::{Builder, JoinHandle};

/// So often a wait of a thread ends because its time is over.
const WAITS: u32 = 1;

shuttle::thread_local! {
    static PASSED: Cell<Duration> = const { Cell::new(Duration::ZERO) };
    static WAITED: Cell<u32> = const { Cell::new(0) };
}

pub(super) fn now() -> Instant {
    static START: OnceLock<Instant> = OnceLock::new();
    *START.get_or_init(Instant::now) + PASSED.with(Cell::get)
}

/// Waits for a message; if there is none, the time passes or, later, the wait has no end.
pub(super) fn receive<T>(channel: &mpsc::Receiver<T>, at_most: Duration) -> Result<T, RecvTimeoutError> {
    match channel.try_recv() {
        Ok(message) => Ok(message),
        Err(TryRecvError::Disconnected) => Err(RecvTimeoutError::Disconnected),
        Err(TryRecvError::Empty) if WAITED.with(Cell::get) < WAITS => {
            WAITED.with(|waited| waited.set(waited.get() + 1));
            sleep(at_most);
            Err(RecvTimeoutError::Timeout)
        }
        Err(TryRecvError::Empty) => channel.recv().map_err(|_| RecvTimeoutError::Disconnected),
    }
}

fn sleep(time: Duration) {
    PASSED.with(|passed| passed.set(passed.get() + time));
}

/// Lets the time until an instant pass.
pub(super) struct Sleeper;

impl Sleeper {
    pub(super) fn new() -> Self {
        Self
    }

    pub(super) fn sleep_until(&mut self, due: Instant) {
        sleep(due.saturating_duration_since(now()));
    }
}
