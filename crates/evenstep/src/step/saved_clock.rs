//! How a [`SimClock`] is stored: its settings and its amounts, checked when it is read back.

use core::fmt;
use core::time::Duration;

use crate::step::overrun::Overrun;
use crate::step::sim_clock::{Activity, SimClock};
use crate::time::{Rate, TimeScale};

/// The fields of a clock, without derived ones.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "SimClock", deny_unknown_fields)]
pub(crate) struct SavedClock {
    rate: Rate,
    time_scale: TimeScale,
    subnano: u32,
    /// None if it follows from the overrun policy.
    max_delta: Option<Duration>,
    overrun: Overrun,
    activity: Activity,
    drops_backlog: bool,
    backlog: u64,
}

/// Why stored numbers are no clock.
#[derive(Debug)]
pub(crate) enum Inconsistent {
    Subnano(u32, TimeScale),
    Backlog(u64, u64),
    DropsBacklog,
}

impl fmt::Display for Inconsistent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Subnano(parts, scale) => {
                write!(
                    f,
                    "subnano {parts} is not less than the denominator of the scale {scale}"
                )
            }
            Self::Backlog(backlog, most) => write!(f, "backlog {backlog} exceeds {most}"),
            Self::DropsBacklog => f.write_str("the backlog of a clock that is running is to be dropped"),
        }
    }
}

impl From<SimClock> for SavedClock {
    fn from(clock: SimClock) -> Self {
        Self {
            rate: clock.rate,
            time_scale: clock.scale,
            subnano: clock.subnano,
            max_delta: clock.max_delta,
            overrun: clock.overrun,
            activity: clock.activity,
            drops_backlog: clock.drops_backlog,
            backlog: clock.backlog,
        }
    }
}

impl TryFrom<SavedClock> for SimClock {
    type Error = Inconsistent;

    fn try_from(saved: SavedClock) -> Result<Self, Inconsistent> {
        let mut clock = SimClock::new(saved.rate);
        if saved.subnano >= saved.time_scale.denom() {
            return Err(Inconsistent::Subnano(saved.subnano, saved.time_scale));
        }
        if saved.backlog > clock.most_backlog() {
            return Err(Inconsistent::Backlog(saved.backlog, clock.most_backlog()));
        }
        if saved.drops_backlog && saved.activity == Activity::Running {
            return Err(Inconsistent::DropsBacklog);
        }
        clock.scale = saved.time_scale;
        clock.subnano = saved.subnano;
        clock.max_delta = saved.max_delta;
        clock.overrun = saved.overrun;
        clock.activity = saved.activity;
        clock.drops_backlog = saved.drops_backlog;
        clock.backlog = saved.backlog;
        clock.set_limits();
        Ok(clock)
    }
}
