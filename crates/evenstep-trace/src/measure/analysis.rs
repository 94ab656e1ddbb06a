//! Measures and diagnoses a file while reading it.

use std::collections::VecDeque;
use std::io;
use std::ops::Range;
use std::time::Duration;

use serde::Serialize;

use crate::error::{BadRows, RowProblem, TraceError};
use crate::measure::diagnosis::Diagnosis;
use crate::measure::metrics::{Metrics, PresentMetrics};
use crate::measure::tally::Tally;
use crate::read::chain_name::SwapChainName;
use crate::read::reader::{self, Read};
use crate::read::reorder_buffer::{Frame, Sink};
use crate::read::trace::{Collected, Trace};

/// The metrics and the diagnosis of each swap chain of a file. Serialised as JSON, it is what `evenstep analyze --json` prints for a
/// file.
///
/// Memory does not grow with the file, except by the list of hitches. Percentiles are exact to 1/16384 of their value, which is 1 µs at 60 Hz. Everything else
/// is exact.
///
/// ```
/// use evenstep_trace::{Analysis, BadRows};
///
/// let analysis = Analysis::read("16\n17\n16\n".as_bytes(), "list.txt", BadRows::Fail, |_, _| ())?;
/// assert_eq!(analysis.chains[0].metrics.frames, 3);
/// # Ok::<(), evenstep_trace::TraceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Analysis {
    /// The name of the file.
    pub file: String,
    /// The name of the file's format.
    pub format: String,
    /// Warnings about the file, each a sentence.
    pub warnings: Vec<String>,
    /// The file's swap chains: the one with the most frames first, the desktop compositor's last.
    pub chains: Vec<SwapChainAnalysis>,
}

/// The metrics and the diagnosis of a swap chain.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SwapChainAnalysis {
    /// The name of the swap chain: application, process and address, which are `process`, `pid` and `swap_chain` in JSON.
    #[serde(flatten)]
    pub name: SwapChainName,
    /// Its metrics.
    #[serde(flatten)]
    pub metrics: Metrics,
    /// Its kinds of stutter; at least one entry.
    pub diagnosis: Vec<Diagnosis>,
}

