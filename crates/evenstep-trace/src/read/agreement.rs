//! Checks whether the columns of a file agree: compares the times that they give for the same frames, row by row and in sum.

use crate::read::chain_name::SwapChainName;
use crate::read::clock::Clocks;
use crate::read::columns::{Column, Columns, Deltas};
use crate::read::present::Present;
use crate::read::row::Row;

/// The sums of two columns agree if they differ by at most this share of the longer time plus the longest interval: the first and the
/// last row count in one column but not in the other.
const TOLERANCE: f64 = 0.05;

/// The values of two columns in a row agree if they differ by at most this share and this time in milliseconds.
const ROW_TOLERANCE: f64 = 0.1;
const ROW_TOLERANCE_MS: f64 = 1.0;

/// The minimum number of intervals that are compared.
const MIN_INTERVALS: u64 = 10;

/// The share of rows that may disagree or lack a time.
const FEW: f64 = 0.01;

/// Compares the intervals of a column with the steps of a clock, in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
struct Comparison {
    intervals: f64,
    /// The sum of the clock's steps over these intervals.
    steps: f64,
    longest: f64,
    count: u64,
    last: Option<f64>,
    /// Rows whose interval and step differ.
    off: u64,
    /// The line of the first of them, its interval and its step.
    first_off: (u64, f64, f64),
}

impl Comparison {
    /// Adds an interval, and the step of the clock from the last time to `time`, which is written in steps of `quantum`.
    fn add(&mut self, line: u64, time: Option<f64>, interval: Option<f64>, quantum: f64) {
        let before = self.last;
        self.last = time.or(before);
        let step = time.zip(before).map(|(time, before)| time - before);
        if let Some((interval, step)) = interval.zip(step) {
            self.intervals += interval;
            self.steps += step;
            self.longest = self.longest.max(interval);
            self.count += 1;
            if (interval - step).abs() > ROW_TOLERANCE * interval.max(step) + ROW_TOLERANCE_MS + quantum {
                if self.off == 0 {
                    self.first_off = (line, interval, step);
                }
                self.off += 1;
            }
        }
    }

    /// The difference of the two sums as a share of the longer one; 0 if they agree.
    fn disagreement(&self) -> f64 {
        let most = self.intervals.max(self.steps.abs());
        let apart = (self.intervals - self.steps).abs();
        let is_apart = self.count >= MIN_INTERVALS && apart > TOLERANCE * most + self.longest;
        if is_apart { apart / most } else { 0.0 }
    }

    fn report(&self, of: &str, interval: &str, clock: &str) -> Option<String> {
        let (count, off) = (self.count, self.off);
        if self.disagreement() > 0.0 {
            return Some(format!(
                "the file contradicts itself: {count} frames{of} take {:.3} s by {interval} and {:.3} s by {clock}; rows are missing or \
                 duplicated, or a column is wrong",
                self.intervals / 1e3,
                self.steps / 1e3
            ));
        }
        let (line, one, other) = self.first_off;
        (count >= MIN_INTERVALS && off as f64 > FEW * count as f64).then(|| {
            format!(
                "the file contradicts itself in {off} of {count} rows{of}: on line {line}, the first, {interval} is {one:.3} ms and {clock} \
                 advances by {other:.3} ms"
            )
        })
    }
}

