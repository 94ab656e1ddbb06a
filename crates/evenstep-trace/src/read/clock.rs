//! Finds the units of a file's clocks, and puts its presents on one clock in milliseconds. The clock aligns, the intervals measure: where
//! a clock is written more coarsely than the intervals beside it, or contradicts them, the intervals are added up.

use std::collections::BTreeMap;

use crate::read::columns::{Columns, Deltas, Unit};
use crate::read::number::power_of_ten;
use crate::read::present::Present;
use crate::read::row::Row;

/// The maximum number of rows of a swap chain from which the units are found.
const MAX_ROWS: usize = 1000;

/// Ticks per millisecond of the counters that Windows may read: the 10 MHz of every version since 10, the ACPI timer, the HPET, and the
/// counters of ARM processors. Some versions of PresentMon write seconds or milliseconds in their place.
const COUNTERS: [f64; 7] = [10_000.0, 3_579.545, 14_318.18, 19_200.0, 24_000.0, 1.0, 1e-3];

/// A counter has a known frequency if its steps differ from it by at most this share.
const SAME: f64 = 0.01;

/// Rows may be missing from a file, so that its clock advances further than the sum of the intervals: by at most this factor.
const MAX_MISSING: f64 = 20.0;

/// A step in milliseconds in which a clock may be written without being coarse.
const FINE: f64 = 0.02;

/// A clock is coarse if its quantum is this many times the quantum of the intervals in the same row.
const COARSER: f64 = 5.0;

/// If the times on the screen of so many rows in sequence are before an earlier one, that one was wrong.
const MAX_GOING_BACK: u64 = 3;

/// The clock of a file, and the unit of its frame times if their column may have several.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clocks {
    per_millisecond: f64,
    /// The time that counts as zero, in clock units. It is subtracted before rounding.
    origin: f64,
    /// Whether the steps of the clock have nothing to do with the intervals in the same rows.
    is_wrong: bool,
    /// Whether most steps are about as long as the intervals in the same rows, so that the clock shows which deltas are wrong.
    pub(crate) is_usual: bool,
    /// By what the deltas, read as seconds, are divided.
    pub(crate) per_second: u32,
}

impl Clocks {
    /// Finds the units from rows in the order of their times, each with the index of its swap chain.
    pub(crate) fn find<'r>(columns: &Columns, rows: impl Iterator<Item = (usize, &'r Row)> + Clone) -> Self {
        let mut chains: BTreeMap<usize, Vec<&Row>> = BTreeMap::new();
        for (chain, row) in rows.clone() {
            let rows = chains.entry(chain).or_default();
            if rows.len() < MAX_ROWS {
                rows.push(row);
            }
        }
        let per_second = match columns.deltas {
            Deltas::Guessed => guessed(chains.values().flatten().copied()).0,
            Deltas::MangoHud => mangohuds(chains.values().flatten().copied()),
            _ => 1,
        };
        let mut evidence = Evidence::default();
        for chain in chains.values() {
            evidence.add(columns, per_second, chain);
        }
        let origin = rows.filter_map(|(_, row)| row.time).fold(f64::INFINITY, f64::min);
        let unit = match columns.deltas {
            Deltas::Instants => Some(Unit::OneOf(&[1.0])),
            Deltas::MangoHud => Some(Unit::OneOf(&[1e6])),
            _ => columns.unit,
        };
        evidence.clocks(unit, origin, per_second)
    }

    fn milliseconds(&self, time: f64) -> f64 {
        (time - self.origin) / self.per_millisecond
    }

    /// The step in which a time is written, in milliseconds, if that is coarser than the interval in the row; else 0.
    fn coarseness(&self, row: &Row) -> f64 {
        if self.is_wrong {
            return f64::INFINITY;
        }
        if f64::from(row.quantum) <= FINE * self.per_millisecond {
            return 0.0;
        }
        let quantum = power_of_ten(row.quantum) / self.per_millisecond;
        let interval_quantum = power_of_ten(row.interval_quantum) / f64::from(self.per_second);
        let is_coarse = quantum > FINE && quantum > COARSER * interval_quantum;
        if is_coarse { quantum } else { 0.0 }
    }

    /// The time of a row in milliseconds, as the file's clock has it, and the step in which it is written.
    pub(crate) fn time(&self, row: &Row) -> (Option<f64>, f64) {
        let time = row.time.map(|time| self.milliseconds(time));
        (time, self.coarseness(row))
    }

    /// When the program began to work on a frame that was presented, or begun, at a time.
    pub(crate) fn start(&self, columns: &Columns, row: &Row, time: Option<f64>) -> Option<f64> {
        if !columns.has_presents {
            return time;
        }
        let busy = time.zip(row.present.cpu_busy).map(|(time, busy)| time - busy);
        busy.or_else(|| row.start.map(|start| self.milliseconds(start)))
    }
}

