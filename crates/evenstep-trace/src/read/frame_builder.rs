//! Makes frames of the rows of a file: sorts them, finds their units, and turns times into deltas and presents.

use std::collections::HashMap;
use std::time::Duration;

use crate::error::{BadRows, RowProblem, TraceError};
use crate::read::agreement::contradictions;
use crate::read::chain_name::SwapChainName;
use crate::read::chain_progress::{ChainProgress, milliseconds};
use crate::read::clock::{Clocks, guessed};
use crate::read::columns::{Columns, Deltas};
use crate::read::format::Format;
use crate::read::reorder_buffer::{ReorderBuffer, WINDOW, Waiting};
use crate::read::row::Row;
use crate::read::sink::{Frame, Sink};

/// Makes frames of rows.
#[derive(Clone, Default)]
pub(crate) struct FrameBuilder {
    file: String,
    bad_rows: BadRows,
    columns: Columns,
    clocks: Option<Clocks>,
    buffer: ReorderBuffer,
    chains: Vec<ChainProgress>,
    chain_indices: HashMap<SwapChainName, usize>,
    /// The swap chain of the last row, which is usually also the next row's.
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

/// Takes the rows of a file, and passes their frames to a sink.
pub(crate) struct Rows<'a> {
    pub(crate) builder: &'a mut FrameBuilder,
    pub(crate) sink: &'a mut dyn Sink,
}

/// A delta is compared with the step of the clock alone if it is longer than this, in milliseconds: then a wrong one would be a hitch.
const LONG: f64 = 100.0;

impl Rows<'_> {
    /// Sets the columns, before the first row.
    pub(crate) fn begin(&mut self, columns: Columns) {
        self.builder.columns = columns;
    }

    pub(crate) fn file(&self) -> &str {
        &self.builder.file
    }

    pub(crate) fn columns(&self) -> &Columns {
        &self.builder.columns
    }

    /// Adds a warning about the file.
    pub(crate) fn warn(&mut self, warning: String) {
        self.builder.warnings.push(warning);
    }

    /// Adds the next row of the file, with its application, process and swap chain.
    pub(crate) fn push(&mut self, names: [&[u8]; 3], row: Row) {
        let chain = self.chain_index(names);
        self.push_to(chain, row);
    }

    /// Adds the next row of the file, which belongs to the swap chain with this index.
    pub(crate) fn push_to(&mut self, chain: usize, row: Row) {
        self.builder.add(chain, row);
        if self.builder.buffer.is_full() {
            self.emit();
        }
    }

    /// Emits the frame of the earliest waiting row; false if none waits.
    fn emit(&mut self) -> bool {
        let next = self.builder.next();
        if let Some((chain, frame)) = &next {
            self.sink.frame(*chain, frame);
        }
        next.is_some()
    }

    /// Handles a row that cannot be read: returns an error, or skips the row under [`BadRows::Skip`].
    pub(crate) fn refuse(&mut self, line: u64, field: &str, reason: String) -> Result<(), TraceError> {
        let problem = RowProblem {
            file: self.builder.file.clone(),
            line,
            field: field.to_owned(),
            reason,
        };
        match self.builder.bad_rows {
            BadRows::Fail => Err(TraceError::Row(problem)),
            BadRows::Skip => {
                self.sink.skipped(&problem);
                self.builder.rows += 1;
                Ok(())
            }
        }
    }

    /// The index of the swap chain with these names; it is added if it is new.
    pub(crate) fn chain_index(&mut self, names: [&[u8]; 3]) -> usize {
        let is_it = |chain: &ChainProgress| {
            let own = [&chain.name.application, &chain.name.process, &chain.name.swap_chain];
            own.into_iter().zip(names).all(|(own, name)| own.as_bytes() == name)
        };
        let builder = &mut *self.builder;
        if builder.chains.get(builder.last).is_some_and(is_it) {
            return builder.last;
        }
        // If a few chains alternate, a linear search is faster than hashing names.
        let few = &builder.chains[..builder.chains.len().min(8)];
        let last = few.iter().position(is_it);
        self.builder.last = last.unwrap_or_else(|| self.chain_index_by_name(names));
        self.builder.last
    }

    fn chain_index_by_name(&mut self, names: [&[u8]; 3]) -> usize {
        let [application, process, swap_chain] = names.map(String::from_utf8_lossy);
        let name = SwapChainName::new(&application, &process, &swap_chain);
        let FrameBuilder {
            chains, chain_indices, ..
        } = &mut *self.builder;
        if let Some(chain_index) = chain_indices.get(&name) {
            return *chain_index;
        }
        self.sink.chain(&name);
        chain_indices.insert(name.clone(), chains.len());
        chains.push(ChainProgress {
            name,
            ..ChainProgress::default()
        });
        chains.len() - 1
    }

    /// Emits the remaining rows. Returns warnings about the file.
    pub(crate) fn finish(mut self, format: Format) -> Result<Vec<String>, TraceError> {
        while self.emit() {}
        self.builder.conclude(format)
    }
}

