//! Sorts rows by time within a bounded window, because files list them in the order of completion.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use crate::error::{BadRows, RowProblem, TraceError};
use crate::read::agreement::{Agreement, contradictions};
use crate::read::chain_name::SwapChainName;
use crate::read::clock::{Clocks, Times, guessed};
use crate::read::columns::{Columns, Deltas};
use crate::read::format::Format;
use crate::read::present::Present;
use crate::read::row::Row;

/// How many rows may wait for earlier ones: far more than the frames that any program has in flight. With the row that arrives, 4096
/// entries fill the deque exactly; one more would double its memory.
const WINDOW: usize = 4095;

/// A row in the order of time.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) delta: Option<Duration>,
    pub(crate) present: Option<Present>,
}

/// Receives the rows of each swap chain in the order of their times.
pub(crate) trait Sink {
    /// A new swap chain; they are numbered in this order.
    fn chain(&mut self, name: &SwapChainName);
    /// The next frame of a chain.
    fn frame(&mut self, chain: usize, frame: &Frame);
    /// A row that cannot be read.
    fn skipped(&mut self, problem: &RowProblem);
}

/// Two sinks that take the same rows.
impl<A: Sink, B: Sink> Sink for (A, B) {
    fn chain(&mut self, name: &SwapChainName) {
        self.0.chain(name);
        self.1.chain(name);
    }

    fn frame(&mut self, chain: usize, frame: &Frame) {
        self.0.frame(chain, frame);
        self.1.frame(chain, frame);
    }

    fn skipped(&mut self, problem: &RowProblem) {
        self.0.skipped(problem);
        self.1.skipped(problem);
    }
}

/// Sorts rows by time. A row without a time stays after the row before it.
#[derive(Clone, Default)]
pub(crate) struct ReorderBuffer {
    file: String,
    bad_rows: BadRows,
    columns: Columns,
    clocks: Option<Clocks>,
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
    /// Rows whose delta is far longer than the step of the clock, and the first of them: its line, its delta and the step.
    bogus: u64,
    first_bogus: (u64, f64, f64),
    /// Warnings about the file, each a sentence.
    warnings: Vec<String>,
    /// The warning about a list that looks like one of frame rates.
    doubt: Option<String>,
}

/// A reorder buffer with the sink of its rows.
pub(crate) struct Ordered<'a> {
    pub(crate) buffer: &'a mut ReorderBuffer,
    pub(crate) sink: &'a mut dyn Sink,
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
    /// How long the call that presented the program's last frame took, in nanoseconds.
    in_present: Option<i64>,
    times: Times,
    /// The first and the latest time by which rows are sorted.
    span: Option<(f64, f64)>,
    rows: u64,
    /// The sum of all deltas but the first.
    later_frames: Duration,
    agreement: Agreement,
    /// The first and the last delta, and how many deltas were longer than the previous one.
    deltas: Option<(Duration, Duration)>,
    growing: u64,
}

/// A delta is compared with the step of the clock alone if it is longer than this, in milliseconds: then a wrong one would be a hitch.
const LONG: f64 = 100.0;

