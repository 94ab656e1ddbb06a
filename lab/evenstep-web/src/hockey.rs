//! The game of Electric Field Hockey.

use std::time::Duration;

use evenstep::{FixedTimestep, Rate, Smoothed, Step};
use evenstep_scenes::hockey::{Charge, Hockey, LEVELS, Level};
use evenstep_scenes::stepping::{Timestep, VariableTimestep};
use evenstep_scenes::{Outcome, Scene};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::imitated::ImitatedDisplay;
use crate::time::duration;

/// The largest charge that a player may place, in µC.
const LARGEST: f64 = 200.0;

/// The number of shots of a volley.
const VOLLEY: usize = 20;

/// A game of Electric Field Hockey.
#[wasm_bindgen]
pub struct HockeyFigure {
    level: Level,
    number: usize,
    placed: Vec<Charge>,
    display: ImitatedDisplay,
    /// The refresh rate in hertz and the jitter in milliseconds.
    imitated: (u32, f64),
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
        let number = level;
        let level = Level::find(&number.to_string()).map_err(|error| error.to_string())?;
        let placed = match charges {
            "none" => Vec::new(),
            "solution" => level.solution.clone(),
            text => Charge::parse_list(text).map_err(|error| error.to_string())?,
        };
        Hockey::new(level.clone(), &placed).map_err(|error| error.to_string())?;
        Ok(Self {
            level,
            number,
            placed,
            display: ImitatedDisplay::new(),
            imitated: (0, 0.0),
            shot: None,
        })
    }

    /// The names of the levels.
    pub fn levels() -> Vec<String> {
        LEVELS
            .iter()
            .map(|(file, text)| Level::parse(text, file).map_or_else(|_| (*file).to_owned(), |level| level.name))
            .collect()
    }

    /// The number of the level.
    #[wasm_bindgen(getter)]
    pub fn number(&self) -> usize {
        self.number
    }

    /// The number of charges that may still be placed.
    #[wasm_bindgen(getter)]
    pub fn left(&self) -> usize {
        self.level.placeable - self.placed.len()
    }

    /// Width and height of the field in metres, then x and y of the puck before the shot, and its radius.
    pub fn field(&self) -> Vec<f64> {
        let ([width, height], [x, y]) = (self.level.size, self.level.puck.position);
        vec![width, height, x, y, self.level.puck.radius]
    }

    /// Walls, four numbers each: x and y of the lower left and of the upper right corner in metres.
    pub fn walls(&self) -> Vec<f64> {
        let walls = self.level.walls.iter();
        walls.flat_map(|wall| wall.min.into_iter().chain(wall.max)).collect()
    }

    /// The goal's x, and its lower and upper y, in metres.
    pub fn goal(&self) -> Vec<f64> {
        let goal = &self.level.goal;
        vec![goal.x, goal.y[0], goal.y[1]]
    }

    /// The level's own charges, three numbers each: x and y in metres, µC.
    pub fn given(&self) -> Vec<f64> {
        flat(&self.level.charges)
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

    /// Places a charge: x and y in metres, and the charge in µC.
    pub fn place(&mut self, x: f64, y: f64, charge: f64) -> Result<(), String> {
        let mut placed = self.placed.clone();
        placed.push(self.charge(x, y, charge));
        self.try_placed(placed)
    }

    /// Moves or changes the player's charge with an index.
    pub fn change(&mut self, index: usize, x: f64, y: f64, charge: f64) -> Result<(), String> {
        let mut placed = self.placed.clone();
        let charge = self.charge(x, y, charge);
        let slot = placed.get_mut(index).ok_or("there is no such charge")?;
        *slot = charge;
        self.try_placed(placed)
    }

    /// Removes the player's charge with an index.
    pub fn remove(&mut self, index: usize) {
        if index < self.placed.len() {
            self.placed.remove(index);
        }
    }

    /// Limits a charge to the field and to the sizes that a player may place, and rounds its position to half metres.
    fn charge(&self, x: f64, y: f64, charge: f64) -> Charge {
        let on_grid = |value: f64, most: f64| (value * 2.0).round().clamp(0.0, most * 2.0) / 2.0;
        Charge {
            position: [on_grid(x, self.level.size[0]), on_grid(y, self.level.size[1])],
            charge: charge.round().clamp(-LARGEST, LARGEST),
        }
    }

    fn try_placed(&mut self, placed: Vec<Charge>) -> Result<(), String> {
        Hockey::new(self.level.clone(), &placed).map_err(|error| error.to_string())?;
        self.placed = placed;
        Ok(())
    }

    /// The force on the puck in newtons at `columns` × `rows` places of the field, x and y of each, row by row from
    /// below.
    pub fn forces(&self, columns: usize, rows: usize) -> Vec<f64> {
        let (columns, rows) = (columns.min(200), rows.min(200));
        let Ok(game) = Hockey::new(self.level.clone(), &self.placed) else {
            return Vec::new();
        };
        let [width, height] = self.level.size;
        let place = |n: usize, of: usize, side: f64| (n as f64 + 0.5) / of as f64 * side;
        (0..rows)
            .flat_map(|row| (0..columns).map(move |column| (column, row)))
            .flat_map(|(column, row)| game.force_at([place(column, columns, width), place(row, rows, height)]))
            .collect()
    }

    /// Shoots. With `frame_dependent` the puck's steps follow the frames of the display; else there are 60 a second.
    pub fn shoot(&mut self, frame_dependent: bool) -> Result<(), String> {
        self.shot = Some(self.shot(frame_dependent)?);
        Ok(())
    }

    fn shot(&self, frame_dependent: bool) -> Result<Shot, String> {
        let game = Hockey::new(self.level.clone(), &self.placed).map_err(|error| error.to_string())?;
        Ok(Shot {
            puck: Smoothed::new(game.puck().position),
            alpha: 0.0,
            trail: game.puck().position.to_vec(),
            game,
            timestep: if frame_dependent {
                VariableTimestep::new().into()
            } else {
                FixedTimestep::new(Rate::hz(60)).with_max_steps(64).into()
            },
        })
    }

    /// Shoots twenty times at once, on the imitated display; the real one counts as one at 60 Hz. Returns the largest distance between
    /// the ends of two shots in metres, then for each shot the number of its places, and x and y of each in metres.
    pub fn volley(&self, frame_dependent: bool) -> Result<Vec<f64>, String> {
        let mut display = ImitatedDisplay::new();
        let (refresh, jitter) = self.imitated;
        display.set_refresh(if refresh == 0 { 60 } else { refresh });
        display.set_jitter(jitter);
        let (mut ends, mut numbers) = (Vec::new(), vec![0.0]);
        for _ in 0..VOLLEY {
            let mut shot = self.shot(frame_dependent)?;
            while shot.game.outcome() == Outcome::Running {
                for delta in display.frames(Duration::from_millis(100)) {
                    shot.timestep.advance(delta).steps().for_each(|step| shot.step(&step));
                }
            }
            ends.push(shot.game.puck().position);
            numbers.push((shot.trail.len() / 2) as f64);
            numbers.extend(shot.trail);
        }
        let pairs = ends.iter().flat_map(|one| ends.iter().map(move |other| (one, other)));
        numbers[0] = pairs
            .map(|(one, other)| (one[0] - other[0]).hypot(one[1] - other[1]))
            .fold(0.0, f64::max);
        Ok(numbers)
    }

    /// Puts the puck back to its start.
    pub fn take_back(&mut self) {
        self.shot = None;
    }

    /// Imitates a display of `refresh` frames a second (0: the real one), whose times are measured with an error of
    /// up to `jitter` milliseconds.
    pub fn set_display(&mut self, refresh: u32, jitter: f64) {
        self.display.set_refresh(refresh);
        self.display.set_jitter(jitter);
        self.imitated = (refresh, jitter);
    }

    /// Lets time pass, in milliseconds. Returns the drawn position of the puck: x and y in metres.
    pub fn advance(&mut self, milliseconds: f64) -> Vec<f64> {
        let deltas = self.display.frames(duration(milliseconds));
        let Some(shot) = &mut self.shot else {
            return self.level.puck.position.to_vec();
        };
        for delta in deltas {
            let frame = shot.timestep.advance(delta);
            frame.steps().for_each(|step| shot.step(&step));
            shot.alpha = frame.alpha();
        }
        shot.puck.at(shot.alpha).to_vec()
    }

    /// The position of the puck after each step: x and y in metres.
    pub fn trail(&self) -> Vec<f64> {
        self.shot.as_ref().map(|shot| shot.trail.clone()).unwrap_or_default()
    }

    /// The state of the shot: `ready`, `running`, or how it ended: `goal`, `wall`, `out of time`.
    #[wasm_bindgen(getter)]
    pub fn outcome(&self) -> String {
        let Some(shot) = &self.shot else {
            return "ready".to_owned();
        };
        match shot.game.outcome() {
            Outcome::Running => "running".to_owned(),
            Outcome::Ended(how) => how.to_owned(),
            Outcome::Exploded => "exploded".to_owned(),
        }
    }

    /// The hash of the bits of the puck's state, as `evenstep-lab run hockey` prints it; empty before the shot.
    #[wasm_bindgen(getter)]
    pub fn hash(&self) -> String {
        let hash = self.shot.as_ref().map(|shot| shot.game.hash());
        hash.map(|hash| format!("{hash:016x}")).unwrap_or_default()
    }
}

