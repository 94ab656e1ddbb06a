//! The game of Electric Field Hockey.

use std::time::Duration;

use evenstep::{FixedTimestep, Rate, Smoothed, Step};
use evenstep_scenes::hockey::{Charge, FIELD, GOAL, Hockey, LEVELS, Level, RADIUS};
use evenstep_scenes::stepping::Timestep;
use evenstep_scenes::{Outcome, Scene, SceneState as _};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::emulated_display::EmulatedDisplay;
use crate::time::duration;

/// The number of shots of a volley.
const VOLLEY: usize = 20;

/// A game of Electric Field Hockey, with some charges.
#[wasm_bindgen]
pub struct HockeyFigure {
    level: &'static Level,
    placed: Vec<Charge>,
    display: EmulatedDisplay,
    /// The refresh rate in hertz and the jitter in milliseconds.
    emulated: (u32, f64),
    shot: Option<Shot>,
}

/// A puck on its way.
struct Shot {
    game: Hockey,
    timestep: Timestep,
    puck: Smoothed<[f64; 2]>,
    /// The alpha of the last frame that was shown.
    alpha: f64,
    /// The position of the puck after each step.
    trail: Vec<f64>,
}

#[wasm_bindgen]
impl HockeyFigure {
    /// A level by its number, counted from 1, with charges in the format of links: `x,y,µC;…`, `none` or `solution`.
    #[wasm_bindgen(constructor)]
    pub fn new(level: usize, charges: &str) -> Result<Self, String> {
        let (level, placed) = Level::read(level, charges)?;
        Hockey::new(level, &placed).map_err(|error| error.to_string())?;
        Ok(Self {
            level,
            placed,
            display: EmulatedDisplay::new(0),
            emulated: (0, 0.0),
            shot: None,
        })
    }

    /// The names of the levels.
    pub fn levels() -> Vec<String> {
        LEVELS.iter().map(|level| level.name.to_owned()).collect()
    }

    /// The number of charges that may still be placed.
    #[wasm_bindgen(getter)]
    pub fn left(&self) -> usize {
        self.level.placeable - self.placed.len()
    }

    /// Width and height of the field, and the radius of the puck, in metres.
    pub fn field() -> Vec<f64> {
        vec![FIELD[0], FIELD[1], RADIUS]
    }

    /// Walls, four numbers each: x and y of the lower left and of the upper right corner in metres.
    pub fn walls(&self) -> Vec<f64> {
        let walls = self.level.walls.iter();
        walls.flat_map(|wall| wall.min.into_iter().chain(wall.max)).collect()
    }

    /// The goal's x, and its lower and upper y, in metres.
    pub fn goal(&self) -> Vec<f64> {
        let [low, high] = self.level.goal;
        vec![GOAL, low, high]
    }

    /// The level's own charges, three numbers each: x and y in metres, µC.
    pub fn given(&self) -> Vec<f64> {
        flat(self.level.charges)
    }

    /// The player's charges, three numbers each: x and y in metres, µC.
    pub fn placed(&self) -> Vec<f64> {
        flat(&self.placed)
    }

    /// The player's charges in the format of links.
    #[wasm_bindgen(getter)]
    pub fn charges(&self) -> String {
        Charge::format_list(&self.placed)
    }

    /// The force on the puck in newtons at `columns` × `rows` places of the field, x and y of each, row by row from
    /// below.
    pub fn forces(&self, columns: usize, rows: usize) -> Result<Vec<f64>, String> {
        let (columns, rows) = (columns.min(200), rows.min(200));
        let game = self.game()?;
        let place = |n: usize, of: usize, side: f64| (n as f64 + 0.5) / of as f64 * side;
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        let [width, height] = FIELD;
        let force = |(column, row)| game.force_at([place(column, columns, width), place(row, rows, height)]);
        Ok(places.flat_map(force).collect())
    }

    fn game(&self) -> Result<Hockey, String> {
        Hockey::new(self.level, &self.placed).map_err(|error| error.to_string())
    }

