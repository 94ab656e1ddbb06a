//! The figure of the spiral of death.

use std::time::Duration;

use evenstep::{FixedTimestep, Overrun, Rate, TimeScale};
use evenstep_scenes::Refreshes;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::time::duration;

/// The refreshes of the machine's display.
const REFRESHES: Refreshes = Refreshes(Rate::hz(60));

/// The cost of a frame without its steps, in nanoseconds.
const DRAWING: u64 = 2_000_000;

/// The largest number of steps in a frame, if they are capped.
const MAX_STEPS: u32 = 5;

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
    way: Way,
    /// The steps so far and the simulated nanoseconds of a game that is locked.
    locked: Duration,
    /// The longest step so far.
    longest: Duration,
}

/// What a game does with the time of its frames.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// Equal steps.
    Equal,
    /// Equal steps; time passes no faster than the measured cost of a step allows.
    Slowed,
    /// A step of two refreshes in each frame, and one as long as the frame if that was late.
    Locked,
}

#[wasm_bindgen]
impl SpiralFigure {
    /// A game of 60 steps a second under a policy: `none`, `clamp`, `drop`, `carry`, `stretch` or `slow`; or one with `lock`, whose frames take
    /// two refreshes and are a step each.
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
            way: match policy {
                "slow" => Way::Slowed,
                "lock" => Way::Locked,
                _ => Way::Equal,
            },
            locked: Duration::ZERO,
            longest: Duration::ZERO,
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
        let (steps, kept) = match self.way {
            Way::Locked => self.step_once(took),
            _ => self.step_equally(took),
        };
        let cost = if end < self.hold_up.0 {
            self.hold_up.1
        } else {
            self.cost
        };
        let work = DRAWING.saturating_add(steps.saturating_mul(cost)).min(HOPELESS);
        let ready = Duration::from_nanos(end.saturating_add(work));
        let refresh = REFRESHES.at(REFRESHES.next_from(ready));
        // A locked game waits for the second refresh.
        let locked = REFRESHES.at(REFRESHES.next_from(Duration::from_nanos(end)) + 2);
        let next = if self.way == Way::Locked {
            refresh.max(locked)
        } else {
            refresh
        };
        self.frame = (end, next.as_nanos() as u64);
        if self.way == Way::Slowed {
            self.slow_down(cost);
        }
        [took.as_secs_f64() * 1e3, kept.as_secs_f64() * 1e3]
    }

    /// The number of equal steps in a frame, and the time that is kept for later.
    fn step_equally(&mut self, took: Duration) -> (u64, Duration) {
        let frame = self.timestep.advance(took);
        let lost = frame.lost();
        self.clamped += lost.clamped;
        self.dropped += lost.dropped;
        let steps = frame.steps().len() as u64;
        if steps > 0 {
            self.longest = REFRESHES.at(1);
        }
        (steps, Duration::from_secs_f64(frame.overstep().as_secs_f64()))
    }

    /// One step, as long as a frame that was late, else of two refreshes.
    fn step_once(&mut self, took: Duration) -> (u64, Duration) {
        if !took.is_zero() {
            self.locked += took;
            self.longest = self.longest.max(took);
        }
        (1, Duration::ZERO)
    }

    /// Lets time pass as fast as steps of this cost can be made beside the drawing, in frames that take as few refreshes as possible.
    fn slow_down(&mut self, cost: u64) {
        let refresh = REFRESHES.0.period_nanos();
        let fitting = |refreshes: u64| {
            let steps = (refreshes * refresh - DRAWING).checked_div(cost).unwrap_or(refreshes);
            (steps > 0).then(|| TimeScale::new(steps.min(refreshes) as u32, refreshes as u32))
        };
        let scale = (1..=120).find_map(fitting).and_then(Result::ok);
        self.timestep.set_time_scale(scale.unwrap_or(TimeScale::NORMAL));
    }

    /// Simulated seconds so far.
    #[wasm_bindgen(getter)]
    pub fn simulated(&self) -> f64 {
        match self.way {
            Way::Locked => self.locked.as_secs_f64(),
            _ => self.timestep.tick() as f64 / 60.0,
        }
    }

    /// The longest step so far, in milliseconds.
    #[wasm_bindgen(getter)]
    pub fn longest_step(&self) -> f64 {
        self.longest.as_secs_f64() * 1e3
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
        let longest = rows
            .as_chunks::<2>()
            .0
            .iter()
            .map(|row| row[0])
            .fold(figure.waiting(), f64::max);
        (longest, figure.simulated(), figure.lost())
    }

    #[test]
    fn a_cheap_step_keeps_up_under_every_policy() {
        for policy in ["none", "clamp", "drop", "carry", "stretch", "slow"] {
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

    #[test]
    fn nothing_is_kept_for_later_by_a_machine_that_keeps_up_and_what_is_kept_is_time_that_is_owed() {
        for policy in ["none", "clamp", "drop", "carry", "stretch", "slow", "lock"] {
            for cost in [0.0, 1.0, 5.0, 10.0] {
                let mut figure = SpiralFigure::new(policy);
                figure.set_cost(cost);
                let rows: Vec<f64> = (0..600).flat_map(|_| figure.advance(1000.0 / 60.0)).collect();
                assert!(rows.len() > 500);
                for row in rows.as_chunks::<2>().0 {
                    assert!(row[1] < 1e-3, "{policy}, {cost} ms: {row:?}");
                }
            }
        }
    }

    #[test]
    fn time_slows_down_by_the_measured_cost_of_a_step_and_none_is_lost() {
        for (cost, speed) in [(5.0, 1.0), (20.0, 0.5), (40.0, 1.0 / 3.0)] {
            let (longest, simulated, lost) = run("slow", cost);
            assert_eq!(lost, 0.0, "{cost} ms");
            // The first steps are made before their cost is known.
            assert!(longest < 150.0, "{cost} ms: {longest}");
            assert!((simulated / 10.0 - speed).abs() < 0.02, "{cost} ms: {simulated}");
        }
    }

    #[test]
    fn a_loop_that_is_locked_at_30_takes_longer_steps_when_it_is_late() {
        let longest = |cost: f64| {
            let mut figure = SpiralFigure::new("lock");
            figure.set_cost(cost);
            (0..300).for_each(|_| drop(figure.advance(1000.0 / 60.0)));
            (figure.longest_step(), figure.simulated())
        };
        for cost in [5.0, 20.0, 30.0] {
            let (step, simulated) = longest(cost);
            assert!(
                (step - 100.0 / 3.0).abs() < 0.01 && simulated > 4.9,
                "{cost}: {step} {simulated}"
            );
        }
        assert!((longest(40.0).0 - 50.0).abs() < 0.01);
        let mut figure = SpiralFigure::new("lock");
        figure.set_cost(10.0);
        figure.hold_up(400.0);
        (0..300).for_each(|_| drop(figure.advance(1000.0 / 60.0)));
        assert!((figure.longest_step() - 50.0).abs() < 0.01, "{}", figure.longest_step());
    }
}
