//! Whether the columns of a file agree with each other: what they say of the same time is added up, and compared at the end.

use crate::read::chain_name::SwapChainName;
use crate::read::clock::Clocks;
use crate::read::columns::Columns;
use crate::read::present::Present;
use crate::read::row::Row;

/// Two columns agree up to this share of the longer time, and the longest of the intervals: the first and the last row count in
/// one but not in the other.
const TOLERANCE: f64 = 0.05;

/// The fewest intervals that are compared.
const FEWEST: u64 = 10;

/// Of the rows, the share that may lack the time or be displayed before the row before it.
const FEW: f64 = 0.01;

/// What two columns say of the same time, in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    intervals: f64,
    /// The steps of the clock over them.
    steps: f64,
    longest: f64,
    count: u64,
    last: Option<f64>,
}

impl Sums {
    /// Adds the interval that belongs to the step of the clock to this time.
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

    /// By how much the two disagree, as a share of the longer time; 0 if they agree.
    fn disagreement(&self) -> f64 {
        let (apart, most) = (
            (self.intervals - self.steps).abs(),
            self.intervals.max(self.steps.abs()),
        );
        let is_apart = self.count >= FEWEST && apart > TOLERANCE * most + self.longest;
        if is_apart { apart / most } else { 0.0 }
    }
}

/// Whether frame rates agree with the frame times beside them. They may be averages over some frames, so that single rows tell
/// nothing: nearly all must be off in the same direction.
#[derive(Clone, Copy, Debug, Default)]
struct Rates {
    /// Rows whose frame time is shorter and longer than their rate implies.
    off: [u64; 2],
    count: u64,
    /// The frame time of the last row that had both, and the frame time of its rate, in milliseconds.
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

/// What the columns say of a swap chain.
#[derive(Clone, Debug, Default)]
pub(crate) struct Agreement {
    /// The intervals of frames, and the clock.
    frames: Sums,
    /// The interval of the frame before, which ends with this one.
    before: Option<f64>,
    /// What another column says of the same.
    others: Sums,
    rates: Rates,
    /// The times between changes of the display, and the times of display.
    displays: Sums,
    displayed: u64,
    /// Frames that were displayed before the one before them.
    backwards: u64,
    rows: u64,
    /// Rows without a time.
    timeless: u64,
}

impl Agreement {
    /// Takes the next row in the order of time, with its delta and its present.
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
        // A driver's frames are no frames of the program.
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

/// Sentences about columns that contradict each other, with what each of them says. Of several swap chains, the one is named where
/// they are furthest apart.
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
                 twice in it, or a column is wrong",
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
                "{without}{} has a time in {time} that can be read: {timeless} of {rows} have none, and nothing is known of when \
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

/// The sentence about numbers that only grow, in a list of frame times; nothing if they do not.
pub(crate) fn running_clock(growing: u64, frames: u64, first: f64, last: f64) -> Option<String> {
    let is_clock = frames >= 2 * FEWEST && growing as f64 >= 0.99 * (frames - 1) as f64;
    is_clock.then(|| {
        format!(
            "the numbers grow from {first} to {last} and are read as frame times in milliseconds; if they are times since the \
             beginning, write the differences"
        )
    })
}
