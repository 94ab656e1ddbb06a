//! How a [`FixedTimestep`] is stored: its settings and its progress, checked when it is read back.

use core::fmt;

use super::fixed::{FixedTimestep, LastFrame};
use crate::step::sim_clock::SimClock;
use crate::time::Tick;

/// The fields of a timestep, without derived ones.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "FixedTimestep", deny_unknown_fields)]
pub(super) struct Saved {
    clock: SimClock,
    max_steps: Option<u32>,
    tick: Tick,
    fraction: u64,
    shown: u64,
    single_steps: u32,
    lookahead: bool,
    last: LastFrame,
}

/// Why stored numbers are no timestep.
#[derive(Debug)]
pub(super) enum Inconsistent {
    Fraction(u64, u64),
    Shown(u64, u64, u64),
    Begin(u64, u64),
    Count(u32, Tick),
}

impl fmt::Display for Inconsistent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fraction(fraction, step) => write!(f, "fraction {fraction} is not less than a step of {step}"),
            Self::Shown(shown, least, most) => write!(f, "shown {shown} is not between {least} and {most}"),
            Self::Begin(begin, most) => write!(f, "begin {begin} exceeds {most}"),
            Self::Count(count, tick) => write!(f, "count {count} of the last frame exceeds the tick {tick}"),
        }
    }
}

impl From<FixedTimestep> for Saved {
    fn from(timestep: FixedTimestep) -> Self {
        Self {
            clock: timestep.clock,
            max_steps: timestep.max_steps,
            tick: timestep.tick,
            fraction: timestep.fraction,
            shown: timestep.shown,
            single_steps: timestep.single_steps,
            lookahead: timestep.lookahead,
            last: timestep.last,
        }
    }
}

impl TryFrom<Saved> for FixedTimestep {
    type Error = Inconsistent;

    fn try_from(saved: Saved) -> Result<Self, Inconsistent> {
        let step = saved.clock.rate().units_per_step();
        if saved.fraction >= step {
            return Err(Inconsistent::Fraction(saved.fraction, step));
        }
        for (shown, least) in [(saved.shown, saved.fraction), (saved.last.shown, 0)] {
            if !(least..=step).contains(&shown) {
                return Err(Inconsistent::Shown(shown, least, step));
            }
        }
        let most = step + saved.clock.most_backlog();
        if saved.last.begin > most {
            return Err(Inconsistent::Begin(saved.last.begin, most));
        }
        if u64::from(saved.last.count) > saved.tick {
            return Err(Inconsistent::Count(saved.last.count, saved.tick));
        }
        Ok(Self {
            step_limit: saved.max_steps.unwrap_or_else(|| saved.clock.most_steps()),
            clock: saved.clock,
            max_steps: saved.max_steps,
            tick: saved.tick,
            fraction: saved.fraction,
            shown: saved.shown,
            single_steps: saved.single_steps,
            lookahead: saved.lookahead,
            last: saved.last,
        })
    }
}