impl Ordered<'_> {
    /// Sets the columns, before the first row.
    pub(crate) fn begin(&mut self, columns: Columns) {
        self.buffer.columns = columns;
    }

    pub(crate) fn file(&self) -> &str {
        &self.buffer.file
    }

    pub(crate) fn columns(&self) -> &Columns {
        &self.buffer.columns
    }

    /// Adds a warning about the file.
    pub(crate) fn warn(&mut self, warning: String) {
        self.buffer.warnings.push(warning);
    }

    /// Adds the next row of the file, with its application, process and swap chain.
    pub(crate) fn push(&mut self, names: [&[u8]; 3], row: Row) {
        let chain = self.chain_index(names);
        self.push_to(chain, row);
    }

    /// Adds the next row of the file, which belongs to the swap chain with this index.
    pub(crate) fn push_to(&mut self, chain: usize, row: Row) {
        self.buffer.insert(chain, row);
        if self.buffer.waiting.len() > WINDOW {
            self.emit();
        }
    }

    /// Emits the earliest waiting row.
    fn emit(&mut self) {
        if let Some((chain, frame)) = self.buffer.next() {
            self.sink.frame(chain, &frame);
        }
    }

    /// Handles a row that cannot be read: returns an error, or skips the row under [`BadRows::Skip`].
    pub(crate) fn refuse(&mut self, line: u64, field: &str, reason: String) -> Result<(), TraceError> {
        let problem = RowProblem {
            file: self.buffer.file.clone(),
            line,
            field: field.to_owned(),
            reason,
        };
        match self.buffer.bad_rows {
            BadRows::Fail => Err(TraceError::Row(problem)),
            BadRows::Skip => {
                self.sink.skipped(&problem);
                self.buffer.rows += 1;
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
        let buffer = &mut *self.buffer;
        if buffer.chains.get(buffer.last).is_some_and(is_it) {
            return buffer.last;
        }
        // If a few chains alternate, a linear search is faster than hashing names.
        let few = &buffer.chains[..buffer.chains.len().min(8)];
        let last = few.iter().position(is_it);
        self.buffer.last = last.unwrap_or_else(|| self.chain_index_by_name(names));
        self.buffer.last
    }

    fn chain_index_by_name(&mut self, names: [&[u8]; 3]) -> usize {
        let [application, process, swap_chain] = names.map(String::from_utf8_lossy);
        let name = SwapChainName::new(&application, &process, &swap_chain);
        let ReorderBuffer {
            chains, chain_indices, ..
        } = &mut *self.buffer;
        if let Some(chain_index) = chain_indices.get(&name) {
            return *chain_index;
        }
        self.sink.chain(&name);
        chain_indices.insert(name.clone(), chains.len());
        chains.push(Progress {
            name,
            ..Progress::default()
        });
        chains.len() - 1
    }

    /// Emits the remaining rows. Returns warnings about the file.
    pub(crate) fn finish(mut self, format: Format) -> Result<Vec<String>, TraceError> {
        while !self.buffer.waiting.is_empty() {
            self.emit();
        }
        self.buffer.conclude(format)
    }
}

impl ReorderBuffer {
    pub(crate) fn new(file: &str, bad_rows: BadRows) -> Self {
        Self {
            file: file.to_owned(),
            bad_rows,
            ..Self::default()
        }
    }

    /// Inserts the next row of the file among those that wait.
    fn insert(&mut self, chain: usize, mut row: Row) {
        row.present.row = self.rows;
        self.rows += 1;
        let own_time = match self.columns.deltas {
            Deltas::Instants => row.delta.map(|instant| instant.as_nanos() as f64),
            _ => row.time,
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
    }

    /// The units of the file, found from the rows that wait when the first one is emitted.
    fn clocks(&mut self) -> Clocks {
        if let Some(clocks) = self.clocks {
            return clocks;
        }
        let rows = self.waiting.iter().map(|one| (one.chain, &one.row));
        let clocks = Clocks::find(&self.columns, rows.clone());
        if let Deltas::Starts | Deltas::Presents | Deltas::BusyAndWait = self.columns.deltas {
            let (.., seconds) = guessed(rows.clone().map(|(_, row)| row));
            if seconds > 0.0 && !USUAL_S.contains(&seconds) {
                self.warnings.push(format!(
                    "{} is read as milliseconds and is about {}; if it has another unit, write milliseconds",
                    self.columns.name(self.columns.delta),
                    1e3 * seconds
                ));
            }
        }
        if self.columns.deltas == Deltas::Guessed {
            let (_, unit, median) = guessed(rows.map(|(_, row)| row));
            let column = self.columns.name(self.columns.delta);
            let is_like_a_rate = unit == "milliseconds" && median >= LIKE_A_RATE;
            if is_like_a_rate {
                self.doubt = Some(format!(
                    "the numbers are about {median:.1} and are read as milliseconds, {:.1} frames a second; if they are frames a second, \
                     write 1000 divided by each",
                    1e3 / median
                ));
            } else if unit != "milliseconds" || self.columns.names.len() > 1 {
                self.warnings.push(format!(
                    "the unit of {column} is guessed: its numbers are about {median} and are read as {unit}"
                ));
            }
        }
        self.clocks = Some(clocks);
        clocks
    }

    /// Removes the earliest waiting row, and measures it.
    fn next(&mut self) -> Option<(usize, Frame)> {
        let clocks = self.clocks();
        let Waiting { chain, time, mut row } = self.waiting.pop_front()?;
        row.delta = row.delta.map(|delta| divided(delta, clocks.per_second));
        self.correct(chain, &clocks, &mut row);
        let progress = &mut self.chains[chain];
        self.late += u64::from(progress.span.is_some_and(|(_, latest)| time < latest));
        let is_instant = self.columns.deltas == Deltas::Instants;
        let delta = if is_instant {
            let before = std::mem::replace(&mut progress.instant, row.delta);
            let since = row.delta.zip(before).map(|(now, before)| now.saturating_sub(before));
            since.filter(|_| !row.present.is_after_pause)
        } else if row.present.is_generated {
            progress.generated = progress.generated.saturating_add(row.delta.unwrap_or_default());
            None
        } else {
            let generated = std::mem::take(&mut progress.generated);
            row.delta.map(|delta| delta.saturating_add(generated))
        };
        let own_delta = row.delta.filter(|_| !is_instant).map(milliseconds);
        let mut present = progress.times.next(&self.columns, &clocks, &row, own_delta);
        progress.add(time, delta);
        if !is_instant {
            let delta = delta.map(milliseconds);
            progress
                .agreement
                .add(&self.columns, &clocks, &row, delta, present.as_ref());
        }
        self.emitted += 1;
        let between_returns = delta.and_then(|delta| progress.between_returns(&self.columns, &row, delta));
        if let Some(present) = &mut present {
            present.frame_time = between_returns.and(delta).map(milliseconds);
            present.is_without_delta = delta.is_none();
        }
        let delta = between_returns.or(delta);
        Some((chain, Frame { delta, present }))
    }

    /// Replaces a delta that is far longer than the time that the clock advanced. A clock that advances further than the delta is no such
    /// case: then rows are missing.
    fn correct(&mut self, chain: usize, clocks: &Clocks, row: &mut Row) {
        let delta = row.delta.map_or(0.0, milliseconds);
        if delta <= LONG || row.present.is_generated || !clocks.is_usual {
            return;
        }
        let (time, quantum) = clocks.time(row);
        let step = match self.columns.deltas {
            Deltas::Presents | Deltas::MangoHud => {
                time.zip(self.chains[chain].times.last()).map(|(now, last)| now - last)
            }
            Deltas::Starts | Deltas::BusyAndWait => {
                let is_next = |next: &&Waiting| next.chain == chain && !next.row.present.is_generated;
                let start = |row: &Row| clocks.start(&self.columns, row, clocks.time(row).0);
                let next = self.waiting.iter().find(is_next).and_then(|next| start(&next.row));
                next.zip(start(row)).map(|(next, now)| next - now)
            }
            _ => None,
        };
        let is_bogus = |step: &f64| *step >= 0.0 && delta > 2.0 * step + LONG + quantum;
        if let Some(step) = step.filter(is_bogus) {
            row.delta = Some(Duration::from_secs_f64(step / 1e3));
            if self.bogus == 0 {
                self.first_bogus = (row.line, delta, step);
            }
            self.bogus += 1;
        }
    }

    /// Warnings about the file, after its last row.
    fn conclude(&mut self, format: Format) -> Result<Vec<String>, TraceError> {
        if format == Format::MangoHud {
            self.chains
                .iter()
                .try_for_each(|chain| chain.refuse_samples(&self.file))?;
        }
        let mut warnings = std::mem::take(&mut self.warnings);
        let late = self.late;
        if late > 0 {
            warnings.push(format!(
                "{late} rows are more than {WINDOW} rows late and are measured out of order; sort the file by time"
            ));
        }
        let clock = self.columns.clock_name().unwrap_or_default();
        if self.bogus > 0 {
            let (rows, (line, delta, step)) = (self.bogus, self.first_bogus);
            let (are, first) = if rows == 1 {
                (" is", "")
            } else {
                ("s are", ", the first")
            };
            warnings.push(format!(
                "{rows} frame time{are} wrong and replaced by the step of {clock}: on line {line}{first}, {} is {delta:.3} ms and the \
                 clock advances by {step:.3} ms",
                self.columns.name(self.columns.delta)
            ));
        }
        let summed: u64 = self.chains.iter().map(|chain| chain.times.summed).sum();
        if summed as f64 > 0.01 * self.emitted as f64 {
            warnings.push(format!(
                "{clock} is written more coarsely than the intervals beside it, or contradicts them: in {summed} of {} rows the times are \
                 sums of intervals",
                self.emitted
            ));
        }
        let chains = self.chains.iter().map(|chain| (&chain.name, &chain.agreement));
        warnings.extend(contradictions(&self.columns, chains));
        if format == Format::Plain {
            let running = self.chains.iter().find_map(Progress::running_clock);
            warnings.extend(running.or_else(|| self.doubt.take()));
        }
        Ok(warnings)
    }
}

/// The fewest numbers of a list that only increases.
const FEWEST_GROWING: u64 = 20;

/// The range of median frame times that need no warning, in seconds.
const USUAL_S: std::ops::Range<f64> = 1e-4..2.0;

/// The smallest median in milliseconds that makes a list of frame times look like one of frame rates.
const LIKE_A_RATE: f64 = 40.0;

fn milliseconds(delta: Duration) -> f64 {
    delta.as_secs_f64() * 1e3
}

/// A duration divided by a number, to the nearest nanosecond.
fn divided(duration: Duration, by: u32) -> Duration {
    match by {
        1 => duration,
        _ => duration.saturating_add(Duration::from_nanos(u64::from(by / 2))) / by,
    }
}

impl Progress {
    fn add(&mut self, time: f64, delta: Option<Duration>) {
        if self.span.is_some() {
            self.later_frames = self.later_frames.saturating_add(delta.unwrap_or_default());
        }
        let (first, latest) = self.span.unwrap_or((time, time));
        self.span = Some((first, latest.max(time)));
        if let Some(delta) = delta {
            let (first, last) = self.deltas.unwrap_or((delta, delta));
            self.growing += u64::from(delta > last);
            self.deltas = Some((first, delta));
        }
        self.rows += 1;
    }

    /// The delta of the program's loop, which goes on when the call to present returns, if only the time between these calls and their
    /// lengths are known.
    fn between_returns(&mut self, columns: &Columns, row: &Row, between_calls: Duration) -> Option<Duration> {
        if columns.deltas != Deltas::Presents || row.present.is_generated {
            return None;
        }
        let took = (row.in_present? * 1e6) as i64;
        let before = self.in_present.replace(took)?;
        let nanos = i64::try_from(between_calls.as_nanos()).ok()?;
        let between = nanos.saturating_add(took).saturating_sub(before);
        Some(Duration::from_nanos(between.max(0).unsigned_abs()))
    }

    /// The warning about a list of frame times whose numbers only increase.
    fn running_clock(&self) -> Option<String> {
        let (first, last) = self.deltas?;
        let is_clock = self.rows >= FEWEST_GROWING && self.growing as f64 >= 0.99 * (self.rows - 1) as f64;
        is_clock.then(|| {
            format!(
                "the numbers grow from {} to {} and are read as frame times in milliseconds; if they are times since the beginning, \
                 write the differences",
                milliseconds(first),
                milliseconds(last)
            )
        })
    }

    /// Refuses a log of samples: the sum of its frame times is much less than the elapsed time.
    fn refuse_samples(&self, file: &str) -> Result<(), TraceError> {
        let elapsed = self.span.map_or(0.0, |(first, last)| last - first) * 1e-9;
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
