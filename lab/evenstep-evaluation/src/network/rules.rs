//! Rules that keep ticks in step: this project's, and others reimplemented from their descriptions.

use evenstep::{Rate, Tick};
use serde::Serialize;

use crate::network::rule::Rule;
use crate::network::rules::ggrs::{Pace, Peer};
use crate::network::rules::lightyear::Lightyear;
use crate::network::rules::tick_sync::TickSyncRule;

mod ggrs;
mod lightyear;
mod tick_sync;

/// A rule that keeps the ticks of two machines in step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SyncRule {
    /// [`TickSync`](evenstep::network::TickSync) with its default settings.
    TickSync,
    /// The default of lightyear 0.28: it aims at the server's time plus half a round trip, four times the jitter and 5 ms.
    /// If it is off by more than a tick for three frames, it runs up to 10 % faster or slower, in proportion. If it is off by more than
    /// ten ticks, it sets its time. Round trip and jitter are exponential averages.
    Lightyear,
    /// The recommendation of GGRS 0.13: at most once in 60 ticks, a machine that was three ticks ahead or more on the average of 30
    /// ticks leaves out that number of ticks.
    Ggrs,
    /// The rule of `bevy_ggrs`: while a machine is a tick ahead or more by the same average, its steps take 10 % longer.
    BevyGgrs,
}

impl SyncRule {
    /// All rules, this project's first.
    pub const ALL: [Self; 4] = [Self::TickSync, Self::Lightyear, Self::Ggrs, Self::BevyGgrs];

    /// The name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TickSync => "TickSync",
            Self::Lightyear => "lightyear's rule",
            Self::Ggrs => "GGRS's rule",
            Self::BevyGgrs => "bevy_ggrs's rule",
        }
    }

    /// Whether two peers wait for each other, and send inputs for future ticks; otherwise a client follows a server.
    pub(super) const fn is_between_peers(self) -> bool {
        matches!(self, Self::Ggrs | Self::BevyGgrs)
    }

    pub(super) fn start(self, rate: Rate, delay: Tick) -> Box<dyn Rule> {
        match self {
            Self::TickSync => Box::new(TickSyncRule::new(rate)),
            Self::Lightyear => Box::new(Lightyear::new(rate)),
            Self::Ggrs => Box::new(Peer::new(rate, Pace::Waits, delay)),
            Self::BevyGgrs => Box::new(Peer::new(rate, Pace::RunsSlow, delay)),
        }
    }
}
