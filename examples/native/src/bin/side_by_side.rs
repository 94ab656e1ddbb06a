//! The same wheel twice, with macroquad: above drawn in the newest state, below interpolated. There are only 25 steps a second, which
//! divides no usual refresh rate. The arrow keys roll the wheel, Space makes it jump. I switches interpolation off below, F imitates a
//! display, L is slow motion, Tab shows the panel, Escape ends.
//!
//! `cargo run --release -p evenstep-examples --no-default-features --bin side_by_side`

use evenstep::filter::DisplayClock;
use evenstep::input::{Controls, InputBuffer};
use evenstep::{FixedTimestep, FrameClock, Rate, Smoothed, Smoothing, Step};
use evenstep_examples::{QuadWindow, View, direction};
use macroquad::prelude::*;
use winit::keyboard::KeyCode as Key;

const HELP: &str = "25 steps a second   Arrows push the wheel   Space jump   Esc end";
const WIDTH: f64 = 16.0; // width of a lane, in metres
const RADIUS: f64 = 0.8;
const PUSH: f64 = 12.0; // metres per second squared
const ORANGE: Color = Color::new(0.98, 0.57, 0.24, 1.0);
const BLUE: Color = Color::new(0.49, 0.67, 1.0, 1.0);
const GROUND: Color = Color::new(0.07, 0.08, 0.1, 1.0);
const DIM: Color = Color::new(0.42, 0.44, 0.48, 1.0);

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

/// Draws a lane on a strip of the window that begins at `top`, in pixels.
fn lane([x, above, angle]: State, top: f32, label: &str, colour: Color) {
    let metre = screen_width() / WIDTH as f32;
    let ground = top + 0.38 * screen_height();
    draw_rectangle(0.0, ground, screen_width(), 0.02 * metre + 2.0, DIM);
    for post in 0..16 {
        draw_rectangle((post as f32 + 0.5) * metre, ground, 0.04 * metre, 0.15 * metre, DIM);
    }
    let rod = 1.6 * metre;
    let way = Vec2::from_angle(angle as f32 + std::f32::consts::FRAC_PI_2); // down
    let hook = vec2(8.0 * metre, top + 0.05 * screen_height());
    let bob = hook + rod * way;
    draw_line(hook.x, hook.y, bob.x, bob.y, 0.05 * metre, DIM);
    disc(bob, 0.3 * metre, colour);
    let radius = RADIUS as f32 * metre;
    let hub = vec2(
        (x - 2.0 * RADIUS) as f32 * metre,
        ground - radius - above as f32 * metre,
    );
    disc(hub, radius, colour);
    disc(hub, 0.8 * radius, GROUND);
    for spoke in 0..6 {
        let turn = Vec2::from_angle((x / RADIUS) as f32 + spoke as f32 * std::f32::consts::FRAC_PI_3);
        let rim = hub + 0.85 * radius * turn;
        draw_line(hub.x, hub.y, rim.x, rim.y, 0.09 * radius, colour);
    }
    let size = (screen_height() / 24.0).floor();
    draw_text(label, 12.0, top + size, size, colour);
}

fn disc(middle: Vec2, radius: f32, colour: Color) {
    draw_poly(middle.x, middle.y, 72, radius, 0.0, colour);
}

fn window() -> Conf {
    QuadWindow::conf("Side by side")
}

#[macroquad::main(window)]
async fn main() {
    let (mut clock, mut timestep) = (FrameClock::new(DisplayClock::new()), FixedTimestep::new(Rate::hz(25)));
    let (mut input, mut controls) = (InputBuffer::new(256), Controls::new());
    let (mut wheel, mut alpha) = (Wheel::new(), 0.0);
    let mut window = QuadWindow::new();
    let mut raw = View::new().with_smoothing(Smoothing::None);
    let mut labels = [String::new(), String::new()];
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
                let jumps = controls.was_pressed(&evenstep::input::Button::Key(Key::Space));
                wheel.step(&step, direction(&controls)[0].into(), jumps);
            }
            alpha = window.view().alpha(&frame);
            raw.record(now, &frame);
            window.drawn(now, &frame, timestep.rate(), clock.filter());
            frames += 1;
            if frames % 15 == 1 {
                labels = [raw.label(), window.view().label()];
            }
        }
        clear_background(GROUND);
        lane(wheel.state.at(1.0), 0.03 * screen_height(), &labels[0], ORANGE);
        lane(wheel.state.at(alpha), 0.48 * screen_height(), &labels[1], BLUE);
        window.draw_help(HELP);
        next_frame().await;
    }
}