impl Shot {
    fn step(&mut self, step: &Step) {
        if self.game.outcome() != Outcome::Running {
            return self.puck.begin_step();
        }
        self.puck.begin_step();
        self.game.step(step);
        self.puck.set(self.game.puck().position);
        self.trail.extend(self.game.puck().position);
    }
}

fn flat(charges: &[Charge]) -> Vec<f64> {
    let numbers = |charge: &Charge| [charge.position[0], charge.position[1], charge.charge];
    charges.iter().flat_map(numbers).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(figure: &mut HockeyFigure, frame_dependent: bool, refresh: u32) -> (String, String) {
        figure.set_display(refresh, 2.0);
        figure.shoot(frame_dependent).unwrap();
        for _ in 0..2000 {
            figure.advance(1000.0 / 60.0);
        }
        (figure.outcome(), figure.hash())
    }

    #[test]
    fn every_solution_wins_and_its_path_is_the_same_on_every_display() {
        for level in 1..=LEVELS.len() {
            let mut figure = HockeyFigure::new(level, "solution").unwrap();
            let first = play(&mut figure, false, 60);
            assert_eq!(first.0, "goal");
            for refresh in [10, 75, 240] {
                assert_eq!(play(&mut figure, false, refresh), first);
            }
        }
    }

    #[test]
    fn frame_dependent_steps_give_another_path_on_every_run() {
        let mut figure = HockeyFigure::new(3, "solution").unwrap();
        let one = play(&mut figure, true, 60);
        let other = play(&mut figure, true, 60);
        assert_ne!(one.1, other.1);
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
    fn the_puck_stands_still_between_two_frames_of_the_imitated_display() {
        for frame_dependent in [false, true] {
            let mut figure = HockeyFigure::new(3, "solution").unwrap();
            figure.set_display(24, 0.0);
            figure.shoot(frame_dependent).unwrap();
            // A second at 240 frames a second.
            let mut drawn: Vec<_> = (0..240).map(|_| figure.advance(1000.0 / 240.0)).collect();
            drawn.dedup();
            assert!((20..=25).contains(&drawn.len()), "{frame_dependent} {}", drawn.len());
        }
    }

    #[test]
    fn charges_are_kept_on_the_field_and_more_than_the_limit_are_an_error() {
        let mut figure = HockeyFigure::new(1, "none").unwrap();
        figure.place(1e9, -3.0, 1e9).unwrap();
        assert_eq!(figure.placed(), [60.0, 0.0, 200.0]);
        figure.place(30.2, 10.3, f64::NAN).unwrap_err();
        figure.place(30.2, 10.3, -25.0).unwrap();
        assert_eq!(figure.charges(), "60,0,200;30,10.5,-25");
        assert!(figure.place(1.0, 1.0, 1.0).unwrap_err().contains("allows 2"));
        figure.change(0, 5.0, 5.0, 10.0).unwrap();
        figure.change(7, 5.0, 5.0, 10.0).unwrap_err();
        figure.remove(1);
        assert_eq!((figure.charges().as_str(), figure.left()), ("5,5,10", 1));
    }

    #[test]
    fn a_link_that_cannot_be_played_says_why() {
        for (level, charges) in [(9, "none"), (1, "1,2"), (1, "1,2,3;4,5,6;7,8,9"), (1, "99,0,5")] {
            assert!(HockeyFigure::new(level, charges).is_err(), "{level} {charges}");
        }
    }

    #[test]
    fn forces_point_from_like_charges() {
        let mut figure = HockeyFigure::new(1, "none").unwrap();
        figure.place(30.0, 20.0, 100.0).unwrap();
        let forces = figure.forces(2, 1);
        assert!(forces[0] < 0.0 && forces[2] > 0.0);
    }
}
