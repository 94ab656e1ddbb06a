//! The state that the threads of a proxy share.

use std::io::PipeReader;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;

use super::shown_time_reader::ShownTimeReader;
use crate::clock::PresentationClock;

/// The state that the threads of a proxy share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) compositor: PathBuf,
    pub(super) clock: PresentationClock,
    /// A pipe that is never written to: when the proxy is to end, it closes the other side, and that wakes every thread.
    pub(super) over: PipeReader,
    pub(super) open: AtomicUsize,
    pub(super) shown_times: Mutex<Option<ShownTimeReader>>,
}
