//! Sorts rows by time within a bounded window, because files list them in the order of completion.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use crate::error::{BadRows, RowProblem, TraceError};
use crate::read::agreement::{Agreement, contradictions, running_clock};
use crate::read::chain_name::SwapChainName;
use crate::read::clock::{Clocks, NoUnit};
use crate::read::columns::Columns;
use crate::read::format::Format;
use crate::read::present::Present;
use crate::read::row::Row;

/// How many rows may wait for earlier ones: far more than the frames that any program has in flight.
const WINDOW: usize = 4096;

/// A row in the order of time.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    /// The number of the row.
    pub(crate) row: u64,
    pub(crate) delta: Option<Duration>,
    pub(crate) present: Option<Present>,
}

/// Receives the rows of each swap chain in the order of their times.
pub(crate) trait Sink {
    /// A new swap chain; they are numbered in this order.
    fn chain(&mut self, name: &SwapChainName);
    /// The next frame of a chain.
    fn frame(&mut self, chain: usize, frame: Frame);
    /// A row that cannot be read.
    fn skipped(&mut self, problem: RowProblem);
    /// All rows below this number have been emitted.
    fn settled(&mut self, row: u64);
}

impl<S: Sink + ?Sized> Sink for &mut S {
    fn chain(&mut self, name: &SwapChainName) {
        (**self).chain(name);
    }

    fn frame(&mut self, chain: usize, frame: Frame) {
        (**self).frame(chain, frame);
    }

    fn skipped(&mut self, problem: RowProblem) {
        (**self).skipped(problem);
    }

    fn settled(&mut self, row: u64) {
        (**self).settled(row);
    }
}

/// Two sinks that take the same rows.
impl<A: Sink, B: Sink> Sink for (A, B) {
    fn chain(&mut self, name: &SwapChainName) {
        self.0.chain(name);
        self.1.chain(name);
    }

    fn frame(&mut self, chain: usize, frame: Frame) {
        self.0.frame(chain, frame);
        self.1.frame(chain, frame);
    }

    fn skipped(&mut self, problem: RowProblem) {
        self.0.skipped(problem.clone());
        self.1.skipped(problem);
    }

    fn settled(&mut self, row: u64) {
        self.0.settled(row);
        self.1.settled(row);
    }
}

/// Sorts rows by time. A row without a time stays after the row before it.
#[derive(Clone)]
pub(crate) struct ReorderBuffer<'c, S> {
    sink: S,
    file: Cow<'c, str>,
    bad_rows: BadRows,
    columns: Cow<'c, Columns>,
    clocks: Option<Clocks>,
    contradiction: Option<NoUnit>,
    /// The waiting rows by time; at most [`WINDOW`].
    waiting: VecDeque<Waiting>,
    chains: Vec<Progress>,
    chain_indices: HashMap<SwapChainName, usize>,
    /// The swap chain of the last row, which is usually also that of the next row.
    last: usize,
    rows: u64,
    emitted: usize,
    /// Rows that arrived after a later row had been emitted.
    late: u64,
    /// Warnings about the file, each a sentence.
    warnings: Vec<String>,
}

/// A row that waits for earlier ones.
#[derive(Clone)]
struct Waiting {
    chain: usize,
    time: f64,
    row: Row,
}

/// The state of a swap chain.
#[derive(Clone, Default)]
struct Progress {
    name: SwapChainName,
    /// The newest time, if rows hold times instead of deltas.
    instant: Option<Duration>,
    /// The time of generated frames since the program's last frame. It is added to the program's next frame.
    generated: Duration,
    /// The first and the latest time.
    times: Option<(f64, f64)>,
    rows: u64,
    /// The sum of all deltas but the first.
    later_frames: Duration,
    agreement: Agreement,
    /// The first and the last delta, and how many deltas were longer than the previous one.
    deltas: Option<(Duration, Duration)>,
    growing: u64,
}

impl<'c, S: Sink> ReorderBuffer<'c, S> {
    pub(crate) fn new(file: &'c str, bad_rows: BadRows, columns: &'c Columns, sink: S) -> Self {
        Self::of(Cow::Borrowed(file), bad_rows, Cow::Borrowed(columns), sink)
    }

