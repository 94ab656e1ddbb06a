//! Electric Field Hockey, with macroquad: place charges so that the puck flies into the goal.
//!
//! The mouse, the arrow keys or a gamepad's stick aim. A mouse button, the space bar or the lower button of a gamepad places a charge;
//! C or the left button of a gamepad changes its sign, the wheel its size, Backspace removes the last charge. Enter or Start shoots. 1 to 5
//! choose a level, H shows a solution, Escape ends. I, F, L and Tab change how the game is shown.
//!
//! `cargo run --release -p evenstep-examples --no-default-features --bin hockey`

use evenstep::filter::DisplayClock;
use evenstep::input::{Button, Controls, InputBuffer};
use evenstep::{FixedTimestep, FrameClock, Rate, Smoothed, Step};
use evenstep_examples::{QuadWindow, direction};
use evenstep_scenes::hockey::{Charge, Hockey, LEVELS, Level};
use evenstep_scenes::{Outcome, Scene as _};
use macroquad::prelude::*;
use winit::keyboard::KeyCode as Key;

const HELP: &str =
    "Click place a charge   C sign   Wheel size   Backspace undo   Enter shoot   1-5 level   H solution   Esc end";
const LEVEL_KEYS: [Key; 5] = [Key::Digit1, Key::Digit2, Key::Digit3, Key::Digit4, Key::Digit5];
const RED: Color = Color::new(0.98, 0.44, 0.52, 1.0);
const BLUE: Color = Color::new(0.49, 0.67, 1.0, 1.0);
const GREEN: Color = Color::new(0.29, 0.87, 0.5, 1.0);
const LIGHT: Color = Color::new(0.91, 0.9, 0.88, 1.0);
const DIM: Color = Color::new(0.42, 0.44, 0.48, 1.0);

/// A level while it is played. Lengths in metres, charges in µC.
struct Game {
    hockey: Hockey,
    level: usize,
    placed: Vec<Charge>,
    puck: Smoothed<[f64; 2]>,
    trail: Vec<[f64; 2]>,
    is_shot: bool,
    next: Charge,
    message: String,
}

impl Game {
    fn new(level: usize) -> Self {
        let (file, text) = LEVELS[level];
        let rules = Level::parse(text, file).expect("the levels that come with it are right");
        let position = rules.size.map(|side| side / 2.0);
        let message = format!("{}: {} charges to place, then Enter", rules.name, rules.placeable);
        let puck = Smoothed::new(rules.puck.position);
        Self {
            hockey: Hockey::new(rules, &[]).expect("no charge is always right"),
            level,
            placed: Vec::new(),
            puck,
            trail: Vec::new(),
            is_shot: false,
            next: Charge {
                position,
                charge: -50.0,
            },
            message,
        }
    }

    /// Restarts the level with these charges, or shows an error if they are invalid.
    fn place(&mut self, placed: Vec<Charge>) {
        match Hockey::new(self.hockey.level().clone(), &placed) {
            Ok(hockey) => {
                (self.hockey, self.placed, self.is_shot) = (hockey, placed, false);
                self.trail.clear();
                // The puck is back at its start, and not drawn in between.
                self.puck.teleport();
                self.puck.set(self.hockey.puck().position);
            }
            Err(error) => self.message = error.to_string(),
        }
    }

