//! Measures and diagnoses a file while reading it.

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
    /// The program's name.
    pub process: String,
    /// The process id.
    pub pid: String,
    /// The address of the swap chain.
    pub swap_chain: String,
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
        let Read { format, warnings } = reader::read(&mut input, file, rows, &mut sinks)?;
        let (tallies, collected) = sinks;
        let of_trace = Read {
            format,
            warnings: warnings.clone(),
        };
        let trace = Trace::new(of_trace, collected, file)?;
        Ok((tallies.analysis(Read { format, warnings }, file)?, trace))
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
        let names: Vec<SwapChainName> = self.chains.iter().map(SwapChainAnalysis::name).collect();
        let Some(place) = names.iter().position(|own| own.has_name(name)) else {
            return Err(TraceError::no_such_chain(&self.file, name, names.iter()));
        };
        self.chains = vec![self.chains.swap_remove(place)];
        Ok(self)
    }
}

impl SwapChainAnalysis {
    /// The name of the swap chain: application, process and address.
    #[must_use]
    pub fn name(&self) -> SwapChainName {
        SwapChainName::new(&self.process, &self.pid, &self.swap_chain)
    }
}

fn analyze(name: &SwapChainName, tally: &Tally) -> SwapChainAnalysis {
    let metrics = tally.metrics();
    SwapChainAnalysis {
        process: name.application.clone(),
        pid: name.process.clone(),
        swap_chain: name.swap_chain.clone(),
        diagnosis: tally.diagnose(&metrics),
        metrics,
    }
}

/// Takes the metrics of each row.
type EachRow<'e> = &'e mut dyn FnMut(&SwapChainName, &PresentMetrics);

/// The maximum number of rows that wait for an earlier one before they are passed to the caller.
const MOST_UNSETTLED: usize = 1 << 15;

/// The running metrics of each swap chain, and rows that wait to be passed to the caller in the order of the file.
#[derive(Clone)]
pub(crate) struct Tallies<F> {
    chains: Vec<(SwapChainName, Tally)>,
    skipped: usize,
    each: F,
    measured: Vec<(usize, PresentMetrics)>,
}

impl<F> Tallies<F> {
    pub(crate) fn new(each: F) -> Self {
        Self {
            chains: Vec::new(),
            skipped: 0,
            each,
            measured: Vec::new(),
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
        self.measured.push((chain, measured.unwrap_or(nothing)));
    }

    fn skipped(&mut self, _: &RowProblem) {
        self.skipped += 1;
    }

    fn settled(&mut self, row: u64) {
        self.measured.sort_unstable_by_key(|(_, measured)| measured.row);
        let settled = self.measured.partition_point(|(_, measured)| measured.row < row);
        // Where a clock jumps back, a row may be delayed to the end of the file. The others do not wait for it.
        let settled = settled.max(self.measured.len().saturating_sub(MOST_UNSETTLED));
        for (chain, measured) in self.measured.drain(..settled) {
            (self.each)(&self.chains[chain].0, &measured);
        }
    }
}