    /// Like [`new`](Self::new), with arguments that may be owned.
    pub(crate) fn of(file: Cow<'c, str>, bad_rows: BadRows, columns: Cow<'c, Columns>, sink: S) -> Self {
        Self {
            sink,
            file,
            bad_rows,
            columns,
            clocks: None,
            contradiction: None,
            waiting: VecDeque::new(),
            chains: Vec::new(),
            chain_indices: HashMap::new(),
            last: 0,
            rows: 0,
            emitted: 0,
            late: 0,
            warnings: Vec::new(),
        }
    }

    /// Adds a warning about the file.
    pub(crate) fn warn(&mut self, warning: String) {
        self.warnings.push(warning);
    }

    /// Adds the next row of the file, with its application, process and swap chain.
    pub(crate) fn push(&mut self, names: [&[u8]; 3], row: Row) {
        let chain = self.chain_index(names);
        self.push_to(chain, row);
    }

    /// Adds the next row of the file, which belongs to the swap chain with this index.
    pub(crate) fn push_to(&mut self, chain: usize, mut row: Row) {
        row.number = self.rows;
        self.rows += 1;
        let own_time = if self.columns.is_cumulative {
            row.delta.map(|instant| instant.as_nanos() as f64)
        } else {
            row.time.get()
        };
        let newest = self.waiting.back().map_or(f64::NEG_INFINITY, |waiting| waiting.time);
        let time = own_time.unwrap_or(newest);
        let row = Waiting { chain, time, row };
        if time >= newest {
            self.waiting.push_back(row);
        } else {
            let after = self.waiting.partition_point(|waiting| waiting.time <= time);
            self.waiting.insert(after, row);
        }
        if self.waiting.len() > WINDOW {
            self.emit();
        }
    }

    /// Handles a row that cannot be read: returns an error, or skips the row under [`BadRows::Skip`].
    pub(crate) fn refuse(&mut self, line: u64, field: &str, reason: String) -> Result<(), TraceError> {
        let problem = RowProblem {
            file: self.file.clone().into_owned(),
            line,
            field: field.to_owned(),
            reason,
        };
        match self.bad_rows {
            BadRows::Fail => Err(TraceError::Row(problem)),
            BadRows::Skip => {
                self.rows += 1;
                self.sink.skipped(problem);
                Ok(())
            }
        }
    }

    /// The index of the swap chain with these names; it is added if it is new.
    pub(crate) fn chain_index(&mut self, names: [&[u8]; 3]) -> usize {
        let is_it = |chain: &Progress| {
            let own = [&chain.name.application, &chain.name.process, &chain.name.swap_chain];
            own.into_iter().zip(names).all(|(own, name)| own.as_bytes() == name)
        };
        if self.chains.get(self.last).is_some_and(is_it) {
            return self.last;
        }
        // If a few chains alternate, a linear search is faster than hashing names.
        let few = &self.chains[..self.chains.len().min(8)];
        self.last = few
            .iter()
            .position(is_it)
            .unwrap_or_else(|| self.chain_index_by_name(names));
        self.last
    }

    fn chain_index_by_name(&mut self, names: [&[u8]; 3]) -> usize {
        let [application, process, swap_chain] = names.map(String::from_utf8_lossy);
        let name = SwapChainName::new(&application, &process, &swap_chain);
        if let Some(chain_index) = self.chain_indices.get(&name) {
            return *chain_index;
        }
        self.sink.chain(&name);
        self.chain_indices.insert(name.clone(), self.chains.len());
        self.chains.push(Progress {
            name,
            ..Progress::default()
        });
        self.chains.len() - 1
    }

