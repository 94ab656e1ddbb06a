//! How a [`FixedTimestep`] is stored: its settings and its progress, checked when it is read back.

use core::fmt;
use core::time::Duration;

use super::fixed::{FixedTimestep, LastFrame};
use crate::step::Overrun;
use crate::step::saved_clock::{self, SavedClock};
use crate::step::sim_clock::{Activity, SimClock};
use crate::time::{Rate, Tick, TimeScale};

/// The fields of a timestep, without derived ones.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "FixedTimestep", deny_unknown_fields)]
pub(super) struct Saved {
    rate: Rate,
    time_scale: TimeScale,
    max_delta: Option<Duration>,
    max_steps: Option<u32>,
    overrun: Overrun,
    activity: Activity,
    tick: Tick,
    /// The time scale at which amounts are counted, and how finely.
    arrived_at: TimeScale,
    resolution: u32,
    fraction: u128,
    debt: u128,
    drawn: u128,
    single_steps: u32,
    lookahead: bool,
    resync: bool,
    last: LastFrame,
}

/// Why stored numbers are no timestep.
#[derive(Debug)]
pub(super) enum Inconsistent {
    Clock(saved_clock::Inconsistent),
    Drawn(u128, u128, u128),
}

impl fmt::Display for Inconsistent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clock(inconsistent) => inconsistent.fmt(f),
            Self::Drawn(drawn, least, most) => write!(f, "drawn {drawn} is not between {least} and {most}"),
        }
    }
}

impl From<FixedTimestep> for Saved {
    fn from(timestep: FixedTimestep) -> Self {
        let clock = SavedClock::from(timestep.clock);
        Self {
            rate: clock.rate,
            time_scale: clock.time_scale,
            max_delta: clock.max_delta,
            max_steps: timestep.max_steps,
            overrun: clock.overrun,
            activity: clock.activity,
            tick: clock.tick,
            arrived_at: clock.arrived_at,
            resolution: clock.resolution,
            fraction: clock.fraction,
            debt: clock.debt,
            drawn: timestep.drawn,
            single_steps: timestep.single_steps,
            lookahead: timestep.lookahead,
            resync: clock.resync,
            last: timestep.last,
        }
    }
}

impl TryFrom<Saved> for FixedTimestep {
    type Error = Inconsistent;

    fn try_from(saved: Saved) -> Result<Self, Inconsistent> {
        let clock = SimClock::try_from(SavedClock {
            rate: saved.rate,
            time_scale: saved.time_scale,
            max_delta: saved.max_delta,
            overrun: saved.overrun,
            activity: saved.activity,
            tick: saved.tick,
            arrived_at: saved.arrived_at,
            resolution: saved.resolution,
            fraction: saved.fraction,
            debt: saved.debt,
            resync: saved.resync,
        });
        let clock = clock.map_err(Inconsistent::Clock)?;
        let step = clock.units.per_step;
        for (drawn, least) in [(saved.drawn, clock.fraction), (saved.last.drawn, 0)] {
            if !(least..=step).contains(&drawn) {
                return Err(Inconsistent::Drawn(drawn, least, step));
            }
        }
        Ok(Self {
            step_limit: saved.max_steps.unwrap_or_else(|| clock.most_periods()),
            clock,
            max_steps: saved.max_steps,
            drawn: saved.drawn,
            single_steps: saved.single_steps,
            lookahead: saved.lookahead,
            last: saved.last,
        })
    }
}
