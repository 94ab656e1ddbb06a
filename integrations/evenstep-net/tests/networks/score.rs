//! The score of a client on a network.

use std::ops::Range;

use crate::machine::Log;
use crate::run::Run;
use crate::world::Network;

/// The time from which on inputs are counted, in nanoseconds.
const SETTLED: u64 = 5_000_000_000;

/// The time range in which the settled lead is measured, in seconds: before routes change.
const LEVEL: Range<f64> = 10.0..20.0;

/// A lead has converged if it stays within [`NEAR`] of its settled value for [`STAYS`], in seconds.
const NEAR: f64 = 0.02;
const STAYS: f64 = 2.0;

/// Jumps are measured over this time, in nanoseconds.
const WINDOW: u64 = 100_000_000;

/// The score of a client on a network.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Score {
    /// The time from the client's first frame until its lead is within 20 ms of its value from the tenth to the twentieth second, and
    /// stays there for two seconds; in seconds.
    pub(super) converged_s: f64,
    /// Ticks of the server, of a thousand, whose client input had not arrived in time, after five seconds.
    pub(super) late_per_mille: f64,
    /// The same after ten seconds.
    pub(super) late_after_ten_s: f64,
    /// The mean time by which the other inputs arrived before their tick was stepped, in milliseconds. It adds to the latency.
    pub(super) early_ms: f64,
    /// The largest difference between simulated and real time within a tenth of a second, in milliseconds. Joining
    /// does not count.
    pub(super) jump_ms: f64,
    /// The standard deviation of the client's lead from the tenth to the twentieth second, in milliseconds.
    pub(super) lead_varies_ms: f64,
}

impl Network {
    /// The score of a client that follows a server on this network for a minute.
    pub(super) fn score(&self) -> Score {
        let Run { client, server } = self.run();
        let (late_per_mille, early_ms) = inputs(&server, SETTLED);
        Score {
            converged_s: converged(&client, &server),
            late_per_mille,
            late_after_ten_s: inputs(&server, 2 * SETTLED).0,
            early_ms,
            jump_ms: 1e3 * jump(&client),
            lead_varies_ms: 1e3 * deviation(&client, &server),
        }
    }
}

fn inputs(server: &Log, since: u64) -> (f64, f64) {
    let stepped = || server.stepped.iter().filter(|(_, at)| *at >= since);
    let early: Vec<f64> = stepped()
        .filter_map(|(tick, at)| at.checked_sub(*server.arrived.get(tick)?))
        .map(|early| early as f64 / 1e6)
        .collect();
    let count = stepped().count().max(1) as f64;
    let late = 1e3 * (1.0 - early.len() as f64 / count);
    (late, early.iter().sum::<f64>() / early.len().max(1) as f64)
}

fn jump(log: &Log) -> f64 {
    let mut largest = 0.0_f64;
    let mut first = 0;
    for (last, (at, shown)) in log.shown.iter().enumerate() {
        while at - log.shown[first].0 > WINDOW {
            first += 1;
        }
        for (before, shown_before) in &log.shown[first..last] {
            let passed = (at - before) as f64 / 1e9;
            largest = largest.max((shown - shown_before - passed).abs());
        }
    }
    largest
}

/// The client's lead in seconds, each with its time in seconds.
fn leads(client: &Log, server: &Log) -> Vec<(f64, f64)> {
    let mut later = server.shown.iter().peekable();
    let mut last = None;
    let mut leads = Vec::new();
    for (at, shown) in &client.shown {
        while let Some(frame) = later.next_if(|(time, _)| time <= at) {
            last = Some(*frame);
        }
        if let Some((time, of_server)) = last {
            let of_server = of_server + (at - time) as f64 / 1e9;
            leads.push((*at as f64 / 1e9, shown - of_server));
        }
    }
    leads
}

fn deviation(client: &Log, server: &Log) -> f64 {
    let leads: Vec<f64> = leads(client, server)
        .iter()
        .filter(|(at, _)| LEVEL.contains(at))
        .map(|(_, lead)| *lead)
        .collect();
    let count = leads.len().max(1) as f64;
    let mean = leads.iter().sum::<f64>() / count;
    (leads.iter().map(|lead| (lead - mean).powi(2)).sum::<f64>() / count).sqrt()
}

fn converged(client: &Log, server: &Log) -> f64 {
    let leads = leads(client, server);
    let mut level: Vec<f64> = leads
        .iter()
        .filter(|(at, _)| LEVEL.contains(at))
        .map(|(_, lead)| *lead)
        .collect();
    level.sort_by(f64::total_cmp);
    let Some(level) = level.get(level.len() / 2) else {
        return LEVEL.end;
    };
    let is_near = |lead: f64| (lead - level).abs() <= NEAR;
    let mut since = None;
    for (at, lead) in leads {
        let began = *since.get_or_insert(at);
        if !is_near(lead) {
            since = None;
        } else if at - began >= STAYS {
            return began;
        }
    }
    LEVEL.end
}
