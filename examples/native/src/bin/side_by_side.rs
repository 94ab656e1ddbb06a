//! The same wheel twice, with macroquad: above drawn in the newest state, below interpolated. There are only 25 steps a second, which
//! divides no usual refresh rate. The dots on the ground are the places at which the last frames have drawn the wheel.
//!
//! `cargo run --release -p evenstep-examples --bin side_by_side`

use std::collections::VecDeque;
use std::f32::consts::FRAC_PI_3;
use std::process::ExitCode;

use evenstep::input::Controls;
use evenstep::{FrameStats, GameLoop, Rate, Smoothed, Smoothing, Step, TimeScale};
use evenstep_examples::{draw_panel, open, push_keys};
use macroquad::prelude::*;

const HELP: &str = "Left, Right: push the wheel   Space: jump   L: slow motion   Tab: panel   Escape: end";
const KEYS: [KeyCode; 3] = [KeyCode::Left, KeyCode::Right, KeyCode::Space];
const WIDTH: f64 = 16.0; // width of a lane, in metres
const RADIUS: f64 = 0.8;
const DOTS: usize = 60; // frames whose places are shown
const ORANGE: Color = Color::new(0.98, 0.57, 0.24, 1.0);
const BLUE: Color = Color::new(0.49, 0.67, 1.0, 1.0);
const SKY: Color = Color::new(0.13, 0.15, 0.22, 1.0);
const GROUND: Color = Color::new(0.08, 0.09, 0.12, 1.0);

struct Wheel {
    place: Smoothed<[f64; 2]>, // the distance rolled and the height, in metres
    velocity: [f64; 2],
}

impl Wheel {
    fn step(&mut self, step: &Step, controls: &Controls<KeyCode>) {
        self.place.begin_step();
        let [x, height] = self.place.current_mut();
        let [rolls, rises] = &mut self.velocity;
        let push = |key, by| if controls.is_down(&key) { by } else { 0.0 };
        let by = push(KeyCode::Right, 12.0) + push(KeyCode::Left, -12.0);
        *rolls = (*rolls + by * step.dt).clamp(-9.0, 9.0);
        *rises = match *height > 0.0 {
            true => *rises - 14.0 * step.dt,
            false if controls.was_pressed(&KeyCode::Space) => 6.5,
            false => 0.0,
        };
        *x += *rolls * step.dt;
        *height = (*height + *rises * step.dt).max(0.0);
        let beyond = x.rem_euclid(WIDTH + 4.0 * RADIUS) - *x;
        if beyond != 0.0 {
            // The wheel enters again on the other side, and is not drawn in between.
            *x += beyond;
            self.place.teleport();
        }
    }
}

/// A half of the window, and how it shows the wheel.
struct Lane {
    smoothing: Smoothing,
    colour: Color,
    stats: FrameStats<240>,
    text: String,
    drawn: VecDeque<f64>, // where the last frames have drawn the wheel, the newest first
}

impl Lane {
    fn new((smoothing, colour): (Smoothing, Color)) -> Self {
        Self {
            smoothing,
            colour,
            stats: FrameStats::new(),
            text: String::new(),
            drawn: VecDeque::new(),
        }
    }

    /// Draws the wheel at a place between two heights of the window, in pixels.
    fn draw(&mut self, [x, height]: [f64; 2], top: f32, bottom: f32) {
        self.drawn.truncate(DOTS - 1);
        self.drawn.push_front(x);
        let (metre, ground) = (screen_width() / WIDTH as f32, bottom - 0.2 * (bottom - top));
        draw_rectangle(0.0, top, screen_width(), ground - top, SKY);
        draw_rectangle(0.0, ground, screen_width(), bottom - ground, GROUND);
        let left = |x: f64| (x - 2.0 * RADIUS) as f32 * metre;
        for (age, x) in (0..).zip(&self.drawn) {
            let fade = self.colour.with_alpha(0.9 * (1.0 - age as f32 / DOTS as f32));
            draw_circle(left(*x), ground + 0.4 * metre, 0.06 * metre, fade);
        }
        let radius = RADIUS as f32 * metre;
        let hub = vec2(left(x), ground - radius - height as f32 * metre);
        draw_poly(hub.x, hub.y, 72, radius, 0.0, self.colour);
        draw_poly(hub.x, hub.y, 72, 0.8 * radius, 0.0, GROUND);
        for spoke in 0..6 {
            let rim = hub + 0.85 * radius * Vec2::from_angle((x / RADIUS) as f32 + spoke as f32 * FRAC_PI_3);
            draw_line(hub.x, hub.y, rim.x, rim.y, 0.09 * radius, self.colour);
        }
        draw_text(&self.text, 20.0, top + 30.0, 24.0, self.colour);
    }
}

async fn play() {
    let mut game = GameLoop::new(Rate::hz(25)).with_input();
    let mut wheel = Wheel {
        place: Smoothed::new([2.0, 0.0]),
        velocity: [4.5, 0.0],
    };
    let mut lanes = [(Smoothing::None, ORANGE), (Smoothing::Interpolate, BLUE)].map(Lane::new);
    let mut has_panel = false;
    while !is_key_pressed(KeyCode::Escape) {
        push_keys(&mut game, &KEYS);
        let frame = game.begin_frame();
        for step in frame.steps() {
            wheel.step(&step, game.input(&step));
        }
        if is_key_pressed(KeyCode::L) {
            game.set_time_scale(match game.timestep().time_scale() {
                TimeScale::NORMAL => TimeScale::new(1, 8).unwrap_or_default(),
                _ => TimeScale::NORMAL,
            });
            lanes.iter_mut().for_each(|lane| lane.stats = FrameStats::new());
        }
        has_panel ^= is_key_pressed(KeyCode::Tab);
        let half = (screen_height() - 30.0) / 2.0;
        for (lane, top) in lanes.iter_mut().zip([0.0, half]) {
            let (speed, shown) = (frame.time_scale().as_f64(), frame.shown_time(lane.smoothing));
            lane.stats
                .record_shown(game.frame_time().unfiltered_delta, speed, shown, &frame);
            let (alpha, name) = match lane.smoothing {
                Smoothing::None => (1.0, "newest step"),
                _ => (frame.alpha(), "interpolated"),
            };
            // Not in every frame, so that it can be read.
            if lane.stats.frame_count() % 15 == 1 {
                let error = 1e3 * lane.stats.animation_error_rms();
                lane.text = format!("{name}: animation error {error:.1} ms");
            }
            lane.draw(wheel.place.at(alpha), top, top + half);
        }
        draw_rectangle(0.0, 2.0 * half, screen_width(), 30.0, BLACK);
        draw_text(HELP, 20.0, 2.0 * half + 20.0, 20.0, WHITE);
        if has_panel {
            draw_panel(
                &lanes[1].stats,
                game.timestep().rate(),
                game.frame_clock().filter().period(),
            );
        }
        next_frame().await;
    }
}

fn main() -> ExitCode {
    open("Side by side", HELP, play())
}