    fn step(&mut self, controls: &Controls<Button>, step: &Step) {
        self.puck.begin_step();
        let was_pressed = |key| controls.was_pressed(&Button::Key(key));
        let was_clicked = controls.was_pressed(&Button::Mouse(winit::event::MouseButton::Left));
        let (by, size) = (direction(controls), self.hockey.level().size);
        for axis in 0..2 {
            let place = self.next.position[axis] + 20.0 * step.dt * f64::from(by[axis]);
            self.next.position[axis] = place.clamp(0.0, size[axis]);
        }
        let sign = if was_pressed(Key::KeyC) { -1.0 } else { 1.0 };
        self.next.charge = (sign * self.next.charge + 25.0 * controls.wheel()[1]).clamp(-400.0, 400.0);
        let mut placed = self.placed.clone();
        if was_pressed(Key::Space) || was_clicked {
            placed.push(self.next);
        }
        if was_pressed(Key::Backspace) {
            placed.pop();
        }
        if was_pressed(Key::KeyH) {
            placed.clone_from(&self.hockey.level().solution);
        }
        if placed != self.placed || was_pressed(Key::Enter) {
            self.place(placed);
            self.is_shot = was_pressed(Key::Enter);
        }
        if let Some(level) = LEVEL_KEYS.iter().position(|key| was_pressed(*key)) {
            *self = Self::new(level);
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

    /// Draws the whole field, in metres from its lower left corner.
    fn camera(&self) -> Camera2D {
        let [width, height] = self.hockey.level().size.map(|side| side as f32);
        let metre = (screen_width() / width).min(screen_height() / height);
        Camera2D::from_display_rect(Rect::new(0.0, 0.0, screen_width() / metre, screen_height() / metre))
    }

    fn draw(&self, alpha: f64) {
        let level = self.hockey.level();
        clear_background(Color::new(0.07, 0.08, 0.1, 1.0));
        set_camera(&self.camera());
        let line = |from: Vec2, to: Vec2, thickness, colour| draw_line(from.x, from.y, to.x, to.y, thickness, colour);
        for x in (2..level.size[0] as u32).step_by(4) {
            for y in (2..level.size[1] as u32).step_by(4) {
                let place = [x, y].map(f64::from);
                let force = vec(self.hockey.force_at(place));
                let arrow = 1.4 * force.normalize_or_zero() * (force.length() / 2.0).min(1.0);
                line(vec(place), vec(place) + arrow, 0.1, DIM);
                draw_circle(x as f32, y as f32, 0.12, DIM);
            }
        }
        for wall in &level.walls {
            let (corner, size) = (vec(wall.min), vec(wall.max) - vec(wall.min));
            draw_rectangle(corner.x, corner.y, size.x, size.y, DIM);
        }
        let [low, high] = level.goal.y.map(|y| vec([level.goal.x, y]));
        line(low, high, 0.5, GREEN);
        for pair in self.trail.windows(2) {
            line(vec(pair[0]), vec(pair[1]), 0.15, DIM);
        }
        let colour = |charge: f64| if charge > 0.0 { RED } else { BLUE };
        for Charge { position, charge } in self.hockey.charges() {
            let radius = 0.6 + (charge.abs() / 300.0) as f32;
            draw_circle(position[0] as f32, position[1] as f32, radius, colour(*charge));
        }
        let puck = vec(self.puck.at(alpha));
        draw_circle(puck.x, puck.y, level.puck.radius as f32, LIGHT);
        let Charge { position, charge } = self.next;
        draw_circle_lines(position[0] as f32, position[1] as f32, 0.8, 0.2, colour(charge));
        set_default_camera();
        let message = format!("{}   next charge {charge:+} µC", self.message);
        let height = screen_height() / 20.0;
        draw_text(&message, 8.0, height, height, LIGHT);
    }
}

fn vec([x, y]: [f64; 2]) -> Vec2 {
    vec2(x as f32, y as f32)
}

fn window() -> Conf {
    QuadWindow::conf("Electric Field Hockey")
}

#[macroquad::main(window)]
async fn main() {
    let (mut clock, mut timestep) = (FrameClock::new(DisplayClock::new()), FixedTimestep::new(Rate::hz(60)));
    let (mut input, mut controls) = (InputBuffer::new(1024), Controls::new());
    let (mut game, mut alpha) = (Game::new(0), 0.0);
    let mut window = QuadWindow::new();
    while window.is_open() {
        for (at, event) in window.poll() {
            let _ = input.push(at, event); // cannot fail: there is room for the states of a thousand keys
        }
        if let Some(pixel) = window.mouse_moved() {
            let place = game.camera().screen_to_world(pixel);
            game.next.position = [place.x, place.y].map(f64::from);
        }
        if window.is_hidden() {
            timestep.suspend();
        } else {
            timestep.resume();
        }
        if let Some(now) = window.frame_time() {
            timestep.set_time_scale(window.view().time_scale());
            let time = clock.begin_frame(now);
            let frame = timestep.advance(time.delta);
            input.begin_frame(&time, &frame);
            for step in frame.steps() {
                controls.take(&mut input, &step);
                game.step(&controls, &step);
            }
            alpha = window.view().alpha(&frame);
            window.drawn(now, &frame, timestep.rate(), clock.filter());
        }
        game.draw(alpha);
        window.draw_help(HELP);
        next_frame().await;
    }
}
