use std::fmt;
use std::io;

use crate::read::chain_name::ChainName;

/// Why a trace cannot be used. Every message is one line that names the file, where in it, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The file cannot be read.
    #[error("{file}: cannot be read: {source}; check the path")]
    Unreadable {
        /// The file.
        file: String,
        /// What the operating system said.
        source: io::Error,
    },
    /// There is nothing in the file.
    #[error("{file}: is empty; record again, and stop the recording before closing the tool")]
    Empty {
        /// The file.
        file: String,
    },
    /// The file is something else.
    #[error(
        "{file}:{line}: is no frame-time trace: {reason}; give a file of PresentMon, CapFrameX, OCAT, FRAPS \
         or MangoHud, an Android atrace or gfxinfo, a Chrome trace, or one frame time in milliseconds per line"
    )]
    NotATrace {
        /// The file.
        file: String,
        /// The line, counted from 1.
        line: u64,
        /// What was found instead.
        reason: String,
    },
    /// A row cannot be read.
    #[error("{0}; correct or remove the row, or skip such rows with --lenient")]
    Row(RowProblem),
    /// There is no frame in the file whose time is known.
    #[error("{file}: holds no frame that takes time ({skipped} unreadable rows); record again for longer")]
    NoFrames {
        /// The file.
        file: String,
        /// Rows that could not be read.
        skipped: usize,
    },
    /// The file holds a frame now and then instead of all.
    #[error(
        "{file}: holds samples, not frames: they add up to {frames:.1} s of {elapsed:.1} s; record every frame \
         (MangoHud: log_interval=0)"
    )]
    Samples {
        /// The file.
        file: String,
        /// Seconds that the frames in the file took.
        frames: f64,
        /// Seconds from the first row to the last.
        elapsed: f64,
    },
    /// No chain of presents is called so.
    #[error("{file}: no chain is called {wanted}; there are {known}")]
    NoSuchChain {
        /// The file.
        file: String,
        /// What was asked for.
        wanted: String,
        /// The names of those that there are.
        known: String,
    },
}

impl TraceError {
    pub(crate) fn unreadable(file: &str, source: io::Error) -> Self {
        let file = file.to_owned();
        Self::Unreadable { file, source }
    }

    pub(crate) fn no_such_chain<'a>(file: &str, wanted: &str, known: impl Iterator<Item = &'a ChainName>) -> Self {
        let known: Vec<String> = known.map(ChainName::to_string).collect();
        Self::NoSuchChain {
            file: file.to_owned(),
            wanted: wanted.to_owned(),
            known: known.join(", "),
        }
    }
}

/// A row that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowProblem {
    /// The file.
    pub file: String,
    /// The line, counted from 1.
    pub line: u64,
    /// The column's name, as the file has it.
    pub field: String,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for RowProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}: {}", self.file, self.line, self.field, self.reason)
    }
}
