//! Adjustments of a client's timestep that keep it in step with its server.

use evenstep::{Tick, TimeScale};

/// The adjustment of the timestep that a [`TickSync`](crate::TickSync) requests until the next frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the timestep stays out of step unless its time scale is set to `speed`"]
#[non_exhaustive]
pub struct Adjustment {
    /// The time scale for the timestep: the game's own times `slew`, exact. A pause stays a pause.
    pub speed: TimeScale,
    /// The speed relative to the game's own time scale: the server's speed by this clock, near 1, and the correction of
    /// at most 2 %.
    pub slew: TimeScale,
    /// A visible correction; none in nearly every frame.
    pub jump: Option<TickJump>,
}

/// A correction that is too large for the time scale.
///
/// Closed: a program must carry out each kind, so a new one is a breaking change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TickJump {
    /// The client has joined: the next step is this tick of the server. Request the state before it from the server.
    Joined {
        /// The tick of the next step.
        tick: Tick,
    },
    /// Ticks are skipped and will never be stepped here: inputs were far too late. Request a newer state from the server.
    Forward {
        /// The number of skipped ticks.
        ticks: Tick,
    },
}

impl Adjustment {
    /// The game's own time scale, changed by this many ten-thousandths; unchanged where the product does not fit.
    pub(super) fn new(game: TimeScale, ten_thousandths: i64, jump: Option<TickJump>) -> Self {
        let numer = u32::try_from(10_000 + ten_thousandths);
        let slew = numer.ok().and_then(|numer| TimeScale::new(numer, 10_000).ok());
        let exact = slew.and_then(|slew| Some((game.checked_mul(slew)?, slew)));
        let (speed, slew) = exact.unwrap_or((game, TimeScale::NORMAL));
        Self { speed, slew, jump }
    }
}
