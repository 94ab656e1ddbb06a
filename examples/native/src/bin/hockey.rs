//! Electric Field Hockey, with macroquad: place charges so that the puck flies into the goal.
//!
//! The mouse, the arrow keys or a gamepad's stick aim. A mouse button, the space bar or the lower button of a gamepad places a charge;
//! C or the left button of a gamepad changes its sign, the wheel its size, Backspace removes the last charge. Enter or Start shoots. 1 to 5
//! choose a level, H shows a solution, Escape ends. I, F, L and Tab change how the game is shown.
//!
//! `cargo run --release -p evenstep-examples --no-default-features --bin hockey`

use evenstep::filter::DisplayClock;
use evenstep::input::{Controls, InputBuffer};
use evenstep::{FixedTimestep, FrameClock, Rate, Smoothed, Step};
use evenstep_examples::{Key, Label, QuadWindow, direction};
use evenstep_scenes::hockey::{Charge, Hockey, LEVELS, Level};
use evenstep_scenes::{Outcome, Scene as _};
use macroquad::prelude::*;

const HELP: &str =
    "Click: charge   C: sign   Wheel: size   Backspace: undo   Enter: shoot   1-5: level   H: solve   Esc: end";
const LEVEL_KEYS: [Key; 5] = [Key::One, Key::Two, Key::Three, Key::Four, Key::Five];
const RED: Color = Color::new(0.98, 0.44, 0.52, 1.0);
const BLUE: Color = Color::new(0.49, 0.67, 1.0, 1.0);
const GREEN: Color = Color::new(0.29, 0.87, 0.5, 1.0);
const LIGHT: Color = Color::new(0.91, 0.9, 0.88, 1.0);
const DIM: Color = Color::new(0.44, 0.48, 0.58, 1.0);
const FIELD: Color = Color::new(0.11, 0.13, 0.19, 1.0);
const GROUND: Color = Color::new(0.05, 0.06, 0.08, 1.0);

