//! Finds the unit of a file's clock, and puts presents on one clock in milliseconds.

use std::collections::BTreeMap;

use crate::read::columns::Columns;
use crate::read::present::Present;
use crate::read::row::Row;

/// The most rows of a swap chain that are looked at to find the unit.
const PAIRS: usize = 1000;

/// The unit of a file's clock. Tools write seconds, milliseconds or ticks of a counter, and do not say which. Comparing the times
/// of rows with the deltas between them tells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClockUnit {
    per_millisecond: f64,
    /// The time of the first row, subtracted before rounding.
    origin: f64,
}

impl ClockUnit {
    /// Finds the unit from rows in the order of their times, each with the number of its swap chain.
    pub(crate) fn find<'r>(columns: &Columns, rows: impl Iterator<Item = (usize, &'r Row)> + Clone) -> Self {
        let mut chains: BTreeMap<usize, Vec<&Row>> = BTreeMap::new();
        for (chain, row) in rows.clone().filter(|(_, row)| row.time.get().is_some()) {
            let rows = chains.entry(chain).or_default();
            if rows.len() < PAIRS {
                rows.push(row);
            }
        }
        let mut ratios: Vec<f64> = chains.values().flat_map(|rows| ratios(columns, rows)).collect();
        ratios.sort_by(f64::total_cmp);
        let median = ratios.get(ratios.len() / 2).copied();
        let times = rows.filter_map(|(_, row)| row.time.get());
        Self {
            // Windows counts ten million ticks a second nearly everywhere.
            per_millisecond: median.map_or(10_000.0, plausible),
            origin: times.fold(f64::INFINITY, f64::min),
        }
    }

    fn milliseconds(self, time: f64) -> f64 {
        (time - self.origin) / self.per_millisecond
    }

    /// The present of a row; none if the row has no time.
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

/// Clock units in a millisecond, from each pair of rows of a swap chain.
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

/// The most plausible unit for a measured number of units in a millisecond.
fn plausible(measured: f64) -> f64 {
    let near = |unit: f64| (measured / unit - 1.0).abs() < 0.05;
    [0.001, 1.0, 10_000.0]
        .into_iter()
        .find(|unit| near(*unit))
        .unwrap_or(if measured > 100.0 { measured.round() } else { measured })
}
