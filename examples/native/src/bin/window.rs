//! A window that is right: equal steps at any display rate, smooth drawing, no steps while nobody looks. Begin with a copy of this.
//!
//! `cargo run --release -p evenstep-examples --bin window`

use std::time::Duration;

use evenstep::filter::DisplayClock;
use evenstep::{FixedTimestep, Frame, FrameClock, Rate, Smoothed};
use evenstep_examples::{Game, Screen, run};

struct Pulse {
    clock: FrameClock<DisplayClock>,
    timestep: FixedTimestep,
    radians: Smoothed<f64>,
}

impl Game for Pulse {
    fn timestep(&mut self) -> &mut FixedTimestep {
        &mut self.timestep // `run` suspends it while the window is hidden
    }

    fn frame(&mut self, now: Duration, screen: &mut Screen) -> Frame {
        let frame = self.timestep.advance(self.clock.begin_frame(now).delta);
        for step in frame.steps() {
            self.radians.begin_step();
            *self.radians.current_mut() += 2.0 * step.dt;
        }
        let light = 0.6 + 0.4 * self.radians.at(frame.alpha()).cos();
        screen.draw([0.2 * light, 0.5 * light, light], |_| {});
        frame
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    run("A window", |_| Pulse {
        clock: FrameClock::new(DisplayClock::new()),
        timestep: FixedTimestep::new(Rate::hz(60)),
        radians: Smoothed::new(0.0),
    })
}
