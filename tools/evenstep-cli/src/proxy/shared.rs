//! The state that the threads of a proxy share.

use std::io::PipeReader;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

use super::shown_time_reader::ShownTimeReader;

/// The state that the threads of a proxy share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) compositor: PathBuf,
    /// The clock of all times.
    pub(super) clock: ClockId,
    /// A pipe that is never written to: when the proxy is to end, it closes the other side, and that wakes every thread.
    pub(super) over: PipeReader,
    pub(super) open: AtomicUsize,
    pub(super) shown_times: Mutex<Option<ShownTimeReader>>,
}

impl Shared {
    /// The time now.
    pub(super) fn now(&self) -> Duration {
        // Clocks do not count from before their beginning.
        clock_gettime(self.clock).try_into().unwrap_or_default()
    }

    /// The simulated time of the next frame of a window.
    pub(super) fn simulated_time(&self) -> Option<Duration> {
        self.shown_times.lock().ok()?.as_mut()?.next_time()
    }
}
