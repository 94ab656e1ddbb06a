//! The rules of the game, and its pictures.

use evenstep::Smoothed;
use evenstep::input::{Button, Controls};
use evenstep_scenes::hockey::{Charge, Hockey, LEVELS, Level};
use evenstep_scenes::{Outcome, Scene as _};
use macroquad::prelude::*;
use winit::keyboard::KeyCode as Key;

const LEVEL_KEYS: [Key; 5] = [Key::Digit1, Key::Digit2, Key::Digit3, Key::Digit4, Key::Digit5];

const RED: Color = Color::new(0.98, 0.44, 0.52, 1.0);
const BLUE: Color = Color::new(0.49, 0.67, 1.0, 1.0);
const LIGHT: Color = Color::new(0.91, 0.9, 0.88, 1.0);
const DIM: Color = Color::new(0.42, 0.44, 0.48, 1.0);

/// A level that is played.
pub(crate) struct Game {
    hockey: Hockey,
    level: usize,
    placed: Vec<Charge>,
    puck: Smoothed<[f64; 2]>,
    trail: Vec<[f64; 2]>,
    is_shot: bool,
    aim: [f64; 2],
    /// Of the next charge, in µC.
    charge: f64,
    message: String,
}

impl Game {
    pub(crate) fn new(level: usize) -> Self {
        let level_of = Level::parse(LEVELS[level].1, LEVELS[level].0).expect("the levels that come with it are right");
        let aim = level_of.size.map(|side| side / 2.0);
        let message = format!("{}: {} charges to place, then Enter", level_of.name, level_of.placeable);
        let hockey = Hockey::new(level_of, &[]).expect("no charge is always right");
        let puck = Smoothed::new(hockey.puck().position);
        Self {
            hockey,
            level,
            placed: Vec::new(),
            puck,
            trail: Vec::new(),
            is_shot: false,
            aim,
            charge: -50.0,
            message,
        }
    }

    /// Begins the level anew with these charges, unless they cannot be.
    fn place(&mut self, placed: Vec<Charge>) {
        match Hockey::new(self.hockey.level().clone(), &placed) {
            Ok(hockey) => {
                (self.hockey, self.placed, self.is_shot) = (hockey, placed, false);
                self.trail.clear();
                // The puck is at its start again, and nowhere in between.
                self.puck.teleport();
                self.puck.set(self.hockey.puck().position);
            }
            Err(error) => self.message = error.to_string(),
        }
    }

    pub(crate) fn step(&mut self, controls: &Controls<Button>, step: &evenstep::Step) {
        self.puck.begin_step();
        let was_pressed = |key| controls.was_pressed(&Button::Key(key));
        let axis = |less, more| {
            let is_held = |key| f64::from(controls.is_held(&Button::Key(key)));
            is_held(more) - is_held(less)
        };
        let by = [
            axis(Key::ArrowLeft, Key::ArrowRight),
            axis(Key::ArrowDown, Key::ArrowUp),
        ];
        let size = self.hockey.level().size;
        self.aim = [0, 1].map(|axis| (self.aim[axis] + 20.0 * step.dt * by[axis]).clamp(0.0, size[axis]));
        self.charge = (self.charge + 25.0 * controls.wheel()[1].signum() * f64::from(controls.wheel()[1] != 0.0))
            .clamp(-400.0, 400.0);
        if was_pressed(Key::KeyC) {
            self.charge = -self.charge;
        }
        if was_pressed(Key::Space) || controls.was_pressed(&Button::Mouse(winit::event::MouseButton::Left)) {
            let charge = Charge {
                position: self.aim,
                charge: self.charge,
            };
            self.place(self.placed.iter().copied().chain([charge]).collect());
        }
        if was_pressed(Key::Backspace) {
            self.place(self.placed.split_last().map_or(Vec::new(), |(_, rest)| rest.to_vec()));
        }
        if was_pressed(Key::KeyH) {
            self.place(self.hockey.level().solution.clone());
        }
        if let Some(level) = LEVEL_KEYS.iter().position(|key| was_pressed(*key)) {
            *self = Self::new(level);
        }
        if was_pressed(Key::Enter) {
            self.place(self.placed.clone());
            self.is_shot = true;
        }
        if self.is_shot && self.hockey.outcome() == Outcome::Running {
            self.hockey.step(step);
            self.puck.set(self.hockey.puck().position);
            self.trail.push(self.hockey.puck().position);
            if let Outcome::Ended(how) = self.hockey.outcome() {
                self.message = format!("level {}: {how}", self.level + 1);
            }
        }
    }

