//! Checks whether the columns of a file agree: adds up the times that they give for the same frames, and compares the sums at the end.

use crate::read::chain_name::SwapChainName;
use crate::read::clock::Clocks;
use crate::read::columns::Columns;
use crate::read::present::Present;
use crate::read::row::Row;

/// Two columns agree if they differ by at most this share of the longer time plus the longest interval: the first and the last row count
/// in one column but not in the other.
const TOLERANCE: f64 = 0.05;

/// The minimum number of intervals that are compared.
const FEWEST: u64 = 10;

/// The share of rows that may lack a time, or may be displayed before the previous row.
const FEW: f64 = 0.01;

/// The sums of what two columns give for the same intervals, in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    intervals: f64,
    /// The sum of the clock's steps over these intervals.
    steps: f64,
    longest: f64,
    count: u64,
    last: Option<f64>,
}

impl Sums {
    /// Adds an interval, and the step of the clock from the last time to `time`.
    fn add(&mut self, time: Option<f64>, interval: Option<f64>) {
        let before = self.last;
        self.last = time.or(before);
        if let (Some(time), Some(before), Some(interval)) = (time, before, interval) {
            self.intervals += interval;
            self.steps += time - before;
            self.longest = self.longest.max(interval);
            self.count += 1;
        }
    }

    /// The difference of the two sums as a share of the longer one; 0 if they agree.
    fn disagreement(&self) -> f64 {
        let (apart, most) = (
            (self.intervals - self.steps).abs(),
            self.intervals.max(self.steps.abs()),
        );
        let is_apart = self.count >= FEWEST && apart > TOLERANCE * most + self.longest;
        if is_apart { apart / most } else { 0.0 }
    }
}

/// Whether frame rates agree with the frame times in the same rows. Rates may be averages over some frames, so a single row proves
/// nothing: nearly all rows must be off in the same direction.
#[derive(Clone, Copy, Debug, Default)]
struct Rates {
    /// The number of rows whose frame time is shorter than their rate implies, and the number whose frame time is longer.
    off: [u64; 2],
    count: u64,
    /// The frame time of the last row that disagreed, and the frame time that its rate implies, in milliseconds.
    example: (f64, f64),
}

impl Rates {
    fn add(&mut self, delta: f64, by_rate: f64) {
        const SAME: std::ops::Range<f64> = 0.8..1.25;
        self.count += 1;
        let ratio = delta / by_rate;
        if !SAME.contains(&ratio) {
            self.off[usize::from(ratio > 1.0)] += 1;
            self.example = (delta, by_rate);
        }
    }

    fn off(&self) -> Option<u64> {
        let off = self.off[0].max(self.off[1]);
        (self.count >= FEWEST && off as f64 >= 0.9 * self.count as f64).then_some(off)
    }
}

/// How the columns agree for one swap chain.
#[derive(Clone, Debug, Default)]
pub(crate) struct Agreement {
    /// The frame intervals, and the clock's steps.
    frames: Sums,
    /// The interval of the previous frame, which ends when this frame begins.
    before: Option<f64>,
    /// The intervals of another column for the same frames, and the clock's steps.
    others: Sums,
    rates: Rates,
    /// The times between changes of the display, and the differences of the display times.
    displays: Sums,
    displayed: u64,
    /// Frames that were displayed before the previous frame.
    backwards: u64,
    rows: u64,
    /// Rows without a time.
    timeless: u64,
}

impl Agreement {
    /// Adds the next row in the order of time, with its delta and its present.
    pub(crate) fn add(
        &mut self,
        columns: &Columns,
        clocks: &Clocks,
        row: &Row,
        delta: Option<f64>,
        present: Option<&Present>,
    ) {
        self.rows += 1;
        let time = clocks.time(row);
        self.timeless += u64::from(time.is_none());
        if columns.is_other_a_rate {
            if let Some((delta, by_rate)) = delta.zip(row.other.get()) {
                self.rates.add(delta, by_rate);
            }
        } else {
            self.others.add(time, row.other.get());
        }
        // Frames that a driver generated are not frames of the program.
        if !row.is_generated {
            let (clock, interval) = match columns.looks_back() {
                true => (time, delta),
                false => (clocks.start(row).or(time), std::mem::replace(&mut self.before, delta)),
            };
            self.frames.add(clock, interval);
        }
        if let Some(displayed) = present.and_then(|present| present.displayed) {
            self.displayed += 1;
            self.backwards += u64::from(self.displays.last.is_some_and(|before| displayed < before));
            self.displays.add(Some(displayed), row.between_displays.get());
        }
    }
}

