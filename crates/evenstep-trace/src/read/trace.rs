use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use crate::error::{RowProblem, TraceError};
use crate::read;
use crate::read::bad_rows::Rows;
use crate::read::chain_name::ChainName;
use crate::read::format::Format;
use crate::read::order::{Frame, Sink};
use crate::read::present::Present;

/// The frame times in a file, by chain of presents.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// What kind of file it was.
    pub format: Format,
    /// The chains that have frames, the one with the most frames first; the desktop's own come last.
    pub chains: Vec<Chain>,
    /// Rows that could not be read and were [skipped](Rows::Readable).
    pub skipped: Vec<RowProblem>,
    /// What is odd about the file, in sentences.
    pub warnings: Vec<String>,
    file: String,
}

/// The frames that one program showed in one place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chain {
    /// Who showed them.
    pub name: ChainName,
    /// The frames' deltas, oldest first. Frames that were never displayed are among them; frames that a driver
    /// generated are not.
    pub deltas: Vec<Duration>,
    /// What became of each present, in the order of their times, where the file tells: generated frames and those that
    /// were never displayed are among them.
    pub presents: Vec<Present>,
}

impl Trace {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is no trace, has no frames, or has a row that cannot be read.
    pub fn read(path: &Path, rows: Rows) -> Result<Self, TraceError> {
        let file = path.display().to_string();
        let input = File::open(path).map_err(|source| TraceError::unreadable(&file, source))?;
        Self::parse(input, &file, rows)
    }

    /// Reads a trace from anywhere. `file` is what errors call it.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn parse(input: impl Read, file: &str, rows: Rows) -> Result<Self, TraceError> {
        let (format, warnings, collected) = read::read(input, file, rows, Collected::default())?;
        Self::new(format, warnings, collected, file)
    }

    /// The trace that was collected from a file.
    pub(crate) fn new(
        format: Format,
        warnings: Vec<String>,
        collected: Collected,
        file: &str,
    ) -> Result<Self, TraceError> {
        let has_time = |chain: &Chain| chain.deltas.iter().any(|delta| !delta.is_zero());
        let mut chains: Vec<Chain> = collected.chains.into_iter().filter(has_time).collect();
        chains.sort_by(|one, other| {
            one.name
                .rank(one.deltas.len())
                .cmp(&other.name.rank(other.deltas.len()))
        });
        if chains.is_empty() {
            return Err(TraceError::NoFrames {
                file: file.to_owned(),
                skipped: collected.skipped.len(),
            });
        }
        Ok(Self {
            format,
            chains,
            skipped: collected.skipped,
            warnings,
            file: file.to_owned(),
        })
    }

    /// The chain with the most frames that is not the desktop's own.
    #[must_use]
    pub fn main_chain(&self) -> &Chain {
        &self.chains[0]
    }

    /// The chain of a name: that of the application, the process, the swap chain, or all three with slashes between
    /// them. Of several the one with the most frames.
    ///
    /// # Errors
    ///
    /// [`TraceError::NoSuchChain`], which lists those that there are.
    pub fn chain(&self, name: &str) -> Result<&Chain, TraceError> {
        let called = self.chains.iter().find(|chain| chain.name.is_called(name));
        called.ok_or_else(|| TraceError::no_such_chain(&self.file, name, self.chains.iter().map(|chain| &chain.name)))
    }
}

/// All that is read.
#[derive(Default)]
pub(crate) struct Collected {
    chains: Vec<Chain>,
    skipped: Vec<RowProblem>,
}

impl Sink for Collected {
    fn chain(&mut self, name: &ChainName) {
        let name = name.clone();
        self.chains.push(Chain {
            name,
            ..Chain::default()
        });
    }

    fn frame(&mut self, chain: usize, frame: Frame) {
        let chain = &mut self.chains[chain];
        chain.deltas.extend(frame.delta);
        chain.presents.extend(frame.present);
    }

    fn skipped(&mut self, problem: RowProblem) {
        self.skipped.push(problem);
    }

    fn settled(&mut self, _: u64) {}
}