    pub(crate) fn draw(&self, alpha: f64) {
        clear_background(Color::new(0.07, 0.08, 0.1, 1.0));
        let Level {
            size,
            goal,
            walls,
            puck,
            ..
        } = self.hockey.level();
        let scale = metre(*size);
        let at = |[x, y]: [f64; 2]| vec2(x as f32 * scale, (size[1] - y) as f32 * scale);
        for x in (2..size[0] as u32).step_by(4) {
            for y in (2..size[1] as u32).step_by(4) {
                let place = [f64::from(x), f64::from(y)];
                let force = self.hockey.force_at(place).map(|part| part as f32);
                let force = vec2(force[0], -force[1]);
                let (from, by) = (
                    at(place),
                    force.normalize_or_zero() * scale * 1.4 * (force.length() / 2.0).min(1.0),
                );
                draw_line(
                    from.x,
                    from.y,
                    from.x + by.x,
                    from.y + by.y,
                    1.0,
                    Color { a: 0.6, ..DIM },
                );
                draw_circle(from.x, from.y, 1.0, DIM);
            }
        }
        for wall in walls {
            let (corner, [w, h]) = (
                at([wall.min[0], wall.max[1]]),
                [0, 1].map(|axis| (wall.max[axis] - wall.min[axis]) as f32 * scale),
            );
            draw_rectangle(corner.x, corner.y, w, h, DIM);
        }
        let [low, high] = goal.y.map(|y| at([goal.x, y]));
        draw_line(
            low.x,
            low.y,
            high.x,
            high.y,
            0.5 * scale,
            Color::new(0.29, 0.87, 0.5, 1.0),
        );
        for charge in self.hockey.charges() {
            let place = at(charge.position);
            let radius = scale * (0.6 + (charge.charge.abs() / 300.0) as f32);
            draw_circle(place.x, place.y, radius, if charge.charge > 0.0 { RED } else { BLUE });
        }
        for pair in self.trail.windows(2) {
            let (from, to) = (at(pair[0]), at(pair[1]));
            draw_line(from.x, from.y, to.x, to.y, 1.5, Color { a: 0.5, ..LIGHT });
        }
        let place = at(self.puck.at(alpha));
        draw_circle(place.x, place.y, puck.radius as f32 * scale, LIGHT);
        let aim = at(self.aim);
        draw_circle_lines(
            aim.x,
            aim.y,
            0.8 * scale,
            2.0,
            if self.charge > 0.0 { RED } else { BLUE },
        );
        let message = format!("{}   next charge {:+} µC", self.message, self.charge);
        draw_text(&message, 8.0, 1.8 * scale, 2.0 * scale, LIGHT);
    }

    /// Aims at a pixel of the window.
    pub(crate) fn aim_at(&mut self, [x, y]: [f32; 2]) {
        let size = self.hockey.level().size;
        let metre = f64::from(metre(size));
        self.aim = [f64::from(x) / metre, size[1] - f64::from(y) / metre];
    }
}

/// Pixels of a metre, so that all of the field is in the window.
fn metre(size: [f64; 2]) -> f32 {
    (screen_width() / size[0] as f32).min(screen_height() / size[1] as f32)
}
