//! Step 4 of the tutorial: a tap reaches exactly one step, at every frame rate.

use std::time::Duration;

use evenstep::input::{Controls, InputBuffer, InputEvent};
use evenstep::{FixedTimestep, FrameClock, Rate};

fn main() {
    let (pressed, released) = (Duration::from_millis(103), Duration::from_millis(107));
    for frames_a_second in [30, 60, 144] {
        let mut clock = FrameClock::unfiltered(); // gets the time of each frame
        let mut timestep = FixedTimestep::new(Rate::hz(60));
        let (mut input, mut controls) = (InputBuffer::new(256), Controls::new());
        // As they happen, in the order in which they happen.
        input.push(pressed, InputEvent::Press("jump")).expect("there is room");
        input
            .push(released, InputEvent::Release("jump"))
            .expect("there is room");
        for number in 0..=frames_a_second {
            let time = clock.begin_frame(Duration::from_secs(1) * number / frames_a_second);
            let frame = timestep.advance(time.delta);
            input.begin_frame(&time, &frame); // after advance, before the steps
            for step in frame.steps() {
                controls.take(&mut input, &step);
                if controls.was_pressed(&"jump") {
                    println!("{frames_a_second} frames a second: it jumps in step {}", step.tick);
                }
            }
        }
    }
}
