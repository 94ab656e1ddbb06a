//! The figure of a stiff spring: a step per frame beside fixed steps.

use evenstep::{FixedTimestep, Frame, PositionVelocity, Rate, Smoothed, Smoothing};
use evenstep_scenes::Scene;
use evenstep_scenes::spring::Spring;
use evenstep_scenes::stepping::VariableTimestep;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::imitated::ImitatedDisplay;
use crate::time::duration;

/// The same spring twice: a step per frame, and fixed steps.
#[wasm_bindgen]
pub struct SpringFigure {
    display: ImitatedDisplay,
    variable: (VariableTimestep, Spring),
    fixed: (FixedTimestep, Spring),
    drawn: Smoothed<PositionVelocity<f64>>,
    seconds: f64,
    exploded_at: Option<f64>,
}

#[wasm_bindgen]
impl SpringFigure {
    /// Springs of a stiffness in N/m, with a mass of 1 kg, let go at 1 m; `rate` fixed steps per second.
    #[wasm_bindgen(constructor)]
    pub fn new(stiffness: f64, damping: f64, rate: u32) -> Self {
        let start = PositionVelocity {
            position: 1.0,
            velocity: 0.0,
        };
        let spring = Spring {
            k: stiffness,
            b: damping,
            m: 1.0,
            start,
            state: start,
            ..Spring::default()
        };
        Self {
            display: ImitatedDisplay::new(),
            variable: (VariableTimestep::new(), spring.clone()),
            fixed: (FixedTimestep::new(Rate::hz(rate.max(1))).with_max_steps(1000), spring),
            drawn: Smoothed::new(start),
            seconds: 0.0,
            exploded_at: None,
        }
    }

    /// Imitates a display of `refresh` frames a second (0: the real one), whose times are measured with an error of
    /// up to `jitter` milliseconds.
    pub fn set_display(&mut self, refresh: u32, jitter: f64) {
        self.display.set_refresh(refresh);
        self.display.set_jitter(jitter);
    }

    /// Lets time pass, in milliseconds. For each frame shown: the time in seconds, and the position in metres of the
    /// spring with variable steps, of the one with fixed steps as it is drawn, and of the exact solution.
    pub fn advance(&mut self, milliseconds: f64) -> Vec<f64> {
        let deltas = self.display.frames(duration(milliseconds));
        deltas.into_iter().flat_map(|delta| self.show(delta)).collect()
    }

    fn show(&mut self, delta: std::time::Duration) -> [f64; 4] {
        self.seconds += delta.as_secs_f64();
        let (timestep, spring) = &mut self.variable;
        for step in timestep.advance(delta).steps() {
            spring.step(&step);
        }
        if self.exploded_at.is_none() && spring.has_exploded() {
            self.exploded_at = Some(self.seconds);
        }
        let variable = spring.state.position;
        let frame = self.step_fixed(delta);
        let exact = self
            .fixed
            .1
            .position_at(frame.shown_time(Smoothing::Interpolate).as_secs_f64());
        [self.seconds, variable, self.drawn.at(frame.alpha()).position, exact]
    }

    fn step_fixed(&mut self, delta: std::time::Duration) -> Frame {
        let (timestep, spring) = &mut self.fixed;
        let frame = timestep.advance(delta);
        for step in frame.steps() {
            self.drawn.begin_step();
            spring.step(&step);
            self.drawn.set(spring.state);
        }
        frame
    }

    /// When the spring with variable steps exploded, in seconds.
    #[wasm_bindgen(getter)]
    pub fn exploded_at(&self) -> Option<f64> {
        self.exploded_at
    }

    /// Whether the spring with fixed steps exploded.
    #[wasm_bindgen(getter)]
    pub fn fixed_exploded(&self) -> bool {
        self.fixed.1.has_exploded()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(refresh: u32) -> (SpringFigure, f64) {
        let mut figure = SpringFigure::new(1000.0, 1.0, 240);
        figure.set_display(refresh, 0.0);
        let mut worst: f64 = 0.0;
        for _ in 0..600 {
            for row in figure.advance(1000.0 / 60.0).chunks_exact(4) {
                worst = worst.max((row[2] - row[3]).abs());
            }
        }
        (figure, worst)
    }

    #[test]
    fn at_ten_frames_a_second_variable_steps_explode_and_fixed_ones_follow_the_solution() {
        let (figure, worst) = run(10);
        assert!(figure.exploded_at().is_some_and(|seconds| seconds < 5.0));
        assert!(!figure.fixed_exploded());
        assert!(worst < 0.1, "{worst}");
    }

    #[test]
    fn at_sixty_frames_a_second_neither_explodes() {
        let (figure, worst) = run(60);
        assert_eq!(figure.exploded_at(), None);
        assert!(worst < 0.1, "{worst}");
    }
}
