//! A simulation on its own thread, with macroquad: it goes on, faster, slower or not at all, while the drawing stalls. The clock beside it
//! is stepped by the frames, and stalls with them.
//!
//! `cargo run --release -p evenstep-examples --bin sim_thread`

use std::error::Error;
use std::f64::consts::TAU;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use evenstep::thread::{SimThread, Simulation, StepInput};
use evenstep::{Blend, FixedTimestep, GameLoop, Rate, Smoothed, Step, TimeScale};
use evenstep_examples::look::{CARD, INK, LINE, LOST, RAW, SMOOTH, SOFT, STEP, begin_drawing, write};
use evenstep_examples::open;
use macroquad::prelude::*;

const HELP: &str =
    "Space: stall the drawing for a second   R: reverse   Up, Down: faster, slower   P: pause   Escape: end";
const NOTE: &str =
    "While the drawing stalls, the thread goes on. The frames make up for a quarter of a second. Dots are steps.";
const RATE: Rate = Rate::hz(60);
const STALL: Duration = Duration::from_secs(1);
const TURN: f64 = 4.0; // seconds in which the hand of a clock goes round
const DOTS: usize = 200; // steps that a clock shows

/// A clock that counts simulated time in its steps, and when it made the last of them.
#[derive(Clone)]
struct Clock {
    seconds: f64,
    direction: f64,
    steps: [Option<(f64, Instant)>; DOTS], // what it showed after each step, and the time of the step
    next: usize,
}

impl Clock {
    fn new() -> Self {
        Self {
            seconds: 0.0,
            direction: 1.0,
            steps: [None; DOTS],
            next: 0,
        }
    }

    fn tick(&mut self, step: &Step) {
        self.seconds += self.direction * step.dt;
        self.steps[self.next] = Some((self.seconds, Instant::now()));
        self.next = (self.next + 1) % DOTS;
    }

    /// Draws the clock with its hand at `seconds`. The dots are its last steps: the longer ago, the nearer to the middle.
    fn draw(&self, middle: Vec2, seconds: f64, colour: Color) {
        let at =
            |seconds: f64, radius: f32| middle + radius * Vec2::from_angle((seconds / TURN * TAU - TAU / 4.0) as f32);
        draw_poly(middle.x, middle.y, 90, 230.0, 0.0, CARD);
        draw_poly_lines(middle.x, middle.y, 90, 230.0, 0.0, 3.0, LINE);
        for (seconds, made) in self.steps.iter().flatten() {
            let dot = at(*seconds, 215.0 - 50.0 * made.elapsed().as_secs_f32().min(4.0));
            draw_circle(dot.x, dot.y, 3.0, STEP);
        }
        let tip = at(seconds, 225.0);
        draw_line(middle.x, middle.y, tip.x, tip.y, 6.0, colour);
        draw_circle(middle.x, middle.y, 9.0, colour);
    }
}

impl Simulation for Clock {
    type Input = ();
    type Snapshot = Self;

    fn step(&mut self, step: &Step, reversals: &mut StepInput<'_, ()>) {
        reversals.for_each(|()| self.direction = -self.direction);
        self.tick(step);
    }

    fn snapshot(&self) -> Self {
        self.clone()
    }
}

async fn play() -> Result<(), Box<dyn Error>> {
    let mut on_thread = SimThread::spawn(FixedTimestep::new(RATE), Clock::new)?;
    let (mut game, mut clock, mut shown) = (GameLoop::new(RATE), Clock::new(), Smoothed::new(0.0));
    let (mut speed, mut lost) = (0_i32, Duration::ZERO);
    while !is_key_pressed(KeyCode::Escape) {
        let frame = game.begin_frame();
        for step in frame.steps() {
            clock.tick(&step);
            shown.step(|seconds| *seconds = clock.seconds);
        }
        lost += frame.lost().clamped;

        // The thread is told, and never waited for. Input has a time, and reaches the step of that time.
        if is_key_pressed(KeyCode::R) && on_thread.send(Instant::now(), ()).is_ok() {
            clock.direction = -clock.direction;
        }
        let faster = i32::from(is_key_pressed(KeyCode::Up)) - i32::from(is_key_pressed(KeyCode::Down));
        let is_toggled = is_key_pressed(KeyCode::P);
        speed = (speed + faster).clamp(-3, 3);
        let scale = TimeScale::new(1 << speed.max(0), 1 << (-speed).max(0))?;
        if is_toggled && game.is_paused() {
            game.resume();
        } else if is_toggled {
            game.pause();
        }
        if faster != 0 || is_toggled {
            game.set_time_scale(scale);
            on_thread.set_time_scale(if game.is_paused() { TimeScale::PAUSED } else { scale });
        }

        let view = on_thread.view(Instant::now())?;
        let ahead = view.previous.seconds.blend(&view.current.seconds, view.alpha);
        let behind = shown.at(frame.alpha());
        let state = if game.is_paused() { ", paused" } else { "" };
        let title = format!("60 steps a second at a speed of {}{state}", scale.as_f64());
        begin_drawing(&title, INK, HELP);
        write([20.0, 74.0], NOTE, 20.0, SOFT);
        let thread_lost = view.stats.clamped.as_secs_f64() + view.stats.dropped as f64 * RATE.period_secs_f64();
        let clocks = [
            (340.0, "on its own thread", view.current, ahead, thread_lost, SMOOTH),
            (940.0, "in the frames", &clock, behind, lost.as_secs_f64(), RAW),
        ];
        for (middle, name, clock, seconds, lost, colour) in clocks {
            clock.draw(vec2(middle, 360.0), seconds, colour);
            let left = middle - 230.0;
            write([left, 640.0], name, 28.0, colour);
            write([left, 675.0], &format!("{seconds:.2} s simulated"), 24.0, INK);
            let colour = if lost > 0.0 { LOST } else { SOFT };
            write([left, 705.0], &format!("{lost:.2} s lost"), 24.0, colour);
        }
        if is_key_pressed(KeyCode::Space) {
            thread::sleep(STALL);
        }
        next_frame().await;
    }
    Ok(on_thread.stop()?)
}

fn main() -> ExitCode {
    open("A simulation on its own thread", HELP, play())
}