    /// Shoots, with 60 steps a second.
    pub fn shoot(&mut self) -> Result<(), String> {
        self.shot = Some(self.shot(false)?);
        Ok(())
    }

    /// A shot with a step for each frame of the display, or with 60 steps a second.
    fn shot(&self, frame_dependent: bool) -> Result<Shot, String> {
        let game = self.game()?;
        Ok(Shot {
            puck: Smoothed::new(game.puck()),
            alpha: 0.0,
            trail: game.puck().to_vec(),
            game,
            timestep: match frame_dependent {
                true => Timestep::variable(),
                false => Timestep::fixed(FixedTimestep::new(Rate::hz(60)).with_max_steps(64)),
            },
        })
    }

    /// Shoots twenty times at once, on the emulated display; the real one counts as one at 60 Hz. With `frame_dependent` the puck's steps
    /// follow the frames of the display; else there are 60 a second. Returns the largest distance between the ends of two shots in metres,
    /// then for each shot the number of its places, and x and y of each in metres.
    pub fn volley(&self, frame_dependent: bool) -> Result<Vec<f64>, String> {
        let (refresh, jitter) = self.emulated;
        let mut display = EmulatedDisplay::new(if refresh == 0 { 60 } else { refresh });
        display.set_jitter(jitter);
        let (mut ends, mut numbers) = (Vec::new(), vec![0.0]);
        for _ in 0..VOLLEY {
            let mut shot = self.shot(frame_dependent)?;
            while shot.game.outcome() == Outcome::Running {
                for delta in display.frames(Duration::from_millis(100)) {
                    shot.advance(delta);
                }
            }
            ends.push(shot.game.puck());
            numbers.push((shot.trail.len() / 2) as f64);
            numbers.extend(shot.trail);
        }
        let pairs = ends.iter().flat_map(|one| ends.iter().map(move |other| (one, other)));
        numbers[0] = pairs
            .map(|(one, other)| (one[0] - other[0]).hypot(one[1] - other[1]))
            .fold(0.0, f64::max);
        Ok(numbers)
    }

    /// Emulates a display of `refresh` frames a second (0: the real one), whose times are measured with an error of
    /// up to `jitter` milliseconds.
    pub fn set_display(&mut self, refresh: u32, jitter: f64) {
        self.display.set_refresh(refresh);
        self.display.set_jitter(jitter);
        self.emulated = (refresh, jitter);
    }

    /// Lets time pass, in milliseconds. Returns the drawn position of the puck: x and y in metres.
    pub fn advance(&mut self, milliseconds: f64) -> Vec<f64> {
        let deltas = self.display.frames(duration(milliseconds));
        let Some(shot) = &mut self.shot else {
            return self.level.puck.to_vec();
        };
        deltas.into_iter().for_each(|delta| shot.advance(delta));
        shot.puck.at(shot.alpha).to_vec()
    }

    /// The position of the puck after each step: x and y in metres.
    pub fn trail(&self) -> Vec<f64> {
        self.shot.as_ref().map(|shot| shot.trail.clone()).unwrap_or_default()
    }

    /// The state of the shot: `ready`, `running`, or how it ended: `goal`, `wall`, `out of time`.
    #[wasm_bindgen(getter)]
    pub fn outcome(&self) -> String {
        let outcome = self.shot.as_ref().map(|shot| shot.game.outcome());
        let outcome = match outcome {
            None => "ready",
            Some(Outcome::Running) => "running",
            Some(Outcome::Ended(how)) => how,
            Some(Outcome::Exploded) => "exploded",
        };
        outcome.to_owned()
    }

    /// The number of steps of the shot so far.
    #[wasm_bindgen(getter)]
    pub fn tick(&self) -> u32 {
        self.shot.as_ref().map_or(0, |shot| shot.trail.len() as u32 / 2 - 1)
    }

    /// The hash of the bits of the puck's state, as the example `hockey` of `evenstep-scenes` prints it; empty before the shot.
    #[wasm_bindgen(getter)]
    pub fn hash(&self) -> String {
        let hash = self.shot.as_ref().map(|shot| shot.game.hash());
        hash.map(|hash| format!("{hash:016x}")).unwrap_or_default()
    }
}

