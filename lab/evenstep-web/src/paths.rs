//! The figure of ways of drawing, on a path with a closed form.

use std::collections::VecDeque;
use std::f64::consts::TAU;
use std::time::Duration;

use evenstep::poses::{Motion2, Pose2, Rot2};
use evenstep::{FixedTimestep, Rate, Smoothed, Smoothing, Step};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::imitated::ImitatedDisplay;
use crate::smoothing;
use crate::time::duration;

/// The time over which numbers are measured, in seconds of shown frames.
const WINDOW: f64 = 2.0;

/// The largest distance of the block to either side, in metres.
const REACH: f64 = 4.0;
/// The horizontal speed, in metres per second.
const SPEED: f64 = 3.0;
/// The height of a bounce, in metres.
const HEIGHT: f64 = 2.0;
/// Gravity, in metres per second squared.
const GRAVITY: f64 = 10.0;
/// The angular speed, in radians per second.
const SPIN: f64 = 2.0;

/// A block that bounces from wall to wall, drawn raw and smoothed.
///
/// Its path has a closed form, so all errors are errors of drawing.
#[wasm_bindgen]
pub struct PathsFigure {
    display: ImitatedDisplay,
    timestep: FixedTimestep,
    rate: Rate,
    smoothing: Smoothing,
    block: Smoothed<Motion2>,
    /// The time by which teleports have advanced the block on its path, in seconds.
    ahead: f64,
    teleports: bool,
    shown: VecDeque<Presented>,
}

/// The content of a frame.
#[derive(Clone, Copy)]
struct Presented {
    delta: f64,
    /// The true state of the block when the frame is shown.
    truth: [f64; 2],
    raw: [f64; 2],
    smooth: [f64; 2],
    /// The lag of the smoothed block behind the truth, in seconds.
    lag: f64,
    /// The distance of the smoothed block from the true position at the time that is shown, in metres.
    off_path: f64,
    /// Whether the frame crosses a teleport, whose jump is intended.
    after_teleport: bool,
}

#[wasm_bindgen]
impl PathsFigure {
    /// A block that is simulated `rate` times a second.
    #[wasm_bindgen(constructor)]
    pub fn new(rate: u32) -> Self {
        let rate = Rate::hz(rate.max(1));
        Self {
            display: ImitatedDisplay::new(),
            timestep: FixedTimestep::new(rate).with_max_steps(64),
            rate,
            smoothing: Smoothing::Interpolate,
            block: Smoothed::new(motion_at(0.0)),
            ahead: 0.0,
            teleports: false,
            shown: VecDeque::new(),
        }
    }

    /// Imitates a display of `refresh` frames a second; 0 is the real one.
    pub fn set_display(&mut self, refresh: u32) {
        self.display.set_refresh(refresh);
        self.shown.clear();
    }

    /// Sets the smoothing: `none`, `interpolate`, `extrapolate` or `hermite`.
    pub fn set_smoothing(&mut self, name: &str) {
        self.smoothing = smoothing::named(name);
        self.shown.clear();
    }

    /// Teleports the block along its path in the next step.
    pub fn teleport(&mut self) {
        self.teleports = true;
    }

    /// Lets time pass, in milliseconds. For each frame shown: its delta in milliseconds, then x and y in metres and
    /// the angle in radians of the true, the raw and the smoothed block.
    pub fn advance(&mut self, milliseconds: f64) -> Vec<f64> {
        let deltas = self.display.frames(duration(milliseconds));
        deltas.into_iter().flat_map(|delta| self.show(delta)).collect()
    }

    fn show(&mut self, delta: Duration) -> [f64; 10] {
        let frame = self.timestep.advance(delta);
        let mut teleported = false;
        for step in frame.steps() {
            teleported |= self.step(&step);
        }
        let (now, shown) = (
            frame.shown_time(Smoothing::None) + frame.overstep(),
            frame.shown_time(self.smoothing),
        );
        let truth = motion_at(now.as_secs_f64() + self.ahead);
        let raw = *self.block.current();
        let smooth = self
            .block
            .drawn(self.smoothing, frame.alpha(), self.rate.period_secs_f64());
        let meant = motion_at(shown.as_secs_f64() + self.ahead);
        self.shown.push_back(Presented {
            delta: delta.as_secs_f64(),
            truth: position(&truth),
            raw: position(&raw),
            smooth: position(&smooth),
            lag: (now - shown).as_secs_f64(),
            off_path: distance(position(&meant), position(&smooth)),
            after_teleport: teleported || self.block.is_teleport(),
        });
        self.forget();
        let mut row = [delta.as_secs_f64() * 1e3; 10];
        for (part, motion) in row[1..].chunks_exact_mut(3).zip([truth, raw, smooth]) {
            let [x, y] = position(&motion);
            part.copy_from_slice(&[x, y, f64::from(motion.pose.rotation.radians())]);
        }
        row
    }

    /// Whether the step was a teleport.
    fn step(&mut self, step: &Step) -> bool {
        let teleports = std::mem::take(&mut self.teleports);
        self.block.begin_step();
        if teleports {
            self.ahead += 1.7;
            self.block.teleport();
        }
        self.block.set(motion_at(step.end().as_secs_f64() + self.ahead));
        teleports
    }

    fn forget(&mut self) {
        let mut seconds: f64 = self.shown.iter().map(|shown| shown.delta).sum();
        while seconds > WINDOW {
            seconds -= self.shown.pop_front().map_or(f64::INFINITY, |shown| shown.delta);
        }
    }

    fn largest_jump(&self, place: fn(&Presented) -> [f64; 2]) -> f64 {
        let pairs = self.shown.iter().zip(self.shown.iter().skip(1));
        pairs
            .filter(|(_, next)| !next.after_teleport)
            .map(|(last, next)| distance(place(last), place(next)))
            .fold(0.0, f64::max)
    }

