//! How a [`FixedTimestep`] is stored: what it was told and how far it is, checked when it is read back.

use core::fmt;
use core::time::Duration;

use super::fixed::{FixedTimestep, LastFrame};
use crate::step::Overrun;
use crate::step::sim_clock::{Activity, SimClock};
use crate::step::units::Units;
use crate::time::{Rate, Tick, TimeScale};

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "FixedTimestep", deny_unknown_fields)]
pub(super) struct Saved {
    rate: Rate,
    time_scale: TimeScale,
    max_delta: Duration,
    /// None where it follows from the other settings.
    max_steps: Option<u32>,
    overrun: Overrun,
    activity: Activity,
    tick: Tick,
    /// The scale at which time last arrived, and the resolution of the amounts that follow.
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
    Resolution(u32, TimeScale),
    Fraction(u128, u128),
    Debt(u128, u128),
    Drawn(u128, u128, u128),
}

impl fmt::Display for Inconsistent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Resolution(resolution, scale) => {
                write!(
                    f,
                    "resolution {resolution} is not a multiple of the denominator of the scale {scale}"
                )
            }
            Self::Fraction(fraction, step) => write!(f, "fraction {fraction} is not less than a step of {step}"),
            Self::Debt(debt, most) => write!(f, "debt {debt} exceeds {most}"),
            Self::Drawn(drawn, least, most) => write!(f, "drawn {drawn} is not between {least} and {most}"),
        }
    }
}

impl From<FixedTimestep> for Saved {
    fn from(timestep: FixedTimestep) -> Self {
        Self {
            rate: timestep.clock.rate,
            time_scale: timestep.clock.scale,
            max_delta: timestep.clock.max_delta,
            max_steps: timestep.max_steps,
            overrun: timestep.clock.overrun,
            activity: timestep.clock.activity,
            tick: timestep.clock.tick,
            arrived_at: timestep.clock.units.scale,
            resolution: timestep.clock.units.resolution,
            fraction: timestep.clock.fraction,
            debt: timestep.clock.debt,
            drawn: timestep.drawn,
            single_steps: timestep.single_steps,
            lookahead: timestep.lookahead,
            resync: timestep.clock.resync,
            last: timestep.last,
        }
    }
}

impl TryFrom<Saved> for FixedTimestep {
    type Error = Inconsistent;

    fn try_from(saved: Saved) -> Result<Self, Inconsistent> {
        if saved.resolution == 0 || !saved.resolution.is_multiple_of(saved.arrived_at.denom()) {
            return Err(Inconsistent::Resolution(saved.resolution, saved.arrived_at));
        }
        let units = Units::new(saved.rate, saved.arrived_at, saved.resolution);
        let most = units.per_step * u128::from(u32::MAX);
        if saved.fraction >= units.per_step {
            return Err(Inconsistent::Fraction(saved.fraction, units.per_step));
        }
        if saved.debt > most {
            return Err(Inconsistent::Debt(saved.debt, most));
        }
        for (drawn, least) in [(saved.drawn, saved.fraction), (saved.last.drawn, 0)] {
            if !(least..=units.per_step).contains(&drawn) {
                return Err(Inconsistent::Drawn(drawn, least, units.per_step));
            }
        }
        let mut clock = SimClock {
            scale: saved.time_scale,
            max_delta: saved.max_delta,
            overrun: saved.overrun,
            activity: saved.activity,
            resync: saved.resync,
            units,
            tick: saved.tick,
            fraction: saved.fraction,
            debt: saved.debt,
            ..SimClock::new(saved.rate)
        };
        clock.set_longest_delta();
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
