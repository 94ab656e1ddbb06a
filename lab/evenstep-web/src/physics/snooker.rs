//! The figure of a snooker table that runs backwards.

use std::time::Duration;

use evenstep::history::{History, Rewind};
use evenstep::{FixedTimestep, Rate, Smoothed, Step, TimeScale};
use evenstep_scenes::{SNOOKER, SavedScene, Scene};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::time::duration;

/// A break in steps: ten seconds.
const LAST: u32 = 600;

/// A state is kept every so many steps; those between are simulated again.
const EVERY: u32 = 10;

/// The scene `snooker` on Rapier, with its history.
#[wasm_bindgen]
pub struct SnookerFigure {
    table: Table,
    history: History<SavedScene, ()>,
    timestep: FixedTimestep,
    /// The tick whose state is shown.
    #[wasm_bindgen(readonly)]
    pub tick: u32,
    /// The steps that the last change of the tick simulated again.
    #[wasm_bindgen(readonly)]
    pub again: u32,
    backwards: bool,
    drawn: Vec<Smoothed<[f32; 2]>>,
}

struct Table(Box<dyn Scene>);

impl Rewind for Table {
    type Saved = SavedScene;
    type Input = ();

    fn save(&self) -> SavedScene {
        self.0.save().expect("a scene on Rapier can be saved")
    }

    fn restore(&mut self, saved: &SavedScene) {
        self.0.restore(saved);
    }

    fn step(&mut self, step: &Step, (): &()) {
        self.0.step(step);
    }
}

impl Table {
    fn balls(&self) -> Vec<[f32; 2]> {
        self.0.blocks().iter().map(|block| block.pose.position).collect()
    }
}

#[wasm_bindgen]
impl SnookerFigure {
    /// A table before the break.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Result<Self, String> {
        let table = Table(SNOOKER.build("rapier2d").map_err(|error| error.to_string())?);
        Ok(Self {
            drawn: table.balls().into_iter().map(Smoothed::new).collect(),
            table,
            history: History::new(Rate::hz(60), EVERY, (LAST / EVERY) as usize + 1),
            timestep: FixedTimestep::new(Rate::hz(60)),
            tick: 0,
            backwards: false,
            again: 0,
        })
    }

    /// Sets the speed, as a fraction like `1/10`, and the direction of time.
    pub fn set_time(&mut self, scale: &str, backwards: bool) {
        self.timestep.set_time_scale(scale.parse().unwrap_or(TimeScale::NORMAL));
        self.backwards = backwards;
    }

    /// Jumps to the state before a tick, and shows it.
    pub fn seek(&mut self, tick: u32) -> Result<(), String> {
        self.go_to(tick.min(LAST))?;
        for (drawn, ball) in self.drawn.iter_mut().zip(self.table.balls()) {
            *drawn = Smoothed::new(ball);
        }
        Ok(())
    }

    /// Lets time pass, in milliseconds. Returns x and y of each ball in metres; the cue ball is the first.
    pub fn advance(&mut self, milliseconds: f64) -> Result<Vec<f32>, String> {
        let frame = self
            .timestep
            .advance(duration(milliseconds).min(Duration::from_millis(250)));
        for _ in frame.steps() {
            let next = if self.backwards {
                self.tick.checked_sub(1)
            } else {
                Some(self.tick + 1)
            };
            self.drawn.iter_mut().for_each(Smoothed::begin_step);
            if let Some(next) = next.filter(|next| *next <= LAST) {
                self.go_to(next)?;
            }
            for (drawn, ball) in self.drawn.iter_mut().zip(self.table.balls()) {
                drawn.set(ball);
            }
        }
        Ok(self.drawn.iter().flat_map(|ball| ball.at(frame.alpha())).collect())
    }

    fn go_to(&mut self, tick: u32) -> Result<(), String> {
        let newest = self.history.newest();
        let again = self.history.seek(&mut self.table, newest.min(tick.into()));
        self.again = again.map_err(|error| error.to_string())? as u32;
        for _ in newest..tick.into() {
            self.history.step(&mut self.table, ());
        }
        self.tick = tick;
        Ok(())
    }

    /// The hash of the state's bits.
    #[wasm_bindgen(getter)]
    pub fn hash(&self) -> String {
        format!("{:016x}", self.table.0.hash())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tick_has_the_same_bits_whichever_way_time_came_to_it() {
        let mut figure = SnookerFigure::new().unwrap();
        figure.seek(100).unwrap();
        let expected = figure.hash();
        figure.seek(333).unwrap();
        figure.set_time("4", true);
        while figure.tick > 100 {
            figure.advance(1000.0 / 240.0).unwrap();
        }
        assert_eq!((figure.tick, figure.hash()), (100, expected));
        assert!(figure.again < EVERY);
        for _ in 0..100 {
            figure.advance(16.0).unwrap();
        }
        assert_eq!(figure.tick, 0);
    }
}
