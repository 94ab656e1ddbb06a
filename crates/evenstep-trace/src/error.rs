//! The crate's errors, and how to treat rows that cannot be read.

use std::fmt;
use std::io;

use crate::read::chain_name::SwapChainName;
use crate::read::format::Format;

/// Why a trace cannot be used. Each message is one line with the file, the place in it, and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// The file cannot be read.
    #[error("{file}: cannot be read: {source}; check the path")]
    Unreadable {
        /// The file.
        file: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The file is empty.
    #[error("{file}: is empty; record again, and stop the recording before closing the tool")]
    Empty {
        /// The file.
        file: String,
    },
    /// The file is not a frame-time trace.
    #[error(
        "{file}:{line}: is no frame-time trace: {reason}; give a file of PresentMon, CapFrameX, OCAT, FRAPS \
         or MangoHud, a Perfetto or Chrome trace, or one frame time in milliseconds per line"
    )]
    NotATrace {
        /// The file.
        file: String,
        /// The line, counted from 1.
        line: u64,
        /// Why it is not a trace.
        reason: String,
    },
    /// A row cannot be read.
    #[error("{0}; correct or remove the row, or skip such rows with --lenient")]
    Row(RowProblem),
    /// No frame in the file takes longer than zero.
    #[error("{file}: holds no frame that takes time ({skipped} unreadable rows); record again for longer")]
    NoFrames {
        /// The file.
        file: String,
        /// Rows that could not be read.
        skipped: usize,
    },
    /// The file holds samples instead of all frames.
    #[error(
        "{file}: holds samples, not frames: they add up to {frames:.1} s of {elapsed:.1} s; record every frame \
         (MangoHud: log_interval=0)"
    )]
    Samples {
        /// The file.
        file: String,
        /// The sum of its frame times, in seconds.
        frames: f64,
        /// The time from its first row to its last, in seconds.
        elapsed: f64,
    },
    /// The file is a log of another kind: samples or summaries of a known tool.
    #[error("{file}:{line}: is {tool}, of which no frames are read; {instead}")]
    NoFrameLog {
        /// The file.
        file: String,
        /// The line that shows it, counted from 1.
        line: u64,
        /// What the file is.
        tool: &'static str,
        /// What to record or give instead.
        instead: &'static str,
    },
    /// The file is a trace of Perfetto or Chrome or a capture in JSON, which are not read line by line, so it can be read only when it is
    /// complete.
    #[error(
        "{file}: cannot be measured while it grows: {format} is read as a whole; give it to `evenstep analyze` when it is complete"
    )]
    NoTable {
        /// The file.
        file: String,
        /// Its format.
        format: Format,
    },
    /// The file has no swap chain of this name.
    #[error("{file}: no chain is called {wanted}; there are {known}")]
    NoSuchChain {
        /// The file.
        file: String,
        /// The requested name.
        wanted: String,
        /// The names of its swap chains.
        known: String,
    },
}

impl TraceError {
    /// The file that cannot be used.
    #[must_use]
    pub fn file(&self) -> &str {
        match self {
            Self::Unreadable { file, .. }
            | Self::Empty { file }
            | Self::NotATrace { file, .. }
            | Self::Row(RowProblem { file, .. })
            | Self::NoFrames { file, .. }
            | Self::Samples { file, .. }
            | Self::NoFrameLog { file, .. }
            | Self::NoTable { file, .. }
            | Self::NoSuchChain { file, .. } => file,
        }
    }

    pub(crate) fn unreadable(file: &str, source: io::Error) -> Self {
        let file = file.to_owned();
        Self::Unreadable { file, source }
    }

    pub(crate) fn not_a_trace(file: &str, line: u64, reason: String) -> Self {
        let file = file.to_owned();
        Self::NotATrace { file, line, reason }
    }

    pub(crate) fn no_frames(file: &str, skipped: usize) -> Self {
        let file = file.to_owned();
        Self::NoFrames { file, skipped }
    }

    pub(crate) fn no_such_chain<'a>(file: &str, wanted: &str, known: impl Iterator<Item = &'a SwapChainName>) -> Self {
        let known: Vec<String> = known.map(SwapChainName::to_string).collect();
        Self::NoSuchChain {
            file: file.to_owned(),
            wanted: wanted.to_owned(),
            known: known.join(", "),
        }
    }
}

/// A row that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RowProblem {
    /// The file.
    pub file: String,
    /// The line, counted from 1. In JSON it is the line on which the object begins, and `field` names the place in the object. In a
    /// Perfetto trace it is the number of the packet, and `field` gives the packet's byte offset.
    pub line: u64,
    /// The name of the column as the file spells it, or the place in a JSON object or a Perfetto trace.
    pub field: String,
    /// Why it cannot be read.
    pub reason: String,
}

impl fmt::Display for RowProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}: {}", self.file, self.line, self.field, self.reason)
    }
}

/// How to treat rows that cannot be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadRows {
    /// Return an error for the first such row.
    #[default]
    Fail,
    /// Skip such rows, and list them in [`Trace::skipped`](crate::Trace::skipped).
    Skip,
}