/// The times of a swap chain, row by row.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Times {
    /// The time of the last row in milliseconds.
    pub(crate) last: Option<f64>,
    /// The time from the last start to the next one.
    until_next: Option<f64>,
    /// When the call that presented the program's last frame returned.
    returned: Option<f64>,
    /// When the last displayed frame was displayed.
    displayed: Option<f64>,
    /// Rows in sequence whose time on the screen is before that of an earlier row, and their number in all.
    going_back: u64,
    pub(crate) went_back: u64,
    /// Rows whose times are sums of intervals.
    pub(crate) summed: u64,
}

impl Times {
    /// The present of the next row, whose delta in milliseconds is `delta`; none if the row has no time.
    pub(crate) fn next(
        &mut self,
        columns: &Columns,
        clocks: &Clocks,
        row: &Row,
        delta: Option<f64>,
    ) -> Option<Present> {
        let (time, step) = clocks.time(row);
        let since_last = match columns.deltas {
            Deltas::Presents => delta,
            _ if columns.has_presents => row.between_presents,
            _ => self.until_next,
        };
        let time = time.map(|time| align(time, self.last, since_last, step));
        self.summed += u64::from(time.is_some() && step > 0.0);
        self.last = time.or(self.last);
        if !row.present.is_generated {
            self.until_next = delta.filter(|_| !columns.looks_back());
        }
        let stated = clocks.start(columns, row, time);
        let start = stated.or_else(|| self.returned.filter(|_| !row.present.is_generated));
        let presented = match columns.has_presents {
            true => time?,
            false => start? + row.present.cpu_busy?,
        };
        let displayed = match (row.until_displayed, row.display_latency) {
            (Some(until), _) => Some(presented + until),
            (None, Some(latency)) => start.map(|start| start + latency),
            // Of a time that was left out, or where there is none.
            (None, None) => self
                .displayed
                .zip(row.between_displays)
                .map(|(last, since)| last + since),
        };
        let displayed = displayed.filter(|at| self.goes_on(*at));
        self.displayed = displayed.or(self.displayed);
        if !row.present.is_generated {
            self.returned = row.in_present.map(|waited| presented + waited);
        }
        Some(Present {
            started: start,
            presented,
            displayed,
            simulated: row.present.simulated.or(start),
            ..row.present
        })
    }

    /// Whether a time on the screen is not before that of the last displayed frame: a display never goes back. If it seems to for
    /// several rows, the earlier time was the wrong one.
    fn goes_on(&mut self, at: f64) -> bool {
        let is_back = self.displayed.is_some_and(|last| at < last) && self.going_back < MAX_GOING_BACK;
        self.going_back = if is_back { self.going_back + 1 } else { 0 };
        self.went_back += u64::from(is_back);
        !is_back
    }
}

/// The time of a row: the last one and the interval since, if the clock, written in steps of `step`, allows it. A larger difference means
/// that rows are missing.
fn align(clock: f64, last: Option<f64>, interval: Option<f64>, step: f64) -> f64 {
    match last.zip(interval).map(|(last, interval)| last + interval) {
        Some(sum) if step > 0.0 && (sum - clock).abs() <= step => sum,
        _ => clock,
    }
}

/// The steps of a clock, and the intervals between the same rows in milliseconds.
#[derive(Clone, Debug, Default)]
struct Evidence {
    /// Steps per interval, and the interval.
    ratios: Vec<(f64, f64)>,
    /// Steps per frame time.
    frames: Vec<f64>,
    steps: f64,
    intervals: f64,
}

impl Evidence {
    fn add(&mut self, columns: &Columns, per_second: u32, chain: &[&Row]) {
        let delta = |row: &Row| {
            let delta = row.delta.filter(|_| columns.deltas != Deltas::Instants)?;
            Some(delta.as_secs_f64() * 1e3 / f64::from(per_second))
        };
        // Frames that a driver generated have no start times.
        let mut rows = chain
            .iter()
            .filter(|row| columns.has_presents || !row.present.is_generated);
        let Some(mut before) = rows.next() else { return };
        for row in rows {
            let last = std::mem::replace(&mut before, row);
            let interval = match columns.looks_back() {
                true => delta(row),
                // Starts and presents have the same spacing in the long run.
                false => row.between_presents.filter(|_| columns.has_presents).or(delta(last)),
            };
            let step = row.time.zip(last.time).map(|(time, last)| time - last);
            if let Some((step, interval)) = step.zip(interval.or(row.between_displays)) {
                let frame = delta(if columns.looks_back() { row } else { last });
                self.frames.extend(frame.map(|frame| step / frame));
                self.steps += step;
                self.intervals += interval;
                if step > 0.0 && interval > 0.0 {
                    self.ratios.push((step / interval, interval));
                }
            }
        }
        self.ratios.sort_by(|one, other| one.0.total_cmp(&other.0));
    }

