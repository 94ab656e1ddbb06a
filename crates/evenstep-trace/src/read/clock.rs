//! Finds the units of a file's clocks, and converts presents to one clock in milliseconds.

use std::collections::BTreeMap;

use crate::read::columns::{ClockColumn, Columns, DeltaUnit};
use crate::read::present::Present;
use crate::read::row::Row;

/// The maximum number of rows of a swap chain from which the units are found.
const MOST_ROWS: usize = 1000;

/// Nanoseconds, microseconds, milliseconds and seconds, in clock units per millisecond.
const UNITS: [f64; 4] = [1e6, 1e3, 1.0, 1e-3];

/// Ticks per millisecond of the counters that Windows may read: the 10 MHz of every version since 10, the ACPI timer, the HPET, and the
/// counters of ARM processors.
const COUNTERS: [f64; 5] = [10_000.0, 3_579.545, 14_318.18, 19_200.0, 24_000.0];

/// Frequencies that a counter may have, in ticks per millisecond.
const FREQUENCIES: std::ops::Range<f64> = 1e2..1e7;

/// A clock agrees with the intervals in its rows if its steps differ by at most this share, where both measure the same, row by row.
const SAME: f64 = 0.01;

/// Sums over many rows agree up to this share: the first and the last row count differently.
const SAME_SUM: f64 = 0.05;

/// The share of rows whose steps must agree on the frequency of an unknown counter.
const AGREED: f64 = 0.8;

/// Rows may be missing from a file, so that its clock advances further than the sum of the intervals: by at most this factor.
const MOST_MISSING: f64 = 20.0;

/// A clock of a file. Its column holds seconds, milliseconds or ticks of a counter, regardless of its name.
#[derive(Clone, Copy, Debug)]
struct Clock {
    per_millisecond: f64,
    /// The time that counts as zero, in clock units. It is subtracted before rounding.
    origin: f64,
}

impl Clock {
    fn milliseconds(self, time: f64) -> f64 {
        (time - self.origin) / self.per_millisecond
    }
}

/// The clocks of a file, and the unit of its frame times if their column may have two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clocks {
    time: Clock,
    /// The clock of the frames' start times; `None` if its offset from the clock of presents is unknown.
    start: Option<Clock>,
    /// The number of frame-time units in a millisecond.
    pub(crate) deltas_per_millisecond: u32,
}

/// No unit of time explains both the steps of a clock and the intervals in the same rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NoUnit {
    /// The index of the clock's column.
    pub(crate) clock: usize,
    /// The sum of the clock's steps, in clock units.
    pub(crate) steps: f64,
    /// The sum of the intervals of the same rows, in milliseconds.
    pub(crate) intervals: f64,
}

impl Clocks {
    /// Finds the units from rows in the order of their times, each with the index of its swap chain. If no unit explains the rows, the
    /// second value reports it, and the units are implied by the names of the columns.
    pub(crate) fn find<'r>(
        columns: &Columns,
        rows: impl Iterator<Item = (usize, &'r Row)> + Clone,
    ) -> (Self, Option<NoUnit>) {
        let mut chains: BTreeMap<usize, Vec<&Row>> = BTreeMap::new();
        for (chain, row) in rows.clone().filter(|(_, row)| row.time.get().is_some()) {
            let rows = chains.entry(chain).or_default();
            if rows.len() < MOST_ROWS {
                rows.push(row);
            }
        }
        let of = &columns.present;
        let mut contradiction = None;
        let mut unit = |column: Option<ClockColumn>, kind, time: fn(&Row) -> Option<f64>| {
            column.map_or(1.0, |column| {
                // The only clock that accompanies frame times in two possible units has always had the same unit. Files of start times
                // have no intervals to compare with.
                if columns.unit == DeltaUnit::MillisecondsOrMicroseconds || columns.is_cumulative {
                    return column.per_millisecond;
                }
                let found = Evidence::of(columns, kind, chains.values(), time).unit(column);
                found.unwrap_or_else(|no_unit| {
                    contradiction = Some(no_unit);
                    column.per_millisecond
                })
            })
        };
        let is_start = !of.time_is_of_present && of.cpu_start.is_some();
        let kind = if is_start { Kind::Start } else { Kind::Present };
        let origin = |time: fn(&Row) -> Option<f64>| {
            let times = rows.clone().filter_map(|(_, row)| time(row));
            times.fold(f64::INFINITY, f64::min)
        };
        let time = Clock {
            per_millisecond: unit(columns.time, kind, |row| row.time.get()),
            origin: origin(|row| row.time.get()),
        };
        let start = match (is_start, of.cpu_start) {
            (true, _) => Some(time),
            (false, None) => None,
            (false, Some(column)) => {
                let per_millisecond = unit(Some(column), Kind::Start, |row| row.cpu_start.get());
                // Two columns of the same counter, whose unusual frequency was measured twice.
                let is_one = (per_millisecond / time.per_millisecond - 1.0).abs() < SAME;
                let per_millisecond = if is_one { time.per_millisecond } else { per_millisecond };
                let start = Clock {
                    per_millisecond,
                    origin: time.origin / time.per_millisecond * per_millisecond,
                };
                aligned(start, time, rows.map(|(_, row)| row))
            }
        };
        let clocks = Self {
            time,
            start,
            deltas_per_millisecond: unit_of_deltas(columns, chains.values().flatten().copied()),
        };
        (clocks, contradiction)
    }

