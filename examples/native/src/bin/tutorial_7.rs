//! Step 7 of the tutorial: P pauses the game.

use evenstep::input::{Controls, InputBuffer, InputEvent};
use evenstep::{FixedTimestep, FrameClock, MonotonicClock, Rate, Smoothed};
use macroquad::prelude::*;

#[macroquad::main("A square that waits")]
async fn main() {
    let clock = MonotonicClock::new();
    let mut frames = FrameClock::unfiltered();
    let mut timestep = FixedTimestep::new(Rate::hz(60));
    let (mut input, mut controls) = (InputBuffer::new(256), Controls::new());
    let mut place = Smoothed::new([100.0_f32, 0.0]); // from the left, and above the ground
    let mut upwards = 0.0; // pixels a second
    let mut is_paused = false;
    loop {
        for key in [KeyCode::Left, KeyCode::Right, KeyCode::Space] {
            if is_key_pressed(key) {
                let _ = input.push(clock.now(), InputEvent::Press(key));
            }
            if is_key_released(key) {
                let _ = input.push(clock.now(), InputEvent::Release(key));
            }
        }
        let time = frames.begin_frame(clock.now());
        let frame = timestep.advance(time.delta);
        input.begin_frame(&time, &frame);
        for step in frame.steps() {
            controls.take(&mut input, &step);
            place.begin_step();
            let dt = step.dt as f32;
            let [x, height] = place.current_mut();
            if controls.is_down(&KeyCode::Right) {
                *x += 200.0 * dt;
            }
            if controls.is_down(&KeyCode::Left) {
                *x -= 200.0 * dt;
            }
            if controls.was_pressed(&KeyCode::Space) && *height == 0.0 {
                upwards = 300.0;
            }
            upwards -= 900.0 * dt;
            *height += upwards * dt;
            if *height <= 0.0 {
                (*height, upwards) = (0.0, 0.0);
            }
        }
        // After the steps: a key that ends the pause together with others ends it behind them.
        if is_key_pressed(KeyCode::P) {
            is_paused = !is_paused;
            if is_paused {
                timestep.suspend();
            } else {
                timestep.resume();
            }
        }
        clear_background(BLACK);
        let [x, height] = place.at(frame.alpha());
        draw_rectangle(x, 300.0 - height, 50.0, 50.0, if is_paused { GRAY } else { WHITE });
        draw_text("Left, Right: move   Space: jump   P: pause", 20.0, 40.0, 30.0, SKYBLUE);
        next_frame().await;
    }
}
