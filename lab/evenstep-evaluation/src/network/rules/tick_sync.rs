//! The synchronization rule of this project, `TickSync`, as a program uses it.

use std::time::Duration;

use evenstep::network::{InputReport, Pong, TickSync};
use evenstep::{Frame, Rate, Tick, TimeScale};

use crate::network::rule::Rule;

/// [`TickSync`], as a program uses it.
pub(super) struct TickSyncRule {
    sync: TickSync,
}

impl TickSyncRule {
    pub(super) fn new(rate: Rate) -> Self {
        let sync = TickSync::new(rate);
        Self { sync }
    }
}

impl Rule for TickSyncRule {
    fn pong(&mut self, pong: Pong) {
        self.sync.observe_pong(pong);
    }

    fn report(&mut self, report: InputReport) {
        self.sync.observe_input(report);
    }

    fn frame(&mut self, now: Duration, frame: &Frame) -> TimeScale {
        let adjustment = self
            .sync
            .advance(now, frame.tick(), frame.overstep(), TimeScale::NORMAL);
        adjustment.speed
    }

    fn shared(&self, local: Tick) -> Option<Tick> {
        self.sync.tick(local)
    }
}