    /// The time of a row in milliseconds.
    pub(crate) fn time(&self, row: &Row) -> Option<f64> {
        row.time.get().map(|time| self.time.milliseconds(time))
    }

    /// When the program began to work on the frame of a row, in milliseconds.
    pub(crate) fn start(&self, row: &Row) -> Option<f64> {
        let time = row.cpu_start.get()?;
        self.start.map(|start| start.milliseconds(time))
    }

    /// The present of a row; none if the row has no time.
    pub(crate) fn present(&self, columns: &Columns, row: &Row) -> Option<Present> {
        let cpu_start = self.start(row);
        let presented = if columns.present.time_is_of_present {
            self.time(row)?
        } else {
            cpu_start? + row.cpu_busy.get()?
        };
        let displayed = match (row.until_displayed.get(), row.display_latency.get()) {
            (Some(until), _) if until > 0.0 => Some(presented + until),
            (None, Some(latency)) if latency > 0.0 => cpu_start.map(|start| start + latency),
            _ => None,
        };
        Some(Present {
            row: row.number,
            started: cpu_start,
            presented,
            displayed,
            simulated: row.animation_time.get().or(cpu_start),
            is_simulated_told: row.animation_time.get().is_some(),
            is_generated: row.is_generated,
            cpu_busy: row.cpu_busy.get(),
            gpu_busy: row.gpu_busy.get(),
            in_present: row.in_present.get(),
            sync_interval: row.sync_interval.get().map(|interval| interval as u32),
            allows_tearing: row.allows_tearing.get().map(|allows| allows != 0.0),
            mode: row.mode,
            pc_latency: row.pc_latency.get(),
            click_to_photon: row.click_to_photon.get(),
        })
    }
}

/// The clock of start times on the time scale of the clock of presents. In most files both have the same origin. PresentMon's
/// `--qpc_time_ms` counts one from the beginning of the recording and the other from the machine's boot, and its capture application
/// counts each from its own first row. A frame is presented when the program has finished its work on it, which reveals the offset;
/// without the column of that work the offset is unknown.
fn aligned<'r>(start: Clock, time: Clock, rows: impl Iterator<Item = &'r Row>) -> Option<Clock> {
    /// The plausible range of the time from a frame's start to its present minus the work, in milliseconds. Rounding may make it
    /// slightly negative.
    const PLAUSIBLE: std::ops::Range<f64> = -0.1..10_000.0;
    let mut apart: Vec<f64> = Vec::new();
    let mut is_busy_known = true;
    for row in rows {
        let times = row.time.get().zip(row.cpu_start.get());
        let Some((presented, started)) = times.filter(|_| !row.is_generated) else {
            continue;
        };
        is_busy_known &= row.cpu_busy.get().is_some();
        let busy = row.cpu_busy.get().unwrap_or_default();
        apart.push(time.milliseconds(presented) - start.milliseconds(started) - busy);
    }
    apart.sort_by(f64::total_cmp);
    let Some(median) = apart.get(apart.len() / 2).copied() else {
        return Some(start);
    };
    if PLAUSIBLE.contains(&median) {
        return Some(start);
    }
    is_busy_known.then_some(Clock {
        origin: start.origin - median * start.per_millisecond,
        ..start
    })
}

/// The instant that a clock measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// When frames were presented.
    Present,
    /// When the program began to work on frames.
    Start,
}

/// The evidence of rows for the unit of a clock: its steps, and intervals that are known in milliseconds.
#[derive(Clone, Debug, Default)]
struct Evidence {
    /// For each interval that measures the same as the step of its row: steps per interval, ascending, and the interval.
    ratios: Vec<(f64, f64)>,
    /// Sums of these steps and intervals.
    same: (f64, f64),
    /// Sums of steps and of other intervals: frame starts and presents have the same spacing only in the long run.
    other: (f64, f64),
    /// The sum of the times between changes of the display.
    displayed: f64,
    steps: f64,
}

