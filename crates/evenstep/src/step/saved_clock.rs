//! How a [`SimClock`] is stored: its settings and its progress, checked when it is read back.

use core::fmt;
use core::time::Duration;

use crate::step::Overrun;
use crate::step::sim_clock::{Activity, SimClock};
use crate::step::units::Units;
use crate::time::{Rate, Tick, TimeScale};

/// The fields of a clock, without derived ones.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "SimClock", deny_unknown_fields)]
pub(crate) struct SavedClock {
    pub(super) rate: Rate,
    pub(super) time_scale: TimeScale,
    /// None if it follows from the overrun policy.
    pub(super) max_delta: Option<Duration>,
    pub(super) overrun: Overrun,
    pub(super) activity: Activity,
    pub(super) tick: Tick,
    /// The time scale at which amounts are counted, and how finely.
    pub(super) arrived_at: TimeScale,
    pub(super) resolution: u32,
    pub(super) fraction: u128,
    pub(super) debt: u128,
    pub(super) resync: bool,
}

/// Why stored numbers are no clock.
#[derive(Debug)]
pub(crate) enum Inconsistent {
    Resolution(u32, TimeScale),
    Fraction(u128, u128),
    Debt(u128, u128),
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
        }
    }
}

impl From<SimClock> for SavedClock {
    fn from(clock: SimClock) -> Self {
        Self {
            rate: clock.rate,
            time_scale: clock.scale,
            max_delta: clock.max_delta,
            overrun: clock.overrun,
            activity: clock.activity,
            tick: clock.tick,
            arrived_at: clock.units.scale,
            resolution: clock.units.resolution,
            fraction: clock.fraction,
            debt: clock.debt,
            resync: clock.resync,
        }
    }
}

impl TryFrom<SavedClock> for SimClock {
    type Error = Inconsistent;

    fn try_from(saved: SavedClock) -> Result<Self, Inconsistent> {
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
        Ok(clock)
    }
}