    /// The largest motion of the raw block from one frame to the next in the last two seconds, in metres.
    #[wasm_bindgen(getter)]
    pub fn raw_jump(&self) -> f64 {
        self.largest_jump(|shown| shown.raw)
    }

    /// The largest motion of the smoothed block from one frame to the next in the last two seconds, in metres.
    #[wasm_bindgen(getter)]
    pub fn smooth_jump(&self) -> f64 {
        self.largest_jump(|shown| shown.smooth)
    }

    /// The mean lag of the smoothed block over two seconds, in milliseconds.
    #[wasm_bindgen(getter)]
    pub fn lag(&self) -> f64 {
        let sum: f64 = self.shown.iter().map(|shown| shown.lag).sum();
        1e3 * sum / self.shown.len().max(1) as f64
    }

    /// The distance of the smoothed block from the true position, in metres: the root mean square over two
    /// seconds.
    #[wasm_bindgen(getter)]
    pub fn error(&self) -> f64 {
        self.mean(|shown| distance(shown.truth, shown.smooth))
    }

    /// The distance of the smoothed block from its path, in metres: from its true position at the time that is shown. The
    /// root mean square over two seconds.
    #[wasm_bindgen(getter)]
    pub fn path_error(&self) -> f64 {
        self.mean(|shown| shown.off_path)
    }

    /// The root mean square over the frames without a teleport.
    fn mean(&self, length: impl Fn(&Presented) -> f64) -> f64 {
        let squares = self
            .shown
            .iter()
            .filter(|shown| !shown.after_teleport)
            .map(|shown| length(shown).powi(2));
        let (sum, count) = squares.fold((0.0, 0_u32), |(sum, count), square| (sum + square, count + 1));
        (sum / f64::from(count.max(1))).sqrt()
    }
}

fn position(motion: &Motion2) -> [f64; 2] {
    motion.pose.position.map(f64::from)
}

fn distance(one: [f64; 2], other: [f64; 2]) -> f64 {
    (one[0] - other[0]).hypot(one[1] - other[1])
}

/// The block `seconds` after the start: it moves to and fro between the walls at a constant speed, hops under gravity, and reverses
/// its rotation at each wall.
fn motion_at(seconds: f64) -> Motion2 {
    let there = REACH * 2.0 / SPEED;
    let crossing = (seconds / there).floor();
    let within = seconds - crossing * there;
    let side = if crossing.rem_euclid(2.0) < 1.0 { 1.0 } else { -1.0 };
    let hop = 2.0 * (2.0 * HEIGHT / GRAVITY).sqrt();
    let in_air = seconds.rem_euclid(hop);
    let up = GRAVITY * hop / 2.0;
    let turned = if side > 0.0 { within } else { there - within };
    Motion2 {
        pose: Pose2::new(
            [
                (side * (SPEED * within - REACH)) as f32,
                (up * in_air - 0.5 * GRAVITY * in_air * in_air) as f32,
            ],
            Rot2::from_radians((-SPIN * turned).rem_euclid(TAU) as f32),
        ),
        velocity: [(side * SPEED) as f32, (up - GRAVITY * in_air) as f32],
        angular_velocity: (-side * SPIN) as f32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(smoothing: &str) -> PathsFigure {
        let mut figure = PathsFigure::new(20);
        figure.set_display(120);
        figure.set_smoothing(smoothing);
        for _ in 0..300 {
            figure.advance(1000.0 / 60.0);
        }
        figure
    }

    #[test]
    fn the_interpolated_block_jumps_less_than_a_fifth_as_far_as_the_raw_one() {
        let figure = run("interpolate");
        assert!(figure.smooth_jump() < figure.raw_jump() / 5.0);
        assert!((figure.lag() - 50.0).abs() < 1e-6, "{}", figure.lag());
    }

    #[test]
    fn extrapolation_shows_the_present_and_hermite_follows_hops_closer_than_interpolation() {
        assert!(run("extrapolate").lag().abs() < 1e-6);
        assert!(run("none").smooth_jump() == run("none").raw_jump());
        let (straight, curved) = (run("interpolate"), run("hermite"));
        assert!((curved.lag() - 50.0).abs() < 1e-6);
        let (straight, curved) = (straight.path_error(), curved.path_error());
        assert!(
            straight > 0.0 && curved < straight,
            "{straight} m, and {curved} m on curves"
        );
    }

    #[test]
    fn a_teleport_is_never_drawn_as_a_motion() {
        let mut figure = run("interpolate");
        figure.teleport();
        for _ in 0..60 {
            figure.advance(1000.0 / 60.0);
        }
        assert!(figure.ahead > 0.0);
        assert!(figure.smooth_jump() < 0.1, "{}", figure.smooth_jump());
    }

    #[test]
    fn the_path_is_one_piece_and_its_velocity_is_its_slope() {
        for n in 1..2000 {
            let seconds = f64::from(n) * 0.005_03;
            let [before, at, after] = [-1e-3, 0.0, 1e-3].map(|offset| motion_at(seconds + offset));
            assert!(distance(position(&before), position(&at)) < 0.01);
            let slope = f64::from(after.pose.position[0] - before.pose.position[0]) / 2e-3;
            let turned = f64::from(before.pose.rotation.turn_to(after.pose.rotation)) / 2e-3;
            let near_wall = f64::from(at.pose.position[0].abs()) > REACH - 0.01;
            assert!(near_wall || (slope - f64::from(at.velocity[0])).abs() < 0.01);
            assert!(near_wall || (turned - f64::from(at.angular_velocity)).abs() < 0.01);
        }
    }
}
