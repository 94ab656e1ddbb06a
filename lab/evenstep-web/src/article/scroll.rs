//! The figure of a map that scrolls: by the frame, and in equal steps.

use std::time::Duration;

use evenstep::{FixedTimestep, Rate, Smoothed};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::time::duration;

/// The width of the map and of the window on it, in pixels.
const MAP: f64 = 2400.0;
const WINDOW: f64 = 600.0;

/// The speed that was meant: 4 pixels in each frame of 60 a second.
const SPEED: f64 = 240.0;

/// The cost of a frame without an object, and of each object in the window, in milliseconds.
const EMPTY: f64 = 6.0;
const OBJECT: f64 = 1.5;

/// A map that scrolls while the pointer is at an edge of the window, on two machines whose frames take as long as what is in the window costs.
/// One scrolls by the frame, the other one in equal steps.
#[wasm_bindgen]
pub struct ScrollFigure {
    /// Where objects are on the map, from its left, in pixels.
    objects: Vec<f64>,
    now: Duration,
    machines: [Machine; 2],
}

/// A machine, and its view of the map.
struct Machine {
    /// Equal steps, or `None` if it scrolls by the frame.
    timestep: Option<FixedTimestep>,
    /// The left of the window on the map, in pixels.
    left: Smoothed<f64>,
    drawn: f64,
    /// 1 while the pointer is at the right edge, −1 at the left one.
    direction: f64,
    /// When the frame at work is done, and how long the last one took.
    done: Duration,
    took: Duration,
    /// The last speed on the screen, and the slowest and the fastest one, in pixels a second.
    speed: f64,
    range: [f64; 2],
}

#[wasm_bindgen]
impl ScrollFigure {
    /// A map with `objects` around its middle.
    #[wasm_bindgen(constructor)]
    pub fn new(objects: u32) -> Self {
        let count = objects.min(200);
        // Dense in the middle: the square of an even spread on either side.
        let place = |n: u32| {
            let spread = (f64::from(n) + 0.5) / f64::from(count) * 2.0 - 1.0;
            MAP / 2.0 + spread * spread.abs() * MAP * 0.35
        };
        Self {
            objects: (0..count).map(place).collect(),
            now: Duration::ZERO,
            machines: [None, Some(FixedTimestep::new(Rate::hz(60)))].map(Machine::new),
        }
    }

    /// The widths of the map and of the window in pixels, then the place of each object.
    pub fn map(&self) -> Vec<f64> {
        [MAP, WINDOW].into_iter().chain(self.objects.iter().copied()).collect()
    }

    /// Lets time pass, in milliseconds. For the machine that scrolls by the frame, then for the one that scrolls in steps: the left of the window
    /// as it is drawn, in pixels; the edge at which the pointer is, −1 or 1; the time of the last frame, in milliseconds; the speed on the screen, and
    /// the slowest and the fastest since the start, in pixels a second.
    pub fn advance(&mut self, milliseconds: f64) -> Vec<f64> {
        self.now += duration(milliseconds).min(Duration::from_millis(250));
        for machine in &mut self.machines {
            while machine.done <= self.now {
                machine.run_frame(&self.objects);
            }
        }
        let row = |machine: &Machine| {
            let [slowest, fastest] = machine.range;
            let took = machine.took.as_secs_f64() * 1e3;
            [machine.drawn, machine.direction, took, machine.speed, slowest, fastest]
        };
        self.machines.iter().flat_map(row).collect()
    }
}

impl Machine {
    fn new(timestep: Option<FixedTimestep>) -> Self {
        Self {
            timestep,
            left: Smoothed::new(0.0),
            drawn: 0.0,
            direction: 1.0,
            done: Duration::ZERO,
            took: Duration::ZERO,
            speed: 0.0,
            range: [f64::INFINITY, 0.0],
        }
    }

    fn run_frame(&mut self, objects: &[f64]) {
        let (before, direction) = (self.drawn, self.direction);
        match &mut self.timestep {
            None => {
                self.left.set(*self.left.current() + direction * SPEED / 60.0);
                self.drawn = *self.left.current();
            }
            Some(timestep) => {
                let frame = timestep.advance(self.took);
                for step in frame.steps() {
                    self.left.step(|left| *left += direction * SPEED * step.dt);
                }
                self.drawn = self.left.at(frame.alpha());
            }
        }
        let moved = (self.drawn - before).abs();
        // Where it turns back, and in the first two frames, nothing is measured.
        if self.done > Duration::from_millis(100) && !self.took.is_zero() {
            self.speed = moved / self.took.as_secs_f64();
            let [slowest, fastest] = self.range;
            self.range = [slowest.min(self.speed), fastest.max(self.speed)];
        }
        if (self.drawn <= 0.0 && direction < 0.0) || (self.drawn >= MAP - WINDOW && direction > 0.0) {
            self.direction = -direction;
            self.drawn = self.drawn.clamp(0.0, MAP - WINDOW);
            self.left = Smoothed::new(self.drawn);
        }
        let visible = objects
            .iter()
            .filter(|at| (self.drawn..self.drawn + WINDOW).contains(at));
        self.took = duration(EMPTY + OBJECT * visible.count() as f64);
        self.done += self.took;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_that_scrolls_by_the_frame_is_fast_at_its_edges_and_slow_in_the_middle_and_in_steps_even() {
        for objects in [20, 40, 60, 80] {
            let mut figure = ScrollFigure::new(objects);
            let mut row = Vec::new();
            for _ in 0..60 * 60 {
                row = figure.advance(1000.0 / 60.0);
                for machine in row.as_chunks::<6>().0 {
                    assert!((0.0..=MAP - WINDOW).contains(&machine[0]), "{row:?}");
                }
            }
            let [by_frame, in_steps] = [0, 6].map(|at| [row[at + 4], row[at + 5]]);
            assert!(by_frame[1] > 2.0 * by_frame[0], "{objects}: {by_frame:?}");
            // Where it turns back, a step is drawn in part.
            assert!(in_steps[1] < SPEED + 1.0, "{objects}: {in_steps:?}");
        }
        let mut empty = ScrollFigure::new(0);
        (0..60).for_each(|_| drop(empty.advance(16.0)));
        assert_eq!(empty.map(), [MAP, WINDOW]);
    }
}