/// Warnings about columns that contradict each other, with the figures of each column. Of several swap chains, the warning names the one
/// with the largest disagreement.
pub(crate) fn contradictions<'a>(
    columns: &Columns,
    chains: impl Iterator<Item = (&'a SwapChainName, &'a Agreement)> + Clone,
) -> Vec<String> {
    let mut found = Vec::new();
    let Some(clock) = columns.time else { return found };
    let time = columns.name(clock.index);
    let is_one = chains.clone().count() == 1;
    let of = |name: &SwapChainName| if is_one { String::new() } else { format!(" of {name}") };
    let start = columns.present.cpu_start.filter(|_| !columns.looks_back());
    let start = start.map_or_else(|| time.clone(), |start| columns.name(start.index));
    let frames = columns.plus.map_or_else(
        || columns.name(columns.delta),
        |plus| format!("{} and {}", columns.name(columns.delta), columns.name(plus)),
    );
    let mut compare = |intervals: String, steps: &str, sums: fn(&Agreement) -> &Sums| {
        let sums = chains.clone().map(|(name, agreement)| (name, sums(agreement)));
        let worst = sums.max_by(|(_, one), (_, other)| one.disagreement().total_cmp(&other.disagreement()));
        if let Some((name, sums)) = worst.filter(|(_, sums)| sums.disagreement() > 0.0) {
            found.push(format!(
                "the file contradicts itself: {} frames{} take {:.3} s by {intervals} and {:.3} s by {steps}; rows are missing or \
                 duplicated, or a column is wrong",
                sums.count,
                of(name),
                sums.intervals / 1e3,
                sums.steps / 1e3
            ));
        }
    };
    compare(frames, &start, |of| &of.frames);
    if let Some(other) = columns.other.filter(|_| !columns.is_other_a_rate) {
        compare(columns.name(other), &time, |of| &of.others);
    }
    if let Some(between) = columns.present.between_displays {
        compare(columns.name(between), "the times of display", |of| &of.displays);
    }
    let is_much = |few: u64, of: u64| few as f64 > FEW * of as f64;
    for (name, agreement) in chains {
        if let Some(off) = agreement.rates.off() {
            let ((delta, by_rate), count) = (agreement.rates.example, agreement.rates.count);
            found.push(format!(
                "the file contradicts itself: {} and {} do not agree in {off} of {count} rows, as {delta:.3} ms at {:.1} frames a \
                 second",
                columns.name(columns.delta),
                columns.other.map_or_else(String::new, |other| columns.name(other)),
                1e3 / by_rate
            ));
        }
        let Agreement {
            displayed,
            backwards,
            rows,
            timeless,
            ..
        } = agreement;
        if is_much(*timeless, *rows) {
            let without = if timeless == rows { "no row" } else { "not every row" };
            found.push(format!(
                "{without}{} has a time in {time} that can be read: {timeless} of {rows} have none, so it is unknown when \
                 they were presented and displayed",
                of(name)
            ));
        }
        if is_much(*backwards, *displayed) {
            found.push(format!(
                "the file contradicts itself: {backwards} of {displayed} frames{} were displayed before the frame that was \
                 presented before them",
                of(name)
            ));
        }
    }
    found
}

/// The warning about a list of frame times whose numbers only increase; `None` if they do not.
pub(crate) fn running_clock(growing: u64, frames: u64, first: f64, last: f64) -> Option<String> {
    let is_clock = frames >= 2 * FEWEST && growing as f64 >= 0.99 * (frames - 1) as f64;
    is_clock.then(|| {
        format!(
            "the numbers grow from {first} to {last} and are read as frame times in milliseconds; if they are times since the \
             beginning, write the differences"
        )
    })
}
