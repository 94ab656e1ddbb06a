//! The figure of the spiral of death.

use std::time::Duration;

use evenstep::{FixedTimestep, Overrun, Rate, TimeScale};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::time::duration;

/// The refresh period of the machine's display in nanoseconds: 60 Hz.
const REFRESH: u64 = 1_000_000_000 / 60;

/// The cost of a frame without its steps, in nanoseconds.
const DRAWING: u64 = 2_000_000;

/// The largest number of steps in a frame, if they are capped.
const MAX_STEPS: u32 = 4;

/// A frame that would take longer than this is shown as taking this long.
const HOPELESS: u64 = 60_000_000_000;

/// A machine on which a step costs time, and what an accumulator makes of it.
///
/// The machine is a model, so that the browser survives what it shows: a frame takes its drawing and its steps, and
/// ends with the next refresh of a display at 60 Hz.
#[wasm_bindgen]
pub struct SpiralFigure {
    timestep: FixedTimestep,
    /// The cost of a step, in nanoseconds.
    cost: u64,
    /// The cost of a step during a hold-up, and the time at which the hold-up ends.
    hold_up: (u64, u64),
    /// The real time so far, and the start and end of the current frame, in nanoseconds.
    now: u64,
    frame: (u64, u64),
    clamped: Duration,
    dropped: u64,
}

#[wasm_bindgen]
impl SpiralFigure {
    /// A game of 60 steps a second under a policy: `none`, `clamp`, `drop`, `carry` or `stretch`.
    #[wasm_bindgen(constructor)]
    pub fn new(policy: &str) -> Self {
        Self {
            timestep: timestep(policy),
            cost: 0,
            hold_up: (0, 0),
            now: 0,
            frame: (0, 0),
            clamped: Duration::ZERO,
            dropped: 0,
        }
    }

    /// Sets the cost of a step from the next frame on, in milliseconds.
    pub fn set_cost(&mut self, milliseconds: f64) {
        self.cost = duration(milliseconds).as_nanos() as u64;
    }

    /// Makes steps cost 40 ms each for `milliseconds`.
    pub fn hold_up(&mut self, milliseconds: f64) {
        let until = self.now + duration(milliseconds).as_nanos() as u64;
        self.hold_up = (until, 40_000_000);
    }

    /// Lets real time pass, in milliseconds. For each frame that is finished, in milliseconds: how long it took, and how far the simulation
    /// is behind.
    pub fn advance(&mut self, milliseconds: f64) -> Vec<f64> {
        self.now += duration(milliseconds).as_nanos() as u64;
        let mut rows = Vec::new();
        while self.frame.1 <= self.now {
            rows.extend(self.run_frame());
        }
        rows
    }

    fn run_frame(&mut self) -> [f64; 2] {
        let (start, end) = self.frame;
        let took = Duration::from_nanos(end - start);
        let frame = self.timestep.advance(took);
        let steps = u64::from(frame.step_count());
        let lost = frame.lost();
        self.clamped += lost.clamped;
        self.dropped += lost.dropped;
        let cost = if end < self.hold_up.0 {
            self.hold_up.1
        } else {
            self.cost
        };
        let work = DRAWING.saturating_add(steps.saturating_mul(cost)).min(HOPELESS);
        self.frame = (end, end + work.div_ceil(REFRESH) * REFRESH);
        [took.as_secs_f64() * 1e3, frame.overstep().as_secs_f64() * 1e3]
    }

    /// Simulated seconds so far.
    #[wasm_bindgen(getter)]
    pub fn simulated(&self) -> f64 {
        self.timestep.tick() as f64 / 60.0
    }

    /// The time lost so far by the clamp and by the cap, in seconds.
    #[wasm_bindgen(getter)]
    pub fn lost(&self) -> f64 {
        self.clamped.as_secs_f64() + self.dropped as f64 / 60.0
    }

    /// The time that the current frame has taken so far, in milliseconds.
    #[wasm_bindgen(getter)]
    pub fn waiting(&self) -> f64 {
        self.now.saturating_sub(self.frame.0) as f64 / 1e6
    }
}

fn timestep(policy: &str) -> FixedTimestep {
    let rate = Rate::hz(60);
    let unlimited = FixedTimestep::new(rate)
        .with_max_delta(Duration::from_secs(3600))
        .with_max_steps(u32::MAX);
    let max_speed = TimeScale::new(3, 2).unwrap_or(TimeScale::NORMAL);
    let max_backlog = Duration::from_millis(500);
    match policy {
        "none" => unlimited,
        "clamp" => unlimited.with_max_delta(Duration::from_millis(100)),
        "carry" => unlimited
            .with_max_steps(MAX_STEPS)
            .with_overrun(Overrun::Carry { max_backlog }),
        "stretch" => unlimited
            .with_max_steps(MAX_STEPS)
            .with_overrun(Overrun::Stretch { max_speed }),
        _ => unlimited.with_max_steps(MAX_STEPS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The longest frame in milliseconds, the simulated and the lost seconds, after ten seconds.
    fn run(policy: &str, cost: f64) -> (f64, f64, f64) {
        let mut figure = SpiralFigure::new(policy);
        figure.set_cost(cost);
        let rows: Vec<f64> = (0..600).flat_map(|_| figure.advance(1000.0 / 60.0)).collect();
        let longest = rows.chunks_exact(2).map(|row| row[0]).fold(figure.waiting(), f64::max);
        (longest, figure.simulated(), figure.lost())
    }

    #[test]
    fn a_cheap_step_keeps_up_under_every_policy() {
        for policy in ["none", "clamp", "drop", "carry", "stretch"] {
            let (longest, simulated, lost) = run(policy, 5.0);
            assert!(
                longest < 17.0 && simulated > 9.9 && lost == 0.0,
                "{policy}: {longest} {simulated} {lost}"
            );
        }
    }

    #[test]
    fn a_step_that_costs_more_than_it_simulates_spirals_unless_it_is_capped() {
        let (longest, ..) = run("none", 25.0);
        assert!(longest > 2_000.0, "{longest}");
        for policy in ["clamp", "drop", "carry"] {
            let (longest, simulated, lost) = run(policy, 25.0);
            assert!(longest < 200.0 && simulated < 7.0, "{policy}: {longest} {simulated}");
            assert!((simulated + lost - 10.0).abs() < 0.7, "{policy}: {simulated} {lost}");
        }
    }

    #[test]
    fn after_a_hold_up_carry_and_stretch_catch_up_and_drop_does_not() {
        let after = |policy: &str| {
            let mut figure = SpiralFigure::new(policy);
            figure.set_cost(2.0);
            figure.hold_up(400.0);
            (0..600).for_each(|_| drop(figure.advance(1000.0 / 60.0)));
            (figure.simulated(), figure.lost())
        };
        assert!(after("drop").1 > 0.1);
        for policy in ["carry", "stretch"] {
            let (simulated, lost) = after(policy);
            assert!(simulated > 9.8 && lost == 0.0, "{policy}: {simulated} {lost}");
        }
    }
}
