//! The same wheel twice, with macroquad: above drawn in the newest state, below interpolated. There are only 25 steps a second, which
//! divides no usual refresh rate. The dots on the ground are the places at which the last frames have drawn the wheel. The arrow keys roll
//! the wheel, Space makes it jump. I switches interpolation off below, F imitates a display, L is slow motion, Tab shows the panel, Escape
//! ends.
//!
//! `cargo run --release -p evenstep-examples --no-default-features --bin side_by_side`

use std::collections::VecDeque;
use std::f32::consts::{FRAC_PI_2, FRAC_PI_3};

use evenstep::filter::DisplayClock;
use evenstep::input::{Controls, InputBuffer};
use evenstep::{FixedTimestep, FrameClock, Rate, Smoothed, Smoothing, Step};
use evenstep_examples::{Key, Label, QuadWindow, View, direction};
use macroquad::prelude::*;

const HELP: &str = "25 steps a second   Arrows: push the wheel   Space: jump   Esc: end";
const WIDTH: f64 = 16.0; // width of a lane, in metres
const RADIUS: f64 = 0.8;
const PUSH: f64 = 12.0; // metres per second squared
const DOTS: usize = 60; // frames whose places are shown
const ORANGE: Color = Color::new(0.98, 0.57, 0.24, 1.0);
const BLUE: Color = Color::new(0.49, 0.67, 1.0, 1.0);
const GROUND: Color = Color::new(0.10, 0.11, 0.15, 1.0);
const EDGE: Color = Color::new(0.46, 0.49, 0.56, 1.0);
const SKY: [Vec3; 2] = [vec3(0.08, 0.09, 0.14), vec3(0.19, 0.22, 0.33)]; // above, and at the ground

/// The distance rolled and the height of the wheel in metres, and the angle of a pendulum that hangs in its lane, in radians.
type State = [f64; 3];

struct Wheel {
    state: Smoothed<State>,
    velocity: State,
}

impl Wheel {
    fn new() -> Self {
        Self {
            state: Smoothed::new([2.0, 0.0, 0.9]),
            velocity: [4.5, 0.0, 0.0],
        }
    }

    fn step(&mut self, step: &Step, push: f64, jumps: bool) {
        self.state.begin_step();
        let [x, height, angle] = self.state.current_mut();
        let [rolls, rises, swings] = &mut self.velocity;
        *rolls = (*rolls + PUSH * push * step.dt).clamp(-9.0, 9.0);
        *x += *rolls * step.dt;
        let is_down = *height <= 0.0;
        *rises = if is_down && jumps {
            6.5
        } else if is_down {
            0.0
        } else {
            *rises - 14.0 * step.dt
        };
        *height = (*height + *rises * step.dt).max(0.0);
        *swings -= 9.81 / 1.6 * angle.sin() * step.dt;
        *angle += *swings * step.dt;
        let beyond = x.rem_euclid(WIDTH + 4.0 * RADIUS) - *x;
        if beyond != 0.0 {
            // The wheel enters again on the other side, and is not drawn in between.
            *x += beyond;
            self.state.teleport();
        }
    }
}

/// A strip of the window in which the wheel is drawn.
struct Lane {
    colour: Color,
    label: Label,
    text: String,
    drawn: VecDeque<f64>, // where the last frames have drawn the wheel, the newest first
}

impl Lane {
    fn new(colour: Color) -> Self {
        Self {
            colour,
            label: Label::default(),
            text: String::new(),
            drawn: VecDeque::new(),
        }
    }

    fn remember(&mut self, [x, ..]: State) {
        self.drawn.truncate(DOTS - 1);
        self.drawn.push_front(x);
    }

