//! Step 5 of the tutorial: a square in a window moves smoothly.

use evenstep::{FixedTimestep, FrameClock, MonotonicClock, Rate, Smoothed};
use macroquad::prelude::*;

#[macroquad::main("A smooth square")]
async fn main() {
    let clock = MonotonicClock::new();
    let mut frames = FrameClock::unfiltered();
    let mut timestep = FixedTimestep::new(Rate::hz(60));
    let mut x = Smoothed::new(100.0_f32);
    let mut speed = 200.0; // pixels a second
    loop {
        let frame = timestep.advance(frames.begin_frame(clock.now()).delta);
        for step in frame.steps() {
            x.begin_step();
            *x.current_mut() += speed * step.dt as f32;
            if !(0.0..=700.0).contains(x.current()) {
                speed = -speed; // back from the wall
                *x.current_mut() += speed * step.dt as f32;
            }
        }
        clear_background(BLACK);
        draw_rectangle(x.at(frame.alpha()), 300.0, 50.0, 50.0, WHITE);
        next_frame().await;
    }
}