    /// Emits the earliest waiting row.
    fn emit(&mut self) {
        let clocks = self.clocks.unwrap_or_else(|| {
            let rows = self.waiting.iter().map(|one| (one.chain, &one.row));
            let (clocks, contradiction) = Clocks::find(&self.columns, rows);
            (self.clocks, self.contradiction) = (Some(clocks), contradiction);
            clocks
        });
        let Some(Waiting { chain, time, mut row }) = self.waiting.pop_front() else {
            return;
        };
        if clocks.deltas_per_millisecond > 1 {
            row.delta = row.delta.map(|delta| delta / clocks.deltas_per_millisecond);
        }
        let progress = &mut self.chains[chain];
        self.late += u64::from(progress.times.is_some_and(|(_, latest)| time < latest));
        let delta = if self.columns.is_cumulative {
            let before = std::mem::replace(&mut progress.instant, row.delta);
            row.delta.zip(before).map(|(now, before)| now.saturating_sub(before))
        } else if row.is_generated {
            progress.generated = progress.generated.saturating_add(row.delta.unwrap_or_default());
            None
        } else {
            let generated = std::mem::take(&mut progress.generated);
            row.delta.map(|delta| delta.saturating_add(generated))
        };
        let present = clocks.present(&self.columns, &row);
        progress.add(time, delta);
        if self.columns.time.is_some() {
            let delta = delta.map(|delta| delta.as_secs_f64() * 1e3);
            progress
                .agreement
                .add(&self.columns, &clocks, &row, delta, present.as_ref());
        }
        let row = row.number;
        let frame = Frame { row, delta, present };
        self.sink.frame(chain, frame);
        self.emitted += 1;
        if self.emitted.is_multiple_of(WINDOW) {
            let lowest = self.waiting.iter().map(|waiting| waiting.row.number).min();
            self.sink.settled(lowest.unwrap_or(u64::MAX));
        }
    }

    /// Emits the remaining rows. Returns the sink, and warnings about the file.
    pub(crate) fn finish(mut self, format: Format) -> Result<(S, Vec<String>), TraceError> {
        while !self.waiting.is_empty() {
            self.emit();
        }
        self.sink.settled(u64::MAX);
        if let Some(NoUnit {
            clock,
            steps,
            intervals,
        }) = self.contradiction
        {
            return Err(TraceError::NoUnit {
                file: self.file.into_owned(),
                clock: self.columns.name(clock),
                steps,
                intervals,
            });
        }
        if format == Format::MangoHud {
            self.chains
                .iter()
                .try_for_each(|chain| chain.refuse_samples(&self.file))?;
        }
        let late = self.late;
        if late > 0 {
            self.warnings.push(format!(
                "{late} rows are more than {WINDOW} rows late and are measured out of order; sort the file by time"
            ));
        }
        let chains = self.chains.iter().map(|chain| (&chain.name, &chain.agreement));
        self.warnings.extend(contradictions(&self.columns, chains));
        if format == Format::Plain {
            self.warnings
                .extend(self.chains.iter().filter_map(Progress::running_clock));
        }
        Ok((self.sink, self.warnings))
    }
}

impl Progress {
    fn add(&mut self, time: f64, delta: Option<Duration>) {
        if self.times.is_some() {
            self.later_frames = self.later_frames.saturating_add(delta.unwrap_or_default());
        }
        let (first, latest) = self.times.unwrap_or((time, time));
        self.times = Some((first, latest.max(time)));
        if let Some(delta) = delta {
            let (first, last) = self.deltas.unwrap_or((delta, delta));
            self.growing += u64::from(delta > last);
            self.deltas = Some((first, delta));
        }
        self.rows += 1;
    }

    fn running_clock(&self) -> Option<String> {
        let (first, last) = self.deltas?;
        let millis = |delta: Duration| delta.as_secs_f64() * 1e3;
        running_clock(self.growing, self.rows, millis(first), millis(last))
    }

    /// Refuses a log of samples: the sum of its frame times is much less than the elapsed time.
    fn refuse_samples(&self, file: &str) -> Result<(), TraceError> {
        let elapsed = self.times.map_or(0.0, |(first, last)| last - first) * 1e-9;
        let frames = self.later_frames.as_secs_f64();
        if self.rows > 2 && frames < 0.8 * elapsed {
            return Err(TraceError::Samples {
                file: file.to_owned(),
                frames,
                elapsed,
            });
        }
        Ok(())
    }
}