impl Evidence {
    fn of<'r>(
        columns: &Columns,
        kind: Kind,
        chains: impl Iterator<Item = &'r Vec<&'r Row>>,
        time: fn(&Row) -> Option<f64>,
    ) -> Self {
        let mut evidence = Self::default();
        let delta = |row: &Row| row.delta.map(|delta| delta.as_secs_f64() * 1e3);
        for chain in chains {
            // Frames that a driver generated have no start times.
            let is_one = |row: &&&Row| kind == Kind::Present || !row.is_generated;
            let rows: Vec<&Row> = chain.iter().filter(is_one).copied().collect();
            for pair in rows.windows(2) {
                let Some(step) = time(pair[1]).zip(time(pair[0])).map(|(now, before)| now - before) else {
                    continue;
                };
                evidence.steps += step;
                evidence.displayed += pair[1].between_displays.get().unwrap_or_default();
                let back = if columns.looks_back() {
                    delta(pair[1])
                } else {
                    pair[1].other.get()
                };
                let forward = delta(pair[0]).filter(|_| !columns.looks_back());
                let (same, other) = match kind {
                    Kind::Present => (back, forward),
                    Kind::Start => (forward, back),
                };
                if let Some(interval) = same.filter(|interval| *interval > 0.0) {
                    evidence.same.0 += step;
                    evidence.same.1 += interval;
                    if step > 0.0 {
                        evidence.ratios.push((step / interval, interval));
                    }
                }
                if let Some(interval) = other {
                    evidence.other.0 += step;
                    evidence.other.1 += interval;
                }
            }
        }
        evidence.ratios.sort_by(|one, other| one.0.total_cmp(&other.0));
        evidence
    }

    /// The number of clock units in a millisecond.
    fn unit(&self, column: ClockColumn) -> Result<f64, NoUnit> {
        let counters = if column.is_counter { &COUNTERS[..] } else { &[] };
        let known = || UNITS.iter().chain(counters).copied();
        let near = |measured: f64, tolerance: f64| known().find(|unit| (measured / unit - 1.0).abs() < tolerance);
        let quotient = |(steps, intervals): (f64, f64)| {
            let measured = steps / intervals;
            (measured.is_finite() && measured > 0.0).then_some(measured)
        };
        let median = self.ratios.get(self.ratios.len() / 2).map(|(ratio, _)| *ratio);
        let sums = [self.same, self.other, (self.steps, self.displayed)];
        let by_rows = median.and_then(|median| near(median, SAME));
        let by_sums = || {
            sums.into_iter()
                .filter_map(quotient)
                .find_map(|sum| near(sum, SAME_SUM))
        };
        if let Some(unit) = by_rows.or_else(by_sums) {
            return Ok(unit);
        }
        let Some((sums, measured)) = sums.into_iter().find_map(|sums| Some((sums, quotient(sums)?))) else {
            return Ok(column.per_millisecond);
        };
        if column.is_counter && FREQUENCIES.contains(&measured) {
            let agreed = median.and_then(|median| self.agreed(median));
            return Ok(agreed.unwrap_or_else(|| nearest(measured, counters.iter().copied())));
        }
        let unit = nearest(measured, UNITS.into_iter());
        let (steps, intervals) = sums;
        match (measured / unit).max(unit / measured) <= MOST_MISSING {
            true => Ok(unit),
            false => Err(NoUnit {
                clock: column.index,
                steps,
                intervals,
            }),
        }
    }

    /// The frequency of the counter, if nearly all rows agree on it.
    fn agreed(&self, median: f64) -> Option<f64> {
        let agree = self
            .ratios
            .iter()
            .filter(|(ratio, _)| (ratio / median - 1.0).abs() < SAME);
        let (count, steps, intervals) = agree.fold((0, 0.0, 0.0), |(count, steps, sum), (ratio, interval)| {
            (count + 1, steps + ratio * interval, sum + interval)
        });
        (f64::from(count) >= AGREED * self.ratios.len() as f64).then_some(steps / intervals)
    }
}

/// The unit whose ratio to the measured one is closest to 1.
fn nearest(measured: f64, units: impl Iterator<Item = f64>) -> f64 {
    let far = |unit: &f64| (measured / unit).ln().abs();
    units
        .min_by(|one, other| far(one).total_cmp(&far(other)))
        .unwrap_or(1.0)
}

/// The number of frame-time units in a millisecond: 1000 if the frame rates or the clock in the same rows show that.
fn unit_of_deltas<'r>(columns: &Columns, rows: impl Iterator<Item = &'r Row>) -> u32 {
    if columns.unit != DeltaUnit::MillisecondsOrMicroseconds {
        return 1;
    }
    let (mut ratios, mut sum, mut clock) = (Vec::new(), 0.0, (f64::INFINITY, f64::NEG_INFINITY));
    for row in rows {
        let delta = row.delta.map_or(0.0, |delta| delta.as_secs_f64() * 1e3);
        sum += delta;
        ratios.extend(row.other.get().map(|by_rate| delta / by_rate));
        if let Some(time) = row.time.get() {
            clock = (clock.0.min(time), clock.1.max(time));
        }
    }
    // Rates are averages in some versions: the few rows after a hitch are far off. The clock also counts the time between samples, so it
    // is used only if there are no rates.
    ratios.sort_by(f64::total_cmp);
    let by_clock = sum / ((clock.1 - clock.0) * 1e-6);
    let measured = ratios.get(ratios.len() / 2).copied().unwrap_or(by_clock);
    if measured > f64::sqrt(1000.0) && measured.is_finite() {
        1000
    } else {
        1
    }
}
