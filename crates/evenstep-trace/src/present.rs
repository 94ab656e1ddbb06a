//! Presents: what a frame's row tells of its way to the screen, on one clock in milliseconds.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use crate::columns::Columns;
use crate::order::Waiting;

/// A present: a frame that a program handed to the display, or that a driver generated.
///
/// Times are in milliseconds from the first row of the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Present {
    /// The number of its row in the file, counted from 0 without the header.
    pub row: u64,
    /// When the program began to work on it, where the file tells.
    pub started: Option<f64>,
    /// When the call to present began.
    pub presented: f64,
    /// When it was on the screen; none if it never was.
    pub displayed: Option<f64>,
    /// The time that its picture shows; where the file does not tell, when the program began to work on it.
    pub simulated: Option<f64>,
    /// Whether [`simulated`](Self::simulated) is the program's word, on a clock of its own.
    pub is_simulated_told: bool,
    /// Whether a driver generated it.
    pub is_generated: bool,
    /// How long the program worked on it.
    pub cpu_busy: Option<f64>,
    /// How long the graphics card worked on it.
    pub gpu_busy: Option<f64>,
}

/// So many pairs of rows tell the unit of the clock.
const PAIRS: usize = 1000;

/// A number that a row may not tell: half the size of an [`Option`], of which rows would have many.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Told(f64);

impl Told {
    pub(crate) fn get(self) -> Option<f64> {
        (!self.0.is_nan()).then_some(self.0)
    }
}

impl Default for Told {
    fn default() -> Self {
        Self(f64::NAN)
    }
}

impl From<Option<f64>> for Told {
    fn from(number: Option<f64>) -> Self {
        number.map_or_else(Self::default, Self)
    }
}

/// What a row says, in the units of its columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    /// Its number in the file, which the order of reading gives it.
    pub(crate) number: u64,
    pub(crate) time: Told,
    /// The frame's delta; none where the file has none. Where columns are cumulative, when it began.
    pub(crate) delta: Option<Duration>,
    pub(crate) is_generated: bool,
    pub(crate) cpu_start: Told,
    pub(crate) cpu_busy: Told,
    pub(crate) gpu_busy: Told,
    pub(crate) until_displayed: Told,
    pub(crate) display_latency: Told,
    pub(crate) animation_time: Told,
}

impl Row {
    /// A frame that began at a time.
    pub(crate) fn at(instant: Duration) -> Self {
        Self {
            delta: Some(instant),
            ..Self::default()
        }
    }
}

/// The unit of a file's clock. Versions write seconds, milliseconds or ticks of a counter whose frequency they do not tell,
/// so it is found by comparing the times of rows with the deltas between them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClockUnit {
    per_millisecond: f64,
    /// The time of the first row, subtracted before anything is rounded.
    origin: f64,
}

impl ClockUnit {
    /// From rows in the order of their times.
    pub(crate) fn find(columns: &Columns, waiting: &VecDeque<Waiting>) -> Self {
        let mut chains: BTreeMap<usize, Vec<&Row>> = BTreeMap::new();
        for Waiting { chain, row, .. } in waiting.iter().filter(|waiting| waiting.row.time.get().is_some()) {
            let rows = chains.entry(*chain).or_default();
            if rows.len() < PAIRS {
                rows.push(row);
            }
        }
        let mut ratios: Vec<f64> = chains.values().flat_map(|rows| ratios(columns, rows)).collect();
        ratios.sort_by(f64::total_cmp);
        let median = ratios.get(ratios.len() / 2).copied();
        let times = waiting.iter().filter_map(|waiting| waiting.row.time.get());
        Self {
            // Windows counts ten million ticks a second nearly everywhere.
            per_millisecond: median.map_or(10_000.0, plausible),
            origin: times.fold(f64::INFINITY, f64::min),
        }
    }

    fn milliseconds(self, time: f64) -> f64 {
        (time - self.origin) / self.per_millisecond
    }

    /// The present of a row; none if the file does not tell its time.
    pub(crate) fn present(self, columns: &Columns, row: &Row) -> Option<Present> {
        let cpu_start = row.cpu_start.get().map(|time| self.milliseconds(time));
        let presented = if columns.present.time_is_of_present {
            self.milliseconds(row.time.get()?)
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
        })
    }
}

/// Units of the clock in a millisecond, pair by pair of rows in a chain.
fn ratios(columns: &Columns, rows: &[&Row]) -> Vec<f64> {
    let ratio = |pair: &[&Row]| {
        // A delta before a present looks back, one after the start of the work looks forward.
        let delta = if columns.present.time_is_of_present {
            pair[1]
        } else {
            pair[0]
        }
        .delta?;
        let ratio = (pair[1].time.get()? - pair[0].time.get()?) / (delta.as_secs_f64() * 1e3);
        (ratio.is_finite() && ratio > 0.0).then_some(ratio)
    };
    rows.windows(2).filter_map(ratio).collect()
}

/// The unit that is meant by a measured number of units in a millisecond.
fn plausible(measured: f64) -> f64 {
    let near = |unit: f64| (measured / unit - 1.0).abs() < 0.05;
    [0.001, 1.0, 10_000.0]
        .into_iter()
        .find(|unit| near(*unit))
        .unwrap_or(if measured > 100.0 { measured.round() } else { measured })
}