impl FrameBuilder {
    pub(crate) fn new(file: &str, bad_rows: BadRows) -> Self {
        Self {
            file: file.to_owned(),
            bad_rows,
            ..Self::default()
        }
    }

    /// Numbers the next row of the file, and adds it to the waiting rows.
    fn add(&mut self, chain: usize, mut row: Row) {
        row.present.row = self.rows;
        self.rows += 1;
        let time = match self.columns.deltas {
            Deltas::Instants => row.delta.map(|instant| instant.as_nanos() as f64),
            _ => row.time,
        };
        self.buffer.push(chain, time, row);
    }

    /// The units of the file, found from the rows that wait when the first one is emitted.
    fn clocks(&mut self) -> Clocks {
        if let Some(clocks) = self.clocks {
            return clocks;
        }
        let rows = self.buffer.waiting().map(|one| (one.chain, &one.row));
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
        self.buffer.waiting().next()?;
        let clocks = self.clocks();
        let Waiting { chain, time, mut row } = self.buffer.pop()?;
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
                time.zip(self.chains[chain].times.last).map(|(now, last)| now - last)
            }
            Deltas::Starts | Deltas::BusyAndWait => {
                let is_next = |next: &&Waiting| next.chain == chain && !next.row.present.is_generated;
                let start = |row: &Row| clocks.start(&self.columns, row, clocks.time(row).0);
                let next = self.buffer.waiting().find(is_next).and_then(|next| start(&next.row));
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
            let (are, first) = match rows {
                1 => (" is", ""),
                _ => ("s are", ", the first"),
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
        let back: u64 = self.chains.iter().map(|chain| chain.times.went_back).sum();
        if back > 0 {
            warnings.push(format!(
                "{back} of {} rows state a time on the screen before that of an earlier frame, which cannot be, and count as never \
                 displayed",
                self.emitted
            ));
        }
        let chains = self.chains.iter().map(|chain| (&chain.name, &chain.agreement));
        warnings.extend(contradictions(&self.columns, chains));
        if format == Format::Plain {
            let running = self.chains.iter().find_map(ChainProgress::running_clock);
            warnings.extend(running.or_else(|| self.doubt.take()));
        }
        Ok(warnings)
    }
}

/// The range of median frame times that need no warning, in seconds.
const USUAL_S: std::ops::Range<f64> = 1e-4..2.0;

/// The smallest median in milliseconds that makes a list of frame times look like one of frame rates.
const LIKE_A_RATE: f64 = 40.0;

/// A duration divided by a number, to the nearest nanosecond.
fn divided(duration: Duration, by: u32) -> Duration {
    match by {
        1 => duration,
        _ => duration.saturating_add(Duration::from_nanos(u64::from(by / 2))) / by,
    }
}
