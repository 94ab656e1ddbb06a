//! Long calls, during which other threads of Python run, and which Ctrl-C ends.

use std::io::{self, Read};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

/// The interval at which Python's signals are checked.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Whether the caller has stopped waiting for the result.
pub(crate) type Cancelled = Arc<AtomicBool>;

/// Runs a long call on another thread, while this thread checks for signals of Python. If one raises an exception, this returns at
/// once; the call ends at its next check of `Cancelled`.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Cancelled) -> T + Send + 'static,
) -> PyResult<T> {
    let (end, mut ends) = sync_channel(0);
    let cancelled = Cancelled::default();
    let of_work = cancelled.clone();
    let thread = thread::Builder::new().name("evenstep".to_owned()).spawn(move || {
        let _end = end;
        work(&of_work)
    })?;
    while py.detach(|| wait(&mut ends)) == Err(RecvTimeoutError::Timeout) {
        py.check_signals()
            .inspect_err(|_| cancelled.store(true, Ordering::Relaxed))?;
    }
    Ok(thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
}

/// Waits until the thread has ended, and its end of the channel with it.
fn wait(ends: &mut Receiver<()>) -> Result<(), RecvTimeoutError> {
    ends.recv_timeout(SIGNAL_INTERVAL)
}

/// A reader that fails once the call was cancelled.
pub(crate) struct Input<R> {
    pub(crate) input: R,
    pub(crate) cancelled: Cancelled,
}

impl<R: Read> Read for Input<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(io::Error::other("cancelled"));
        }
        self.input.read(buffer)
    }
}
