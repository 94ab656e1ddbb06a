//! Finds the units of a file's clocks, and puts its presents on one clock in milliseconds. The clock aligns, the intervals measure: where
//! a clock is written more coarsely than the intervals beside it, or contradicts them, the intervals are added up.

use std::collections::BTreeMap;

use crate::read::columns::{Columns, Deltas, Unit};
use crate::read::present::Present;
use crate::read::row::Row;

/// The maximum number of rows of a swap chain from which the units are found.
const MOST_ROWS: usize = 1000;

/// Ticks per millisecond of the counters that Windows may read: the 10 MHz of every version since 10, the ACPI timer, the HPET, and the
/// counters of ARM processors. Some versions of PresentMon write seconds or milliseconds in their place.
const COUNTERS: [f64; 7] = [10_000.0, 3_579.545, 14_318.18, 19_200.0, 24_000.0, 1.0, 1e-3];

/// A counter has a known frequency if its steps differ from it by at most this share.
const SAME: f64 = 0.01;

/// The share of rows whose steps must agree on the frequency of an unknown counter.
const AGREED: f64 = 0.8;

/// Rows may be missing from a file, so that its clock advances further than the sum of the intervals: by at most this factor.
const MOST_MISSING: f64 = 20.0;

/// A step in milliseconds in which a clock may be written without being coarse.
const FINE: f64 = 0.02;

/// A clock is coarse if its step is this many times that of the intervals beside it.
const COARSER: f64 = 5.0;

/// A clock of a file.
#[derive(Clone, Copy, Debug)]
struct Clock {
    per_millisecond: f64,
    /// The time that counts as zero, in clock units. It is subtracted before rounding.
    origin: f64,
    /// Whether the steps of the clock have nothing to do with the intervals in the same rows.
    is_wrong: bool,
    /// Whether most steps are about as long as the intervals in the same rows.
    is_usual: bool,
}

impl Clock {
    fn milliseconds(self, time: f64) -> f64 {
        (time - self.origin) / self.per_millisecond
    }

    /// The step in which a time is written, in milliseconds, if that is coarser than the interval in the row; else 0.
    fn coarseness(self, quantum: f32, row: &Row) -> f64 {
        let quantum = f64::from(quantum) / self.per_millisecond;
        let is_coarse = quantum > FINE && quantum > COARSER * f64::from(row.interval_quantum);
        match (self.is_wrong, is_coarse) {
            (true, _) => f64::INFINITY,
            (false, true) => quantum,
            (false, false) => 0.0,
        }
    }
}

/// The clocks of a file, and the unit of its frame times if their column may have several.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clocks {
    time: Clock,
    /// The clock of the frames' start times; `None` if its offset from the clock of presents is unknown.
    start: Option<Clock>,
    /// By what the deltas, read as seconds, are divided.
    pub(crate) per_second: u32,
}

/// Times in milliseconds.
type Reading = fn(&Row) -> Option<f64>;

impl Clocks {
    /// Finds the units from rows in the order of their times, each with the index of its swap chain.
    pub(crate) fn find<'r>(columns: &Columns, rows: impl Iterator<Item = (usize, &'r Row)> + Clone) -> Self {
        let mut chains: BTreeMap<usize, Vec<&Row>> = BTreeMap::new();
        for (chain, row) in rows.clone() {
            let rows = chains.entry(chain).or_default();
            if rows.len() < MOST_ROWS {
                rows.push(row);
            }
        }
        let per_second = per_second(columns, chains.values().flatten().copied());
        let clock = |unit: Option<Unit>, is_of_starts: bool, time: Reading| {
            let (mut clock, mut origin) = (Evidence::default(), f64::INFINITY);
            for chain in chains.values() {
                clock.add(columns, per_second, chain, is_of_starts, time);
            }
            for (_, row) in rows.clone() {
                origin = time(row).map_or(origin, |time| origin.min(time));
            }
            clock.clock(unit, origin)
        };
        let time: Reading = |row| row.time.get();
        let [presents, starts] = columns.units;
        let unit = match columns.deltas {
            Deltas::MangoHud => Some(Unit::OneOf(&[1e6])),
            Deltas::Instants => Some(Unit::OneOf(&[1.0])),
            _ => presents.or(starts),
        };
        let time = clock(unit, presents.is_none(), time);
        let start = starts.and_then(|unit| {
            if presents.is_none() {
                return Some(time);
            }
            let mut start = clock(Some(unit), true, |row| row.start.get());
            // Two columns of the same counter, whose unusual frequency was measured twice.
            if (start.per_millisecond / time.per_millisecond - 1.0).abs() < SAME {
                start.per_millisecond = time.per_millisecond;
            }
            start.origin = time.origin / time.per_millisecond * start.per_millisecond;
            aligned(start, time, rows.clone().map(|(_, row)| row))
        });
        Self {
            time,
            start,
            per_second,
        }
    }

    /// The time of a row in milliseconds, as the file's clock has it, and the step in which it is written.
    pub(crate) fn time(&self, row: &Row) -> (Option<f64>, f64) {
        let time = row.time.get().map(|time| self.time.milliseconds(time));
        (time, self.time.coarseness(row.quanta[0], row))
    }

    /// Whether the clock that measures the deltas shows which of them are wrong.
    pub(crate) fn shows_wrong_deltas(&self, columns: &Columns) -> bool {
        match columns.looks_back() {
            true => self.time.is_usual,
            false => self.start.is_some_and(|start| start.is_usual),
        }
    }

    /// The start of a row in milliseconds, as the file's clock has it, and the step in which it is written.
    pub(crate) fn start(&self, row: &Row) -> (Option<f64>, f64) {
        let Some(clock) = self.start else { return (None, 0.0) };
        let start = row.start.get().map(|start| clock.milliseconds(start));
        (start, clock.coarseness(row.quanta[1], row))
    }
}