/// How the columns agree for one swap chain.
#[derive(Clone, Debug, Default)]
pub(crate) struct Agreement {
    /// The deltas, and the clock's steps.
    frames: Comparison,
    /// The delta of the previous frame, which ends when this frame begins, and its line.
    before: (u64, Option<f64>),
    /// The times between presents where they are not the deltas, and the clock's steps.
    presents: Comparison,
    /// The times between changes of the display, and the differences of the display times.
    displays: Comparison,
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
        let (time, quantum) = clocks.time(row);
        let quantum = if quantum.is_finite() { quantum } else { 0.0 };
        self.timeless += u64::from(time.is_none());
        // Frames that a driver generated are not frames of the program.
        if !row.present.is_generated {
            let (clock, line, interval) = match columns.looks_back() {
                true => (time, row.line, delta),
                false => {
                    let (line, before) = std::mem::replace(&mut self.before, (row.line, delta));
                    (clocks.start(columns, row, time).or(time), line, before)
                }
            };
            self.frames.add(line, clock, interval, quantum);
        }
        if !columns.looks_back() {
            self.presents.add(row.line, time, row.between_presents, quantum);
        }
        if let Some(displayed) = present.and_then(|present| present.displayed) {
            self.displays
                .add(row.line, Some(displayed), row.between_displays, quantum);
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
    let Some(time) = columns.clock_name() else { return found };
    let is_one = chains.clone().count() == 1;
    let of = |name: &SwapChainName| if is_one { String::new() } else { format!(" of {name}") };
    let name = |column| columns.at(column).map(|at| columns.name(at));
    let start = name(Column::Started).filter(|_| !columns.looks_back());
    let deltas = columns.name(columns.delta);
    let is_sum = columns.deltas == Deltas::BusyAndWait;
    let frames = match name(Column::CpuWait).filter(|_| is_sum) {
        Some(wait) => format!("{deltas} and {wait}"),
        None => deltas.clone(),
    };
    let mut compare = |intervals: &str, clock: &str, of_chain: fn(&Agreement) -> &Comparison| {
        let compared = chains.clone().map(|(name, agreement)| (name, of_chain(agreement)));
        let worst = compared.max_by(|(_, one), (_, other)| {
            let by_sum = one.disagreement().total_cmp(&other.disagreement());
            by_sum.then(one.off.cmp(&other.off))
        });
        found.extend(worst.and_then(|(name, worst)| worst.report(&of(name), intervals, clock)));
    };
    compare(&frames, start.as_ref().unwrap_or(&time), |of| &of.frames);
    if let Some(between) = name(Column::BetweenPresents) {
        compare(&between, &time, |of| &of.presents);
    }
    if let Some(between) = name(Column::BetweenDisplays) {
        compare(&between, "the times of display", |of| &of.displays);
    }
    for (chain, Agreement { rows, timeless, .. }) in chains {
        if *timeless as f64 > FEW * *rows as f64 {
            let without = if timeless == rows { "no row" } else { "not every row" };
            found.push(format!(
                "{without}{} has a time in {time} that can be read: {timeless} of {rows} have none, so it is unknown when \
                 they were presented and displayed",
                of(chain)
            ));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Intervals and the clock's steps over them, by their sums.
    fn sums(intervals: f64, steps: f64, longest: f64, count: u64) -> f64 {
        let sums = Comparison {
            intervals,
            steps,
            longest,
            count,
            ..Comparison::default()
        };
        sums.disagreement()
    }

    #[test]
    fn sums_of_ten_intervals_disagree_beyond_a_twentieth_of_the_longer_one_and_the_longest_interval() {
        for (intervals, steps) in [(100.0, 80.0), (80.0, 100.0)] {
            assert_eq!(sums(intervals, steps, 15.0, 10), 0.0);
            assert_eq!(sums(intervals, steps, 14.9, 10), 0.2);
            assert_eq!(sums(intervals, steps, 14.9, 9), 0.0);
        }
        assert_eq!(sums(100.0, -100.0, 15.0, 10), 2.0);
    }

    #[test]
    fn a_row_is_off_beyond_a_tenth_of_the_longer_time_and_a_millisecond_and_the_quantum_of_the_clock() {
        for (interval, step, quantum, off) in [
            (20.0, 23.25, 0.0, 0),
            (20.0, 23.5, 0.0, 1),
            (23.25, 20.0, 0.0, 0),
            (23.5, 20.0, 0.0, 1),
            (20.0, 23.5, 0.25, 0),
            (20.0, 23.75, 0.25, 1),
        ] {
            let mut compared = Comparison::default();
            compared.add(2, Some(5.0), Some(interval), quantum);
            compared.add(3, Some(5.0 + step), Some(interval), quantum);
            assert_eq!(
                (compared.count, compared.off, compared.first_off),
                (1, off, if off == 0 { (0, 0.0, 0.0) } else { (3, interval, step) }),
                "{interval} and {step} ms"
            );
            compared.add(4, None, Some(interval), quantum);
            compared.add(5, Some(5.0 + 2.0 * step), Some(interval), quantum);
            assert_eq!((compared.count, compared.off), (2, 2 * off));
            assert_eq!((compared.intervals, compared.steps), (2.0 * interval, 2.0 * step));
        }
    }

    #[test]
    fn rows_that_are_off_are_reported_from_ten_rows_on_if_they_are_more_than_one_of_a_hundred() {
        for (count, off, is_reported) in [
            (9, 9, false),
            (10, 1, true),
            (10, 0, false),
            (100, 1, false),
            (100, 2, true),
        ] {
            let compared = Comparison {
                count,
                off,
                ..Comparison::default()
            };
            let report = compared.report("", "a", "b");
            assert_eq!(report.is_some(), is_reported, "{off} of {count}: {report:?}");
        }
    }
}
