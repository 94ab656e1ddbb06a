//! The reports of a proxy about frames and connections.

use std::sync::Arc;
use std::time::Duration;

/// A frame of a program: a commit of a surface with a new buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresentedFrame {
    /// The program's name, as the kernel has it: at most 15 bytes.
    pub application: Arc<str>,
    /// The number of its process.
    pub process: u32,
    /// The number of its connection in this recording: a process may open several, and end and come again.
    pub connection: u64,
    /// The number of the surface in its connection.
    pub surface: u64,
    /// When the commit came to the proxy, on the clock of presentation times.
    pub committed: Duration,
    /// Whether and when it was presented.
    pub shown: Shown,
    /// The simulated time that it shows, if the program wrote it to a [`ShownTimeReader`](super::ShownTimeReader).
    pub simulated: Option<Duration>,
    /// When and after what the program wants it to be presented.
    pub timing: CommitTiming,
}

/// What a program asked for a frame, beside its commit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CommitTiming {
    /// The time before which the frame must not be presented, and to which it should be as close as possible
    /// (`wp_commit_timer_v1.set_timestamp`).
    pub target: Option<Duration>,
    /// Whether the frame stays on the screen for a refresh before a frame that waits (`wp_fifo_v1.set_barrier`).
    pub sets_barrier: bool,
    /// Whether the frame waits for the one before (`wp_fifo_v1.wait_barrier`).
    pub waits: bool,
}

/// Whether and when a frame was presented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// It was presented.
    Presented {
        /// When, on the compositor's clock.
        at: Duration,
        /// The time to the next refresh as the compositor announces it; zero if it does not.
        refresh: Duration,
        /// The flags of `wp_presentation_feedback`.
        flags: u32,
    },
    /// It never was on the screen.
    Discarded,
    /// The compositor has no presentation feedback or did not answer, or the feedback could not be requested.
    Unknown,
}

/// A report of the proxy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// A frame and its presentation; of each surface in the order of its commits.
    Frame(PresentedFrame),
    /// A connection has ended.
    Ended {
        /// The program's name.
        application: Arc<str>,
        /// The number of its process.
        process: u32,
        /// Why, unless the program or the compositor closed it in order.
        fault: Option<String>,
        /// Reports that were lost because they were not read in time.
        lost: u64,
    },
}
