//! A window that is right: equal steps at any display rate, smooth drawing, no steps while nobody looks. Begin with a copy of this.
//!
//! `cargo run --release -p evenstep-examples --bin window`
use std::time::Duration;

use evenstep::filter::{DeltaFilter as _, DisplayClock};
use evenstep::{FixedTimestep, Frame, Rate, Smoothed};
use evenstep_examples::{Game, Screen, run};

struct Pulse {
    last: Duration,
    display: DisplayClock,
    timestep: FixedTimestep,
    angle: Smoothed<f64>,
}

impl Game for Pulse {
    const TITLE: &'static str = "A window";

    fn new(_: &Screen) -> Self {
        Self {
            last: Duration::ZERO,
            display: DisplayClock::new(),
            timestep: FixedTimestep::new(Rate::hz(60)),
            angle: Smoothed::new(0.0),
        }
    }

    fn set_hidden(&mut self, is_hidden: bool) {
        if is_hidden {
            self.timestep.suspend()
        } else {
            self.timestep.resume()
        }
    }
    fn frame(&mut self, now: Duration, screen: &mut Screen) -> Frame {
        let delta = self.display.apply(now - self.last);
        self.last = now;
        let frame = self.timestep.advance(delta);
        for step in frame.steps() {
            self.angle.begin_step();
            *self.angle.current_mut() += 2.0 * step.dt; // radians
        }
        let light = 0.6 + 0.4 * self.angle.at(frame.alpha()).cos();
        screen.draw([0.2 * light, 0.5 * light, light], |_| {});
        frame
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    run::<Pulse>()
}
