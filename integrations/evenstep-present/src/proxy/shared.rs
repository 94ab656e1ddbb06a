//! What the threads of a proxy share.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::time::Duration;

use super::frame_log::FrameLogPipe;
use crate::clock::PresentationClock;

/// How often the proxy looks whether it is to end.
pub(super) const GLANCE: Duration = Duration::from_millis(50);

/// What the threads of a proxy share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) compositor: PathBuf,
    pub(super) clock: PresentationClock,
    pub(super) is_over: AtomicBool,
    pub(super) open: AtomicUsize,
    pub(super) frame_log: Mutex<Option<FrameLogPipe>>,
}
