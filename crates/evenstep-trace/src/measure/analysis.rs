//! A whole file, measured and diagnosed while it is read.

use std::io::Read;

use serde::Serialize;

use crate::error::{RowProblem, TraceError};
use crate::measure::diagnosis::Diagnosis;
use crate::measure::metrics::{Measured, Metrics};
use crate::measure::tally::Gauge;
use crate::read;
use crate::read::bad_rows::Rows;
use crate::read::chain_name::ChainName;
use crate::read::format::Format;
use crate::read::order::{Frame, Sink};
use crate::read::trace::{Collected, Trace};

/// What there is to say of a file: its chains, measured and diagnosed. As JSON it is what `evenstep analyze --json` prints of
/// each file.
///
/// It is made while the file is read, in memory that does not grow with the file: percentiles are true to 1/16384 of
/// themselves, which is 1 µs at 60 Hz, and all else is exact.
///
/// ```
/// use evenstep_trace::{Analysis, Rows};
///
/// let analysis = Analysis::read("16\n17\n16\n".as_bytes(), "list.txt", Rows::All, |_, _| ())?;
/// assert_eq!(analysis.chains[0].metrics.frames, 3);
/// # Ok::<(), evenstep_trace::TraceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// The name of the file.
    pub file: String,
    /// What kind of file it is.
    pub format: String,
    /// What is odd about it, in sentences.
    pub warnings: Vec<String>,
    /// Its chains, the one with the most frames first; the desktop's own come last.
    pub chains: Vec<ChainAnalysis>,
}

/// What there is to say of a chain.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChainAnalysis {
    /// The program's name.
    pub process: String,
    /// Its process.
    pub pid: String,
    /// Its swap chain.
    pub swap_chain: String,
    /// What it comes down to.
    #[serde(flatten)]
    pub metrics: Metrics,
    /// What kind of stutter it has.
    pub diagnosis: Vec<Diagnosis>,
}

impl Analysis {
    /// Reads, measures and diagnoses a trace. `each` is called with every row that could be read, in the order of the
    /// file, whosever it is; `file` is what errors call the file.
    ///
    /// # Errors
    ///
    /// As [`Trace::read`](crate::Trace::read).
    pub fn read(
        input: impl Read,
        file: &str,
        rows: Rows,
        each: impl FnMut(&ChainName, &Measured),
    ) -> Result<Self, TraceError> {
        let (format, warnings, gauges) = read::read(input, file, rows, Gauges::new(each))?;
        Self::new(format, warnings, gauges, file)
    }

    /// Reads a trace once, and returns both what [`read`](Self::read) does and all of its frames. For input that can be read
    /// only once, such as a pipe.
    ///
    /// # Errors
    ///
    /// As [`Trace::read`].
    pub fn read_with_trace(
        input: impl Read,
        file: &str,
        rows: Rows,
        each: impl FnMut(&ChainName, &Measured),
    ) -> Result<(Self, Trace), TraceError> {
        let sinks = (Gauges::new(each), Collected::default());
        let (format, warnings, (gauges, collected)) = read::read(input, file, rows, sinks)?;
        let trace = Trace::new(format, warnings.clone(), collected, file)?;
        Ok((Self::new(format, warnings, gauges, file)?, trace))
    }

    fn new<F>(format: Format, mut warnings: Vec<String>, gauges: Gauges<F>, file: &str) -> Result<Self, TraceError> {
        if gauges.skipped > 0 {
            warnings.push(format!("{} unreadable rows were skipped", gauges.skipped));
        }
        let mut chains = gauges.chains;
        chains.retain(|(_, gauge)| gauge.has_time());
        chains
            .sort_by(|(one, of_one), (other, of_other)| one.rank(of_one.frames()).cmp(&other.rank(of_other.frames())));
        if chains.is_empty() {
            return Err(TraceError::NoFrames {
                file: file.to_owned(),
                skipped: gauges.skipped,
            });
        }
        Ok(Self {
            file: file.to_owned(),
            format: format.to_string(),
            warnings,
            chains: chains.iter().map(|(name, gauge)| analyze(name, gauge)).collect(),
        })
    }

    /// Keeps only the chain of a name, as [`ChainName::is_called`] says; of several the one with the most frames.
    ///
    /// # Errors
    ///
    /// [`TraceError::NoSuchChain`], which lists those that there are.
    pub fn only(mut self, name: &str) -> Result<Self, TraceError> {
        let names: Vec<ChainName> = self.chains.iter().map(ChainAnalysis::name).collect();
        let Some(place) = names.iter().position(|own| own.is_called(name)) else {
            return Err(TraceError::no_such_chain(&self.file, name, names.iter()));
        };
        self.chains = vec![self.chains.swap_remove(place)];
        Ok(self)
    }
}

impl ChainAnalysis {
    /// Whose it is.
    #[must_use]
    pub fn name(&self) -> ChainName {
        ChainName::new(&self.process, &self.pid, &self.swap_chain)
    }
}

fn analyze(name: &ChainName, gauge: &Gauge) -> ChainAnalysis {
    let metrics = gauge.metrics();
    ChainAnalysis {
        process: name.application.clone(),
        pid: name.process.clone(),
        swap_chain: name.swap_chain.clone(),
        diagnosis: gauge.diagnose(&metrics),
        metrics,
    }
}

/// What is counted of each chain, and rows that wait for their turn to be handed out.
struct Gauges<F> {
    chains: Vec<(ChainName, Gauge)>,
    skipped: usize,
    each: F,
    measured: Vec<(usize, Measured)>,
}

impl<F> Gauges<F> {
    fn new(each: F) -> Self {
        Self {
            chains: Vec::new(),
            skipped: 0,
            each,
            measured: Vec::new(),
        }
    }
}

impl<F: FnMut(&ChainName, &Measured)> Sink for Gauges<F> {
    fn chain(&mut self, name: &ChainName) {
        self.chains.push((name.clone(), Gauge::default()));
    }

    fn frame(&mut self, chain: usize, frame: Frame) {
        let (_, gauge) = &mut self.chains[chain];
        if let Some(delta) = frame.delta {
            gauge.delta(delta);
        }
        let measured = match frame.present {
            Some(present) => gauge.present(&present),
            None => Measured::nothing(frame.row),
        };
        self.measured.push((chain, measured));
    }

    fn skipped(&mut self, _: RowProblem) {
        self.skipped += 1;
    }

    fn settled(&mut self, row: u64) {
        self.measured.sort_unstable_by_key(|(_, measured)| measured.row);
        let settled = self.measured.partition_point(|(_, measured)| measured.row < row);
        for (chain, measured) in self.measured.drain(..settled) {
            (self.each)(&self.chains[chain].0, &measured);
        }
    }
}