impl Analysis {
    /// Reads, measures and diagnoses a trace. Calls `each` with every readable row, in the order of the file, except that some rows come
    /// late where the file's clock jumps back. Errors name the file `file`.
    ///
    /// # Errors
    ///
    /// As [`Trace::read`](crate::Trace::read).
    pub fn read(
        mut input: impl io::Read,
        file: &str,
        rows: BadRows,
        mut each: impl FnMut(&SwapChainName, &PresentMetrics),
    ) -> Result<Self, TraceError> {
        let mut tallies = Tallies::new(&mut each as EachRow<'_>);
        let read = reader::read(&mut input, file, rows, &mut tallies)?;
        tallies.analysis(read, file)
    }

    /// Reads a trace once, and returns both the result of [`read`](Self::read) and all frames: for input that can be read only once, such
    /// as a pipe.
    ///
    /// # Errors
    ///
    /// As [`Trace::read`].
    pub fn read_with_trace(
        mut input: impl io::Read,
        file: &str,
        rows: BadRows,
        mut each: impl FnMut(&SwapChainName, &PresentMetrics),
    ) -> Result<(Self, Trace), TraceError> {
        let mut sinks = (Tallies::new(&mut each as EachRow<'_>), Collected::default());
        let read = reader::read(&mut input, file, rows, &mut sinks)?;
        let (tallies, collected) = sinks;
        let trace = Trace::new(read.clone(), collected, file)?;
        Ok((tallies.analysis(read, file)?, trace))
    }

    /// Measures a part of the recording: of each swap chain of `trace`, which is cut, the frames between two times since its start.
    ///
    /// # Errors
    ///
    /// [`TraceError::NoFrames`] if there are none.
    pub fn between(mut self, trace: &mut Trace, times: Range<Duration>) -> Result<Self, TraceError> {
        trace.chains.iter_mut().for_each(|chain| chain.keep(times.clone()));
        trace.chains.retain(|chain| !chain.deltas.is_empty());
        self.chains = trace
            .chains
            .iter()
            .map(|chain| analyze(&chain.name, &chain.tally()))
            .collect();
        if self.chains.is_empty() {
            return Err(TraceError::NoFrames {
                file: self.file,
                skipped: 0,
            });
        }
        Ok(self)
    }

    /// Keeps only the swap chain with a [matching name](SwapChainName::has_name); if several match, the one with the most frames.
    ///
    /// # Errors
    ///
    /// [`TraceError::NoSuchChain`], which lists the swap chains of the file.
    pub fn only(mut self, name: &str) -> Result<Self, TraceError> {
        let names = self.chains.iter().map(|chain| &chain.name);
        let Some(place) = names.clone().position(|own| own.has_name(name)) else {
            return Err(TraceError::no_such_chain(&self.file, name, names));
        };
        self.chains = vec![self.chains.swap_remove(place)];
        Ok(self)
    }
}

fn analyze(name: &SwapChainName, tally: &Tally) -> SwapChainAnalysis {
    let metrics = tally.metrics();
    SwapChainAnalysis {
        name: name.clone(),
        diagnosis: tally.diagnose(&metrics),
        metrics,
    }
}

/// Takes the metrics of each row.
type EachRow<'e> = &'e mut dyn FnMut(&SwapChainName, &PresentMetrics);

/// The maximum number of rows that wait for an earlier one before they are passed to the caller. Where a clock jumps back, a row may be
/// delayed to the end of the file.
const MOST_WAITING: usize = 1 << 15;

/// The running metrics of each swap chain, and rows that wait to be passed to the caller in the order of the file.
#[derive(Clone)]
pub(crate) struct Tallies<F> {
    chains: Vec<(SwapChainName, Tally)>,
    skipped: usize,
    each: F,
    /// The number of the next row to be passed to the caller.
    next: u64,
    /// It, and those after it, once they are known; none is passed that was skipped.
    waiting: VecDeque<Option<Measured>>,
}

/// A measured row with the index of its swap chain; none if it was skipped.
type Measured = Option<(usize, PresentMetrics)>;

impl<F> Tallies<F> {
    pub(crate) fn new(each: F) -> Self {
        Self {
            chains: Vec::new(),
            skipped: 0,
            each,
            next: 0,
            waiting: VecDeque::new(),
        }
    }

    /// The analysis of all rows.
    pub(crate) fn analysis(self, read: Read, file: &str) -> Result<Analysis, TraceError> {
        let (mut warnings, mut chains) = (read.warnings, self.chains);
        if self.skipped > 0 {
            warnings.push(format!("{} unreadable rows were skipped", self.skipped));
        }
        chains.retain(|(_, tally)| tally.has_time());
        chains
            .sort_by(|(one, of_one), (other, of_other)| one.rank(of_one.frames()).cmp(&other.rank(of_other.frames())));
        if chains.is_empty() {
            return Err(TraceError::NoFrames {
                file: file.to_owned(),
                skipped: self.skipped,
            });
        }
        Ok(Analysis {
            file: file.to_owned(),
            format: read.format.to_string(),
            warnings,
            chains: chains.iter().map(|(name, tally)| analyze(name, tally)).collect(),
        })
    }
}

impl<F: FnMut(&SwapChainName, &PresentMetrics)> Tallies<F> {
    /// Passes a row to the caller, and those that waited for it. A row that comes too late is passed at once.
    fn pass(&mut self, row: u64, measured: Measured) {
        if row <= self.next && self.waiting.is_empty() {
            self.next += u64::from(row == self.next);
            return self.call(measured);
        }
        let Some(place) = row.checked_sub(self.next) else {
            return self.call(measured);
        };
        let place = place as usize;
        if place >= self.waiting.len() {
            self.waiting.resize(place + 1, None);
        }
        self.waiting[place] = Some(measured);
        while let Some(first) = self.waiting.front()
            && (first.is_some() || self.waiting.len() > MOST_WAITING)
        {
            self.next += 1;
            let first = self.waiting.pop_front();
            self.call(first.flatten().flatten());
        }
    }

    fn call(&mut self, measured: Measured) {
        if let Some((chain, measured)) = measured {
            (self.each)(&self.chains[chain].0, &measured);
        }
    }
}

impl<F: FnMut(&SwapChainName, &PresentMetrics)> Sink for Tallies<F> {
    fn chain(&mut self, name: &SwapChainName) {
        self.chains.push((name.clone(), Tally::default()));
    }

    fn frame(&mut self, chain: usize, frame: &Frame) {
        let (_, tally) = &mut self.chains[chain];
        let measured = tally.add(frame.delta, frame.present.as_ref());
        let nothing = PresentMetrics {
            row: frame.row,
            ..PresentMetrics::default()
        };
        self.pass(frame.row, Some((chain, measured.unwrap_or(nothing))));
    }

    fn skipped(&mut self, row: u64, _: &RowProblem) {
        self.skipped += 1;
        self.pass(row, None);
    }
}
