//! All frames of a file, by swap chain.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::Duration;

use crate::error::{BadRows, RowProblem, TraceError};
use crate::read::chain_name::SwapChainName;
use crate::read::format::Format;
use crate::read::present::Present;
use crate::read::reader::{self, Read};
use crate::read::sink::{Frame, Sink};

/// The frame times of a file, by swap chain.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Trace {
    /// The file format.
    pub format: Format,
    /// The swap chains that have frames: the one with the most frames first, the desktop compositor's last.
    pub chains: Vec<SwapChain>,
    /// Rows that could not be read and were [skipped](BadRows::Skip).
    pub skipped: Vec<RowProblem>,
    /// Warnings about the file, each a sentence.
    pub warnings: Vec<String>,
    file: String,
}

/// The frames of one swap chain: the frames that one program presented in one window.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SwapChain {
    /// The name of the swap chain: application, process and address.
    pub name: SwapChainName,
    /// The frames' deltas, oldest first. They include frames that were never displayed, but not generated frames.
    pub deltas: Vec<Duration>,
    /// The presents in the order of their times, if the file has any. They include generated frames and frames that were never displayed.
    pub presents: Vec<Present>,
}

impl SwapChain {
    /// A swap chain that was not read from a file, with its frames' deltas, and its presents in the order of their times.
    #[must_use]
    pub const fn new(name: SwapChainName, deltas: Vec<Duration>, presents: Vec<Present>) -> Self {
        Self { name, deltas, presents }
    }
}

impl Trace {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is not a trace, has no frames, or has an unreadable row under [`BadRows::Fail`].
    pub fn read(path: &Path, rows: BadRows) -> Result<Self, TraceError> {
        let file = path.display().to_string();
        let input = File::open(path).map_err(|source| TraceError::unreadable(&file, source))?;
        Self::parse(input, &file, rows)
    }

    /// Reads a trace from any input. Errors name the file `file`.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn parse(mut input: impl io::Read, file: &str, rows: BadRows) -> Result<Self, TraceError> {
        let mut collected = Collected::default();
        let read = reader::read(&mut input, file, rows, &mut collected)?;
        Self::new(read, collected, file)
    }

    /// Builds the trace from the rows that were collected.
    pub(crate) fn new(read: Read, collected: Collected, file: &str) -> Result<Self, TraceError> {
        let has_time = |chain: &SwapChain| chain.deltas.iter().any(|delta| !delta.is_zero());
        let mut chains: Vec<SwapChain> = collected.chains.into_iter().filter(has_time).collect();
        chains.sort_by_cached_key(|chain| chain.name.rank(chain.deltas.len()));
        if chains.is_empty() {
            return Err(TraceError::no_frames(file, collected.skipped.len()));
        }
        Ok(Self {
            format: read.format,
            chains,
            skipped: collected.skipped,
            warnings: read.warnings,
            file: file.to_owned(),
        })
    }

    /// The swap chain with the most frames; the desktop compositor's only if there is no other.
    #[must_use]
    pub fn main_chain(&self) -> &SwapChain {
        &self.chains[0]
    }

    /// Finds a swap chain by the name of its application, process or swap chain, or by all three joined with slashes. If several match,
    /// returns the one with the most frames.
    ///
    /// # Errors
    ///
    /// [`TraceError::NoSuchChain`], which lists the swap chains of the file.
    pub fn chain(&self, name: &str) -> Result<&SwapChain, TraceError> {
        let called = self.chains.iter().find(|chain| chain.name.has_name(name));
        called.ok_or_else(|| TraceError::no_such_chain(&self.file, name, self.chains.iter().map(|chain| &chain.name)))
    }
}

/// Keeps everything that is read.
#[derive(Default)]
pub(crate) struct Collected {
    chains: Vec<SwapChain>,
    skipped: Vec<RowProblem>,
}

impl Sink for Collected {
    fn chain(&mut self, name: &SwapChainName) {
        let name = name.clone();
        self.chains.push(SwapChain {
            name,
            ..SwapChain::default()
        });
    }

    fn frame(&mut self, chain: usize, frame: &Frame) {
        let chain = &mut self.chains[chain];
        chain.deltas.extend(frame.delta);
        chain.presents.extend(frame.present);
    }

    fn skipped(&mut self, problem: &RowProblem) {
        self.skipped.push(problem.clone());
    }
}
