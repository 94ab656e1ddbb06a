//! Long calls: other threads of Python run meanwhile, and Ctrl-C ends them.

use std::io::{self, Read};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How long Python's signals wait at most.
const LOOK: Duration = Duration::from_millis(50);

/// Whether nobody waits for an answer any more.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cancelled(Arc<AtomicBool>);

impl Cancelled {
    pub(crate) fn is_so(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Does something that may take long, on a thread of its own, while this one looks whether Python has a signal. If that raises, this
/// ends at once; the work ends when it next looks whether it was cancelled.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Cancelled) -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, mut receiver) = sync_channel(1);
    let cancelled = Cancelled::default();
    let of_work = cancelled.clone();
    let thread = thread::Builder::new().name("evenstep".to_owned()).spawn(move || {
        // Nobody may wait for it any more.
        let _ = sender.send(work(&of_work));
    })?;
    loop {
        match py.detach(|| wait(&mut receiver)) {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Timeout) => py.check_signals().inspect_err(|_| {
                cancelled.0.store(true, Ordering::Relaxed);
            })?,
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Err(panic) => resume_unwind(panic),
                Ok(()) => return Err(PyRuntimeError::new_err("evenstep: no answer; please report it")),
            },
        }
    }
}

fn wait<T>(receiver: &mut Receiver<T>) -> Result<T, RecvTimeoutError> {
    receiver.recv_timeout(LOOK)
}

/// An input whose end comes when nobody waits for what is read.
pub(crate) struct Input<R> {
    pub(crate) input: R,
    pub(crate) cancelled: Cancelled,
}

impl<R: Read> Read for Input<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.cancelled.is_so() {
            return Err(io::Error::other("nobody waits for it"));
        }
        self.input.read(buffer)
    }
}