/// The times of a swap chain, row by row.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Times {
    presented: Option<f64>,
    started: Option<f64>,
    /// The time from the last start to the next one.
    until_next: Option<f64>,
    /// Rows whose times are sums of intervals.
    pub(crate) summed: u64,
}

impl Times {
    /// The time of the row before in milliseconds.
    pub(crate) fn last(&self) -> Option<f64> {
        self.presented
    }

    /// The present of the next row, whose delta in milliseconds is `delta`; none if the row has no time.
    pub(crate) fn next(
        &mut self,
        columns: &Columns,
        clocks: &Clocks,
        row: &Row,
        delta: Option<f64>,
    ) -> Option<Present> {
        let (time, time_step) = clocks.time(row);
        let (start, start_step) = clocks.start(row);
        let since_last = match columns.deltas {
            Deltas::Presents => delta,
            _ => row.between_presents.get(),
        };
        let presented = time.map(|time| align(time, self.presented, since_last, time_step));
        let start = match presented.zip(row.cpu_busy.get()) {
            Some((presented, busy)) if start_step > 0.0 && columns.has_presents() => start.map(|_| presented - busy),
            _ => start.map(|start| align(start, self.started, self.until_next, start_step)),
        };
        self.summed += u64::from(presented.or(start).is_some() && time_step.max(start_step) > 0.0);
        self.presented = presented.or(self.presented);
        if !row.is_generated {
            (self.started, self.until_next) = (start.or(self.started), delta.filter(|_| !columns.looks_back()));
        }
        let presented = match columns.has_presents() {
            true => presented?,
            false => start? + row.cpu_busy.get()?,
        };
        let displayed = match (row.until_displayed.get(), row.display_latency.get()) {
            (Some(until), _) => Some(presented + until),
            (None, latency) => start.zip(latency).map(|(start, latency)| start + latency),
        };
        Some(Present {
            row: row.number,
            started: start,
            presented,
            displayed,
            simulated: row.animation_time.get().or(start),
            is_simulated_told: row.animation_time.get().is_some(),
            is_generated: row.is_generated,
            is_after_pause: row.is_break,
            cpu_busy: row.cpu_busy.get(),
            gpu_busy: row.gpu_busy.get(),
            in_present: row.in_present.get(),
            sync_interval: row.sync_interval.get().map(|interval| interval as u32),
            allows_tearing: row.allows_tearing,
            mode: row.mode,
            pc_latency: row.pc_latency.get(),
            click_to_photon: row.click_to_photon.get(),
        })
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
    for row in rows.filter(|row| !row.is_generated) {
        if let Some((presented, started)) = row.time.get().zip(row.start.get()) {
            let busy = row.cpu_busy.get();
            is_busy_known &= busy.is_some();
            apart.push(time.milliseconds(presented) - start.milliseconds(started) - busy.unwrap_or_default());
        }
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

/// The steps of a clock, and the intervals between the same rows in milliseconds.
#[derive(Clone, Debug, Default)]
struct Evidence {
    /// Steps per interval, and the interval.
    ratios: Vec<(f64, f64)>,
    steps: f64,
    intervals: f64,
}

impl Evidence {
    fn add(&mut self, columns: &Columns, per_second: u32, chain: &[&Row], is_of_starts: bool, time: Reading) {
        let is_interval = columns.deltas != Deltas::Instants;
        let delta = |row: &Row| {
            let delta = row.delta.filter(|_| is_interval)?;
            Some(delta.as_secs_f64() * 1e3 / f64::from(per_second))
        };
        // Frames that a driver generated have no start times.
        let rows = chain.iter().filter(|row| !is_of_starts || !row.is_generated);
        let mut last: Option<&Row> = None;
        for row in rows {
            let before = last.replace(row);
            let Some((step, before)) = before.and_then(|before| Some((time(row)? - time(before)?, before))) else {
                continue;
            };
            let (back, forward) = match columns.looks_back() {
                true => (delta(row), None),
                false => (row.between_presents.get(), delta(before)),
            };
            // Starts and presents have the same spacing in the long run.
            let interval = if is_of_starts {
                forward.or(back)
            } else {
                back.or(forward)
            };
            if let Some(interval) = interval.or(row.between_displays.get()) {
                self.steps += step;
                self.intervals += interval;
                if step > 0.0 && interval > 0.0 {
                    self.ratios.push((step / interval, interval));
                }
            }
        }
        self.ratios.sort_by(|one, other| one.0.total_cmp(&other.0));
    }

    fn clock(&self, unit: Option<Unit>, origin: f64) -> Clock {
        let per_millisecond = match unit {
            None | Some(Unit::Usual) => 1.0,
            Some(Unit::OneOf(units)) => self.nearest(units),
            Some(Unit::Ticks) => self.frequency(),
        };
        let ratio = self.steps / self.intervals / per_millisecond;
        let middle = self.ratios.get(self.ratios.len() / 2);
        Clock {
            per_millisecond,
            origin,
            is_wrong: ratio.max(1.0 / ratio) > MOST_MISSING,
            is_usual: middle.is_some_and(|(ratio, _)| (0.5..2.0).contains(&(ratio / per_millisecond))),
        }
    }

    /// The unit whose ratio to the measured one is closest to 1; the first if nothing was measured.
    fn nearest(&self, units: &[f64]) -> f64 {
        let measured = self.steps / self.intervals;
        let far = |unit: &&f64| (measured / **unit).ln().abs();
        let nearest = units.iter().min_by(|one, other| far(one).total_cmp(&far(other)));
        let is_measured = measured.is_finite() && measured > 0.0;
        nearest
            .filter(|_| is_measured)
            .or(units.first())
            .copied()
            .unwrap_or(1.0)
    }

    /// The ticks per millisecond of a counter: a known frequency, or one on which nearly all rows agree.
    fn frequency(&self) -> f64 {
        let Some((median, _)) = self.ratios.get(self.ratios.len() / 2).copied() else {
            return COUNTERS[0];
        };
        let is_near = |ratio: f64, unit: f64| (ratio / unit - 1.0).abs() < SAME;
        if let Some(known) = COUNTERS.into_iter().find(|known| is_near(median, *known)) {
            return known;
        }
        let agree = self.ratios.iter().filter(|(ratio, _)| is_near(*ratio, median));
        let (count, steps, intervals) = agree.fold((0, 0.0, 0.0), |(count, steps, sum), (ratio, interval)| {
            (count + 1, steps + ratio * interval, sum + interval)
        });
        match f64::from(count) >= AGREED * self.ratios.len() as f64 {
            true => steps / intervals,
            false => self.nearest(&COUNTERS),
        }
    }
}

/// By what the deltas, read as seconds, are divided.
fn per_second<'r>(columns: &Columns, rows: impl Iterator<Item = &'r Row> + Clone) -> u32 {
    match columns.deltas {
        Deltas::MangoHud => {}
        Deltas::Guessed => return guessed(rows).0,
        _ => return 1,
    }
    let seconds = |row: &Row| row.delta.map_or(0.0, |delta| delta.as_secs_f64());
    let by_rates = rows.clone().filter_map(|row| Some(seconds(row) / row.by_rate.get()?));
    // Rates are averages in some versions: the few rows after a hitch are far off. The clock also counts the time between samples, so it
    // is used only if there are no rates.
    let measured = median(by_rates.collect()).unwrap_or_else(|| {
        let clock = || rows.clone().filter_map(|row| row.time.get());
        let (first, last) = (
            clock().fold(f64::INFINITY, f64::min),
            clock().fold(f64::NEG_INFINITY, f64::max),
        );
        rows.clone().map(seconds).sum::<f64>() / ((last - first) * 1e-6)
    });
    match measured > f64::sqrt(1000.0) && measured.is_finite() {
        true => 1_000_000,
        false => 1000,
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

fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}