impl Shot {
    fn advance(&mut self, delta: Duration) {
        let frame = self.timestep.advance(delta);
        frame.steps().for_each(|step| self.step(&step));
        self.alpha = frame.alpha();
    }

    fn step(&mut self, step: &Step) {
        self.puck.begin_step();
        if self.game.outcome() != Outcome::Running {
            return;
        }
        self.game.step(step);
        self.puck.set(self.game.puck());
        self.trail.extend(self.game.puck());
    }
}

fn flat(charges: &[Charge]) -> Vec<f64> {
    let numbers = |charge: &Charge| [charge.position[0], charge.position[1], charge.charge];
    charges.iter().flat_map(numbers).collect()
}

#[cfg(test)]
mod tests {
    use evenstep_scenes::hockey::INFO;

    use super::*;

    fn play(figure: &mut HockeyFigure, refresh: u32) -> (String, String) {
        figure.set_display(refresh, 2.0);
        figure.shoot().unwrap();
        while figure.outcome() == "running" {
            figure.advance(1000.0 / 60.0);
        }
        (figure.outcome(), figure.hash())
    }

    #[test]
    fn every_solution_wins_and_its_path_is_the_same_on_every_display() {
        for level in 1..=LEVELS.len() {
            let mut figure = HockeyFigure::new(level, "solution").unwrap();
            let first = play(&mut figure, 60);
            assert_eq!(first.0, "goal");
            for refresh in [10, 75, 240] {
                assert_eq!(play(&mut figure, refresh), first);
            }
        }
    }

    #[test]
    fn the_hash_and_its_tick_are_those_of_the_scene_in_a_program_of_its_own() {
        for level in 1..=LEVELS.len() {
            let mut figure = HockeyFigure::new(level, "solution").unwrap();
            play(&mut figure, 75);
            let (level, charges) = Level::read(level, &figure.charges()).unwrap();
            let mut game = Hockey::new(level, &charges).unwrap();
            let mut tick = 0;
            while game.outcome() == Outcome::Running {
                game.step(&Step::new(tick, INFO.rate));
                tick += 1;
            }
            assert_eq!(
                (u64::from(figure.tick()), figure.hash()),
                (tick, format!("{:016x}", game.hash()))
            );
        }
    }

    #[test]
    fn the_ends_of_twenty_shots_lie_apart_with_a_step_per_frame_and_on_one_place_with_fixed_steps() {
        for level in 1..=LEVELS.len() {
            let mut figure = HockeyFigure::new(level, "solution").unwrap();
            figure.set_display(0, 2.0);
            let spread = [true, false].map(|frame_dependent| figure.volley(frame_dependent).unwrap()[0]);
            println!("level {level}: {spread:?} m");
            assert!(spread[0] > 0.0, "level {level}");
            assert_eq!(spread[1], 0.0, "level {level}");
        }
    }

    #[test]
    fn the_puck_stands_still_between_two_frames_of_the_emulated_display() {
        let mut figure = HockeyFigure::new(3, "solution").unwrap();
        figure.set_display(24, 0.0);
        figure.shoot().unwrap();
        // A second at 240 frames a second.
        let mut drawn: Vec<_> = (0..240).map(|_| figure.advance(1000.0 / 240.0)).collect();
        drawn.dedup();
        assert!((20..=25).contains(&drawn.len()), "{}", drawn.len());
    }

    #[test]
    fn a_link_that_cannot_be_played_says_why() {
        for (level, charges) in [(9, "none"), (1, "1,2"), (1, "1,2,3;4,5,6;7,8,9"), (1, "99,0,5")] {
            assert!(HockeyFigure::new(level, charges).is_err(), "{level} {charges}");
        }
    }

    #[test]
    fn forces_point_from_like_charges() {
        let figure = HockeyFigure::new(1, "30,20,100").unwrap();
        let forces = figure.forces(2, 1).unwrap();
        assert!(forces[0] < 0.0 && forces[2] > 0.0);
    }
}
