//! A world in real time, and the same world with its ticks run directly.

use std::time::Duration;

use anyhow::{Result, ensure};
use evenstep::{Lost, Rate, Step, Tick};

use super::clock::{Clock, Event, MINUTE};
use super::subject::Subject;

/// An endless world.
pub(super) trait World {
    /// The number of steps so far.
    fn tick(&self) -> Tick;

    /// Runs the steps of a frame, after an event.
    fn frame(&mut self, delta: Duration, event: Event) -> Result<Lost<Tick>>;

    /// Runs a step directly.
    fn step(&mut self, step: &Step) -> Result<()>;

    fn hash(&self) -> u64;
}

/// Both worlds continue from one minute to the next, so that errors accumulate and show.
pub(super) struct Twins<W> {
    name: String,
    rate: Rate,
    clock: Clock,
    disturbed: W,
    straight: W,
}

impl<W: World> Twins<W> {
    /// Two worlds at their start.
    pub(super) fn new(name: String, rate: Rate, seed: u64, [disturbed, straight]: [W; 2]) -> Self {
        Self {
            name,
            rate,
            clock: Clock::new(seed),
            disturbed,
            straight,
        }
    }
}

impl<W: World> Subject for Twins<W> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn pass_minute(&mut self) -> Result<()> {
        let (name, first) = (&self.name, self.disturbed.tick());
        self.clock
            .pass(MINUTE, |delta, event| self.disturbed.frame(delta, event))?;
        let (tick, due) = (self.disturbed.tick(), self.clock.ticks(self.rate));
        ensure!(
            tick == due,
            "{name}: drifted: {tick} steps were granted, {due} were due"
        );
        for tick in first..tick {
            self.straight.step(&Step::new(tick, self.rate))?;
        }
        ensure!(
            self.disturbed.hash() == self.straight.hash(),
            "{name}: the state after tick {tick} is another than that of the ticks run straight"
        );
        Ok(())
    }
}