    fn clocks(&self, unit: Option<Unit>, origin: f64, per_second: u32) -> Clocks {
        let per_millisecond = match unit {
            None | Some(Unit::Usual) => 1.0,
            Some(Unit::OneOf(units)) => self.nearest(units),
            Some(Unit::Ticks) => self.frequency(),
        };
        let ratio = self.steps / self.intervals / per_millisecond;
        let of_a_frame = median(self.frames.clone()).map(|ratio| ratio / per_millisecond);
        Clocks {
            per_millisecond,
            origin,
            is_wrong: ratio.max(1.0 / ratio) > MAX_MISSING,
            is_usual: of_a_frame.is_some_and(|ratio| (0.5..2.0).contains(&ratio)),
            per_second,
        }
    }

    /// The unit whose ratio to the measured one is closest to 1; the first if nothing was measured: then all are equally far.
    fn nearest(&self, units: &[f64]) -> f64 {
        let measured = self.steps / self.intervals;
        let far = |unit: &&f64| (measured / **unit).ln().abs();
        let nearest = units.iter().min_by(|one, other| far(one).total_cmp(&far(other)));
        nearest.copied().unwrap_or(1.0)
    }

    /// The ticks per millisecond of a counter: a known frequency, or the measured one.
    fn frequency(&self) -> f64 {
        let Some((median, _)) = self.ratios.get(self.ratios.len() / 2).copied() else {
            return COUNTERS[0];
        };
        let is_near = |ratio: f64, unit: f64| (ratio / unit - 1.0).abs() < SAME;
        if let Some(known) = COUNTERS.into_iter().find(|known| is_near(median, *known)) {
            return known;
        }
        let near = self.ratios.iter().filter(|(ratio, _)| is_near(*ratio, median));
        let (steps, intervals) = near.fold((0.0, 0.0), |(steps, sum), (ratio, interval)| {
            (steps + ratio * interval, sum + interval)
        });
        steps / intervals
    }
}

/// The divisor of frame times without a unit, read as seconds, and its name: the unit in which their median is a frame time.
pub(crate) fn guessed<'r>(rows: impl Iterator<Item = &'r Row>) -> (u32, &'static str, f64) {
    let median = median(rows.filter_map(|row| Some(row.delta?.as_secs_f64())).collect()).unwrap_or_default();
    match median {
        0.0 => (1000, "milliseconds", median),
        ..0.1 => (1, "seconds", median),
        ..2e3 => (1000, "milliseconds", median),
        ..2e6 => (1_000_000, "microseconds", median),
        _ => (1_000_000_000, "nanoseconds", median),
    }
}

/// The divisor of MangoHud's frame times, read as seconds: versions to 0.6.8 write whole microseconds, later ones milliseconds with
/// decimals. The clock does not tell: in a log of samples it advances further than the frames.
fn mangohuds<'r>(rows: impl Iterator<Item = &'r Row> + Clone) -> u32 {
    /// Frames of 100 ms and more are not all whole milliseconds, and no frame is shorter than 100 µs.
    const WHOLE: f64 = 100.0;
    let is_whole = rows
        .clone()
        .filter_map(|row| row.delta)
        .all(|delta| delta.subsec_nanos() == 0);
    match is_whole && guessed(rows).2 >= WHOLE {
        true => 1_000_000,
        false => 1000,
    }
}

fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(steps: f64, intervals: f64) -> Evidence {
        Evidence {
            steps,
            intervals,
            ..Evidence::default()
        }
    }

    #[test]
    fn a_clock_is_wrong_beyond_twenty_times_the_intervals_or_a_twentieth() {
        for (steps, is_wrong) in [(20.0, false), (20.1, true), (0.05, false), (0.049, true), (0.0, true)] {
            let clocks = measured(steps, 1.0).clocks(None, 0.0, 1);
            assert_eq!(clocks.is_wrong, is_wrong, "{steps}");
        }
    }

    #[test]
    fn the_unit_is_the_nearest_by_its_ratio_and_the_first_if_nothing_was_measured() {
        let units = [1.0, 1e3, 1e6];
        for (steps, intervals, unit) in [
            (31.0, 1.0, 1.0),
            (32.0, 1.0, 1e3),
            (1e9, 1.0, 1e6),
            (0.0, 0.0, 1.0),
            (7.0, 0.0, 1.0),
            (0.0, 7.0, 1.0),
            (-1e3, 1.0, 1.0),
        ] {
            assert_eq!(
                measured(steps, intervals).nearest(&units),
                unit,
                "{steps} in {intervals} ms"
            );
        }
    }
}
