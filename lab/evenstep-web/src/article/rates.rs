//! The figure of two rates: physics and thoughts from one clock.

use evenstep::schedule::{Schedule, TaskId};
use evenstep::{Rate, Smoothed};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::emulated_display::EmulatedDisplay;
use crate::time::duration;

/// The steps of the physics a second.
const PHYSICS: u32 = 120;

/// The speeds of the prey and of the hunter in m/s.
const SPEEDS: [f64; 2] = [1.4, 1.6];

/// A hunter that moves with the physics, and now and then thinks about where its prey is.
#[wasm_bindgen]
pub struct RatesFigure {
    display: EmulatedDisplay,
    schedule: Schedule,
    physics: TaskId,
    /// Position of the prey, then of the hunter, in metres.
    places: Smoothed<[f64; 4]>,
    /// Where the hunter believes its prey to be.
    aim: [f64; 2],
    seconds: f64,
}

#[wasm_bindgen]
impl RatesFigure {
    /// A hunter that thinks `thoughts` times a second, on a display of `refresh` frames a second; 0 is the real one.
    #[wasm_bindgen(constructor)]
    pub fn new(thoughts: u32, refresh: u32) -> Self {
        let mut schedule = Schedule::new();
        let physics = schedule.add(Rate::hz(PHYSICS));
        schedule.add(Rate::hz(thoughts.max(1)));
        let [x, y] = prey_at(0.0);
        Self {
            display: EmulatedDisplay::new(refresh),
            schedule,
            physics,
            places: Smoothed::new([x, y, -1.0, 0.0]),
            aim: [x, y],
            seconds: 0.0,
        }
    }

    /// Lets time pass, in milliseconds. For each frame shown: its steps of the physics and its thoughts, then x and y in metres of the prey, of the hunter and of where it aims.
    pub fn advance(&mut self, milliseconds: f64) -> Vec<f64> {
        let mut rows = Vec::new();
        for delta in self.display.frames(duration(milliseconds)) {
            let _ = self.schedule.advance(delta);
            let (mut steps, mut thoughts) = (0.0, 0.0);
            while let Some((task, step)) = self.schedule.next_step() {
                if task == self.physics {
                    self.step(step.dt);
                    steps += 1.0;
                } else {
                    let [x, y, ..] = *self.places.current();
                    self.aim = [x, y];
                    thoughts += 1.0;
                }
            }
            let alpha = self.schedule.alpha(self.physics).unwrap_or_default();
            rows.extend([steps, thoughts]);
            rows.extend(self.places.at(alpha));
            rows.extend(self.aim);
        }
        rows
    }

    fn step(&mut self, dt: f64) {
        self.seconds += dt;
        self.places.begin_step();
        let [_, _, x, y] = *self.places.current();
        let (dx, dy) = (self.aim[0] - x, self.aim[1] - y);
        // Never beyond the aim.
        let share = (SPEEDS[1] * dt / dx.hypot(dy).max(1e-9)).min(1.0);
        let [prey_x, prey_y] = prey_at(self.seconds);
        self.places.set([prey_x, prey_y, x + share * dx, y + share * dy]);
    }
}

/// The prey runs in a figure of eight.
fn prey_at(seconds: f64) -> [f64; 2] {
    let turn = SPEEDS[0] * seconds;
    [1.5 * turn.sin(), 0.6 * (2.0 * turn).sin()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_tasks_keep_their_rates_on_every_display_in_one_order() {
        let run = |refresh| {
            let mut figure = RatesFigure::new(10, refresh);
            let rows: Vec<f64> = (0..200).flat_map(|_| figure.advance(10.0)).collect();
            let sum = |column: usize| rows.as_chunks::<8>().0.iter().map(|row| row[column]).sum::<f64>();
            ((sum(0), sum(1)), *figure.places.current())
        };
        let expected = run(60);
        assert_eq!(expected.0, (240.0, 20.0));
        assert_eq!(run(24), expected);
        assert_eq!(run(144), expected);
    }
}