const TEXT: f32 = 0.05; // height of the line of text at the top, as a part of the window's height

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

    fn step(&mut self, controls: &Controls<Key>, step: &Step) {
        self.puck.begin_step();
        let was_pressed = |key| controls.was_pressed(&key);
        let (by, size) = (direction(controls), self.hockey.level().size);
        for axis in 0..2 {
            let place = self.next.position[axis] + 20.0 * step.dt * f64::from(by[axis]);
            self.next.position[axis] = place.clamp(0.0, size[axis]);
        }
        let sign = if was_pressed(Key::C) { -1.0 } else { 1.0 };
        self.next.charge = (sign * self.next.charge + 25.0 * controls.wheel()[1]).clamp(-400.0, 400.0);
        let mut placed = self.placed.clone();
        if was_pressed(Key::Space) || was_pressed(Key::Click) {
            placed.push(self.next);
        }
        if was_pressed(Key::Backspace) {
            placed.pop();
        }
        if was_pressed(Key::H) {
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

    /// Fits the field, in metres from its lower left corner, between a line of text at the top and the `scene`'s lower edge.
    fn camera(&self, scene: f32) -> Camera2D {
        let [width, height] = self.hockey.level().size.map(|side| side as f32);
        let free = scene - TEXT * screen_height();
        let metre = (screen_width() / width).min(free / height);
        let [left, below] = [
            (screen_width() - width * metre) / 2.0,
            screen_height() - scene + (free - height * metre) / 2.0,
        ];
        let [across, up] = [screen_width(), screen_height()].map(|side| side / metre);
        Camera2D::from_display_rect(Rect::new(-left / metre, -below / metre, across, up))
    }

    fn draw(&self, alpha: f64, scene: f32) {
        let level = self.hockey.level();
        clear_background(GROUND);
        set_camera(&self.camera(scene));
        let [width, height] = level.size.map(|side| side as f32);
        draw_rectangle(0.0, 0.0, width, height, FIELD);
        draw_rectangle_lines(0.0, 0.0, width, height, 0.4, DIM);
        self.draw_forces();
        for wall in &level.walls {
            let (corner, size) = (vec(wall.min), vec(wall.max) - vec(wall.min));
            draw_rectangle(corner.x, corner.y, size.x, size.y, DIM);
            draw_rectangle(
                corner.x + 0.2,
                corner.y + 0.2,
                size.x - 0.4,
                size.y - 0.4,
                shade(DIM, 0.75),
            );
        }
        let [low, high] = level.goal.y.map(|y| vec([level.goal.x, y]));
        draw_rectangle(low.x, low.y, width - low.x, high.y - low.y, Color { a: 0.2, ..GREEN });
        draw_line(low.x, low.y, high.x, high.y, 0.5, GREEN);
        let flown = self.trail.len().max(1) as f32;
        for (age, pair) in (0..).zip(self.trail.windows(2)) {
            let [from, to] = [vec(pair[0]), vec(pair[1])];
            let colour = Color {
                a: 0.25 + 0.6 * age as f32 / flown,
                ..LIGHT
            };
            draw_line(from.x, from.y, to.x, to.y, 0.2, colour);
        }
        for Charge { position, charge } in self.hockey.charges() {
            let (middle, radius) = (vec(*position), 0.9 + (charge.abs() / 300.0) as f32);
            ball(middle, radius, colour(*charge));
            draw_sign(middle, 0.5 * radius, *charge);
        }
        ball(vec(self.puck.at(alpha)), level.puck.radius as f32, LIGHT);
        let Charge { position, charge } = self.next;
        let middle = vec(position);
        draw_circle_lines(middle.x, middle.y, 0.9, 0.2, colour(charge));
        draw_sign(middle, 0.45, charge);
        set_default_camera();
    }

    /// Draws the force on the puck at points of a grid. Arrows grow with the force up to 2 N.
    fn draw_forces(&self) {
        let [width, height] = self.hockey.level().size.map(|side| side as u32);
        for x in (2..width).step_by(4) {
            for y in (2..height).step_by(4) {
                let place = [x, y].map(f64::from);
                let force = vec(self.hockey.force_at(place));
                let size = (force.length() / 2.0).min(1.0);
                let way = force.normalize_or_zero();
                let (from, to) = (vec(place) - size * way, vec(place) + size * way);
                let colour = Color {
                    a: 0.35 + 0.5 * size,
                    ..DIM
                };
                draw_line(from.x, from.y, to.x, to.y, 0.12, colour);
                let (tip, side) = (to + 0.5 * size * way, 0.4 * size * way.perp());
                draw_triangle(tip, to + side, to - side, colour);
            }
        }
    }
}

fn colour(charge: f64) -> Color {
    if charge > 0.0 { RED } else { BLUE }
}

fn shade(colour: Color, part: f32) -> Color {
    Color::new(part * colour.r, part * colour.g, part * colour.b, colour.a)
}

/// A disc that is lit from the upper left.
fn ball(middle: Vec2, radius: f32, colour: Color) {
    for part in 0..6 {
        let part = part as f32 / 5.0;
        let lit = middle + 0.3 * part * radius * vec2(-0.7, 0.7);
        draw_poly(
            lit.x,
            lit.y,
            48,
            radius * (1.0 - 0.7 * part),
            0.0,
            shade(colour, 0.7 + 0.3 * part),
        );
    }
}

/// A plus or a minus.
fn draw_sign(middle: Vec2, half: f32, charge: f64) {
    let bar = |by: Vec2| {
        let (from, to) = (middle - by, middle + by);
        draw_line(from.x, from.y, to.x, to.y, 0.45 * half, LIGHT);
    };
    bar(vec2(half, 0.0));
    if charge > 0.0 {
        bar(vec2(0.0, half));
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
    let mut window = QuadWindow::new(HELP);
    let mut label = Label::default();
    while window.is_open() {
        for (at, event) in window.poll() {
            let _ = input.push(at, event); // cannot fail: there is room for the states of a thousand keys
        }
        if let Some(pixel) = window.mouse_moved() {
            let place = game.camera(window.scene_height()).screen_to_world(pixel);
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
        game.draw(alpha, window.scene_height());
        let message = format!("{}   next charge: {:+} µC", game.message, game.next.charge);
        let [left, top] = [0.01 * screen_height(), 0.0125 * screen_height()];
        label.draw(&message, [left, top], LIGHT);
        window.draw_help();
        next_frame().await;
    }
}
