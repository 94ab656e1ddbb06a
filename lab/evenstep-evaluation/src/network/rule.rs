//! The interface of a synchronization rule on one machine.

use std::time::Duration;

use evenstep::network::{InputReport, Pong};
use evenstep::{Frame, Tick, TimeScale};

/// A synchronization rule on one machine: it observes packets, and decides the speed of the local ticks.
pub(super) trait Rule {
    /// A pong arrived.
    fn pong(&mut self, _pong: Pong) {}

    /// The other machine reports how early an input was.
    fn report(&mut self, _report: InputReport) {}

    /// An input of the other machine arrived.
    fn input(&mut self, _tick: Tick, _advantage: f64) {}

    /// A frame was stepped. Returns the speed until the next frame.
    fn frame(&mut self, now: Duration, frame: &Frame) -> TimeScale;

    /// Converts a local tick to the tick that both machines share; `None` before that is known.
    fn shared(&self, local: Tick) -> Option<Tick>;

    /// Whether to leave out the next tick.
    fn leaves_out(&mut self) -> bool {
        false
    }

    /// The estimated number of ticks by which the other machine is ahead.
    fn advantage(&self) -> f64 {
        0.0
    }
}

/// A server, which does not adjust its ticks.
#[derive(Debug)]
pub(super) struct Authority {
    /// The tick of the server at the beginning of the run.
    pub(super) first: Tick,
}

impl Rule for Authority {
    fn frame(&mut self, _now: Duration, _frame: &Frame) -> TimeScale {
        TimeScale::NORMAL
    }

    fn shared(&self, local: Tick) -> Option<Tick> {
        Some(self.first + local)
    }
}
