//! Games of hockey, one after the other.

use std::time::Duration;

use anyhow::Result;
use evenstep::{FixedTimestep, Lost, Rate, Step, Tick};
use evenstep_scenes::{Outcome, Scene};

use super::clock::Event;
use super::subject::Subject;
use super::twins::{Twins, World};
use crate::scenes::Pair;

/// Steps between two pushes of the puck by the player.
const PUSH_EVERY: Tick = 60;

/// A game that restarts when it ends.
struct Games {
    pair: Pair,
    timestep: FixedTimestep,
    game: Box<dyn Scene>,
    /// The tick at which the current game began.
    begun: Tick,
}

pub(super) fn subject(pair: Pair) -> Result<Box<dyn Subject>> {
    let rate = pair.scene.rate;
    let worlds = [Games::start(pair)?, Games::start(pair)?];
    Ok(Box::new(Twins::new(pair.name(), rate, 7, worlds)))
}

impl Games {
    fn start(pair: Pair) -> Result<Self> {
        Ok(Self {
            pair,
            timestep: FixedTimestep::new(pair.scene.rate),
            game: pair.start()?.0,
            begun: 0,
        })
    }

    fn rate(&self) -> Rate {
        self.pair.scene.rate
    }
}

impl World for Games {
    fn tick(&self) -> Tick {
        self.timestep.tick()
    }

    fn frame(&mut self, delta: Duration, event: Event) -> Result<Lost<Tick>> {
        event.apply(&mut self.timestep);
        let frame = self.timestep.advance(delta);
        for step in frame.steps() {
            self.step(&step)?;
        }
        Ok(frame.lost())
    }

    fn step(&mut self, step: &Step) -> Result<()> {
        if self.game.outcome() != Outcome::Running {
            self.game = self.pair.start()?.0;
            self.begun = step.tick;
        }
        let tick = step.tick - self.begun;
        if tick % PUSH_EVERY == PUSH_EVERY - 1 {
            self.game.nudge([0.7, 0.3]);
        }
        self.game.step(&Step::new(tick, self.rate()));
        Ok(())
    }

    fn hash(&self) -> u64 {
        self.game.hash()
    }
}
