//! Measures and diagnoses a file while reading it.

use std::io;

use serde::Serialize;

use crate::error::{BadRows, RowProblem, TraceError};
use crate::measure::diagnosis::SwapChainAnalysis;
use crate::measure::running_metrics::RunningMetrics;
use crate::read::chain_name::SwapChainName;
use crate::read::reader::{self, Read};
use crate::read::sink::{Frame, Sink};
use crate::read::trace::{Collected, SwapChain, Trace};

/// The metrics and the diagnosis of each swap chain of a file. Serialised as JSON, it is what `evenstep analyze --json` prints for a
/// file.
///
/// Memory does not grow with the file, except by the list of hitches. Percentiles are exact to 1/16384 of their value, which is 1 µs at 60 Hz. Everything else
/// is exact.
///
/// ```
/// use evenstep_trace::{Analysis, BadRows};
///
/// let analysis = Analysis::read("16\n17\n16\n".as_bytes(), "list.txt", BadRows::Fail)?;
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

impl Analysis {
    /// Reads, measures and diagnoses a trace. Errors name the file `file`.
    ///
    /// # Errors
    ///
    /// As [`Trace::read`](crate::Trace::read).
    pub fn read(mut input: impl io::Read, file: &str, rows: BadRows) -> Result<Self, TraceError> {
        let mut tallies = Tallies::default();
        let read = reader::read(&mut input, file, rows, &mut tallies)?;
        tallies.analysis(read, file)
    }

    /// Reads a trace once, and returns both the result of [`read`](Self::read) and all frames: for input that can be read only once, such
    /// as a pipe.
    ///
    /// # Errors
    ///
    /// As [`Trace::read`].
    pub fn read_with_trace(mut input: impl io::Read, file: &str, rows: BadRows) -> Result<(Self, Trace), TraceError> {
        let mut sinks = (Tallies::default(), Collected::default());
        let read = reader::read(&mut input, file, rows, &mut sinks)?;
        let (tallies, collected) = sinks;
        let trace = Trace::new(read.clone(), collected, file)?;
        Ok((tallies.analysis(read, file)?, trace))
    }

    /// Measures a part of each swap chain: the frames between the two times in milliseconds of the recording that `part` gives for it.
    /// `trace` is cut, and loses the chains that are not in this analysis.
    ///
    /// # Errors
    ///
    /// [`TraceError::NoFrames`] if nothing is left of any.
    pub fn cut(mut self, trace: &mut Trace, part: impl Fn(&SwapChain) -> (f64, f64)) -> Result<Self, TraceError> {
        let own: Vec<_> = self.chains.iter().map(|chain| chain.name.clone()).collect();
        trace.chains.retain(|chain| own.contains(&chain.name));
        for chain in &mut trace.chains {
            let (from, to) = part(chain);
            chain.keep(from..=to);
        }
        trace.chains.retain(|chain| !chain.deltas.is_empty());
        self.chains = trace.chains.iter().map(SwapChain::analysis).collect();
        if self.chains.is_empty() {
            return Err(TraceError::no_frames(&self.file, 0));
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

/// The running metrics of each swap chain.
#[derive(Clone, Default)]
pub(crate) struct Tallies {
    chains: Vec<(SwapChainName, RunningMetrics)>,
    skipped: usize,
}

impl Tallies {
    /// Keeps fewer frames for a diagnosis that is repeated often.
    pub(crate) fn thin(&mut self) {
        self.chains.iter_mut().for_each(|(_, running)| running.samples.thin());
    }

    /// The analysis of all rows.
    pub(crate) fn analysis(self, read: Read, file: &str) -> Result<Analysis, TraceError> {
        let (mut warnings, mut chains) = (read.warnings, self.chains);
        if self.skipped > 0 {
            warnings.push(format!("{} unreadable rows were skipped", self.skipped));
        }
        chains.retain(|(_, running)| running.has_time());
        chains.sort_by_cached_key(|(name, running)| name.rank(running.frames()));
        if chains.is_empty() {
            return Err(TraceError::no_frames(file, self.skipped));
        }
        Ok(Analysis {
            file: file.to_owned(),
            format: read.format.to_string(),
            warnings,
            chains: chains.iter().map(|(name, running)| running.analysis(name)).collect(),
        })
    }
}

impl Sink for Tallies {
    fn chain(&mut self, name: &SwapChainName) {
        self.chains.push((name.clone(), RunningMetrics::default()));
    }

    fn frame(&mut self, chain: usize, frame: &Frame) {
        self.chains[chain].1.add(frame.delta, frame.present.as_ref());
    }

    fn skipped(&mut self, _: &RowProblem) {
        self.skipped += 1;
    }
}