    /// Draws the lane between two heights, in pixels.
    fn draw(&mut self, [x, above, angle]: State, top: f32, bottom: f32) {
        let (metre, colour) = (screen_width() / WIDTH as f32, self.colour);
        let ground = bottom - 0.16 * (bottom - top);
        let stripe = (ground - top) / 32.0;
        for index in 0..32 {
            let shade = SKY[0].lerp(SKY[1], index as f32 / 31.0);
            let colour = Color::new(shade.x, shade.y, shade.z, 1.0);
            draw_rectangle(0.0, top + index as f32 * stripe, screen_width(), stripe + 1.0, colour);
        }
        draw_rectangle(0.0, ground, screen_width(), bottom - ground, GROUND);
        draw_rectangle(0.0, ground, screen_width(), 0.03 * metre, EDGE);
        for post in 0..16 {
            draw_rectangle((post as f32 + 0.5) * metre, ground, 0.03 * metre, 0.15 * metre, EDGE);
        }
        let place = |x: f64| (x - 2.0 * RADIUS) as f32 * metre;
        for (age, x) in (0..).zip(&self.drawn) {
            let fade = Color {
                a: 0.9 * (1.0 - age as f32 / DOTS as f32),
                ..colour
            };
            draw_circle(place(*x), ground + 0.38 * metre, 0.05 * metre, fade);
        }
        let hook = vec2(10.0 * metre, top + 0.04 * (bottom - top));
        let bob = hook + 1.6 * metre * Vec2::from_angle(angle as f32 + FRAC_PI_2); // down
        draw_line(hook.x, hook.y, bob.x, bob.y, 0.04 * metre, EDGE);
        disc(hook, 0.07 * metre, EDGE);
        ball(bob, 0.3 * metre, colour);
        let radius = RADIUS as f32 * metre;
        let shadow = Color::new(0.0, 0.0, 0.0, 0.45 / (1.0 + above as f32));
        draw_ellipse(place(x), ground + 0.03 * metre, 0.9 * radius, 0.08 * metre, 0.0, shadow);
        let hub = vec2(place(x), ground - radius - above as f32 * metre);
        disc(hub, radius, mix(colour, BLACK, 0.45));
        disc(hub, 0.95 * radius, colour);
        disc(hub, 0.78 * radius, mix(colour, BLACK, 0.8));
        for spoke in 0..6 {
            let rim = hub + 0.8 * radius * Vec2::from_angle((x / RADIUS) as f32 + spoke as f32 * FRAC_PI_3);
            draw_line(hub.x, hub.y, rim.x, rim.y, 0.09 * radius, colour);
        }
        ball(hub, 0.2 * radius, colour);
        self.label
            .draw(&self.text, [0.3 * metre, top + 0.05 * (bottom - top)], colour);
    }
}

fn mix(one: Color, other: Color, part: f32) -> Color {
    Color::from_vec(one.to_vec().lerp(other.to_vec(), part))
}

fn disc(middle: Vec2, radius: f32, colour: Color) {
    draw_poly(middle.x, middle.y, 72, radius, 0.0, colour);
}

/// A disc that is lit from the upper left.
fn ball(middle: Vec2, radius: f32, colour: Color) {
    for part in 0..8 {
        let part = part as f32 / 7.0;
        let from_light = middle - 0.3 * part * radius * vec2(0.7, 0.7);
        disc(
            from_light,
            radius * (1.0 - 0.75 * part),
            mix(mix(colour, BLACK, 0.35), mix(colour, WHITE, 0.35), part),
        );
    }
}

fn window() -> Conf {
    QuadWindow::conf("Side by side")
}

#[macroquad::main(window)]
async fn main() {
    let (mut clock, mut timestep) = (FrameClock::new(DisplayClock::new()), FixedTimestep::new(Rate::hz(25)));
    let (mut input, mut controls) = (InputBuffer::new(256), Controls::new());
    let (mut wheel, mut alpha) = (Wheel::new(), 0.0);
    let mut window = QuadWindow::new(HELP);
    let mut raw = View::new().with_smoothing(Smoothing::None);
    let mut lanes = [ORANGE, BLUE].map(Lane::new);
    let mut frames = 0_u64;
    while window.is_open() {
        for (at, event) in window.poll() {
            let _ = input.push(at, event); // cannot fail: there is room for the states of a thousand keys
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
                let jumps = controls.was_pressed(&Key::Space);
                wheel.step(&step, direction(&controls)[0].into(), jumps);
            }
            alpha = window.view().alpha(&frame);
            raw.record(now, &frame);
            window.drawn(now, &frame, timestep.rate(), clock.filter());
            for (lane, alpha) in lanes.iter_mut().zip([1.0, alpha]) {
                lane.remember(wheel.state.at(alpha));
            }
            frames += 1;
            if frames % 15 == 1 {
                for (lane, view) in lanes.iter_mut().zip([&raw, window.view()]) {
                    lane.text = view.label();
                }
            }
        }
        let middle = window.scene_height() / 2.0;
        lanes[0].draw(wheel.state.at(1.0), 0.0, middle);
        lanes[1].draw(wheel.state.at(alpha), middle, 2.0 * middle);
        window.draw_help();
        next_frame().await;
    }
}
