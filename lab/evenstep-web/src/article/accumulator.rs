//! The figure of the accumulator: time in from the display, equal steps out.

use std::time::Duration;

use evenstep::{FixedTimestep, Rate, TimeScale};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::emulated_display::EmulatedDisplay;
use crate::time::duration;

/// The accumulator at work: time in from the display, equal steps out.
#[wasm_bindgen]
pub struct AccumulatorFigure {
    display: EmulatedDisplay,
    timestep: FixedTimestep,
    paused: bool,
    scale: TimeScale,
}

#[wasm_bindgen]
impl AccumulatorFigure {
    /// An accumulator of `rate` steps per second, a decimal fraction.
    #[wasm_bindgen(constructor)]
    pub fn new(rate: &str) -> Self {
        Self {
            display: EmulatedDisplay::new(0),
            timestep: FixedTimestep::new(rate.parse().unwrap_or(Rate::hz(60))).with_max_steps(64),
            paused: false,
            scale: TimeScale::NORMAL,
        }
    }

    /// Emulates a display of `refresh` frames a second (0: the real one), whose times are measured with an error of
    /// up to `jitter` milliseconds.
    pub fn set_display(&mut self, refresh: u32, jitter: f64) {
        self.display.set_refresh(refresh);
        self.display.set_jitter(jitter);
    }

    /// Simulated seconds per second, as a fraction like `1/10`.
    pub fn set_time_scale(&mut self, scale: &str) {
        self.scale = scale.parse().unwrap_or(TimeScale::NORMAL);
        self.apply_scale();
    }

    /// Whether simulated time stands still while real time continues.
    pub fn set_paused(&mut self, paused: bool) {
        self.paused = paused;
        self.apply_scale();
    }

    fn apply_scale(&mut self) {
        self.timestep
            .set_time_scale(if self.paused { TimeScale::PAUSED } else { self.scale });
    }

    /// Requests one step in the next frame, regardless of the time that has arrived.
    pub fn step_once(&mut self) {
        self.timestep.step_once();
    }

    /// Lets time pass, in milliseconds. For each frame shown: its delta in milliseconds, its steps, the ticks so far, alpha, and the
    /// milliseconds that it keeps for the next frame.
    pub fn advance(&mut self, milliseconds: f64) -> Vec<f64> {
        let deltas = self.display.frames(duration(milliseconds));
        deltas.into_iter().flat_map(|delta| self.show(delta)).collect()
    }

    fn show(&mut self, delta: Duration) -> [f64; 5] {
        let frame = self.timestep.advance(delta);
        [
            delta.as_secs_f64() * 1e3,
            f64::from(frame.step_count()),
            frame.tick() as f64,
            frame.alpha(),
            frame.overstep().as_secs_f64() * 1e3,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(figure: &mut AccumulatorFigure, frames: u32) -> f64 {
        (0..frames)
            .flat_map(|_| figure.advance(10.0))
            .collect::<Vec<_>>()
            .as_chunks::<5>()
            .0
            .iter()
            .map(|row| row[1])
            .sum()
    }

    #[test]
    fn slow_motion_pause_and_single_steps_change_the_number_of_steps() {
        let mut figure = AccumulatorFigure::new("60");
        assert_eq!(steps(&mut figure, 100), 60.0);
        figure.set_time_scale("1/10");
        assert_eq!(steps(&mut figure, 100), 6.0);
        figure.set_time_scale("4");
        assert_eq!(steps(&mut figure, 100), 240.0);
        figure.set_paused(true);
        assert_eq!(steps(&mut figure, 100), 0.0);
        figure.step_once();
        assert_eq!(steps(&mut figure, 100), 1.0);
    }

    #[test]
    fn frames_of_20_ms_keep_4_ms_of_steps_of_16_ms_then_8_then_12_then_none() {
        let mut figure = AccumulatorFigure::new("62.5");
        figure.set_display(50, 0.0);
        let rows: Vec<f64> = (0..8).flat_map(|_| figure.advance(20.0)).collect();
        let kept: Vec<(f64, f64)> = rows.as_chunks::<5>().0.iter().map(|row| (row[1], row[4])).collect();
        let cycle = [(1.0, 4.0), (1.0, 8.0), (1.0, 12.0), (2.0, 0.0)];
        assert_eq!(kept, [cycle, cycle].concat());
    }
}
