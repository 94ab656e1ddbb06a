//! How a [`FixedTimestep`] is read back: its fields, checked.

use super::fixed::{FixedTimestep, LastFrame};
use crate::step::sim_clock::{SimClock, most_units};
use crate::time::Tick;

#[derive(serde::Deserialize)]
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

impl TryFrom<Saved> for FixedTimestep {
    type Error = &'static str;

    fn try_from(saved: Saved) -> Result<Self, Self::Error> {
        let clock = saved.clock.restored()?;
        let step = clock.rate().units_per_step();
        if saved.fraction >= step {
            return Err("the fraction of a timestep is not less than a step");
        }
        if !(saved.fraction..=step).contains(&saved.shown) || saved.last.shown > step {
            return Err("what a timestep has shown is less than its fraction or more than a step");
        }
        if saved.last.begin > step + most_units(clock.rate()) {
            return Err("the begin of the last frame exceeds a step and the longest backlog");
        }
        if u64::from(saved.last.count) > saved.tick {
            return Err("the last frame has more steps than the tick counts");
        }
        Ok(Self {
            step_limit: saved.max_steps.unwrap_or_else(|| clock.most_steps()),
            clock,
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
