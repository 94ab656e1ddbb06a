//! Step 4 of the tutorial: the arrow keys move the square, space makes it jump, and P pauses the game.

use evenstep::input::InputEvent;
use evenstep::{GameLoop, Rate, Smoothed};
use macroquad::prelude::*;

async fn play() {
    let mut game = GameLoop::new(Rate::hz(60)).with_input();
    let mut place = Smoothed::new([100.0_f32, 0.0]); // from the left, and above the ground
    let mut upwards = 0.0; // pixels a second
    loop {
        // macroquad's events have no timestamps: a key went down or up since the last frame.
        for key in [KeyCode::Left, KeyCode::Right, KeyCode::Space] {
            if is_key_pressed(key) {
                game.push(InputEvent::Press(key));
            }
            if is_key_released(key) {
                game.push(InputEvent::Release(key));
            }
        }
        if is_key_pressed(KeyCode::P) {
            if game.is_paused() {
                game.resume();
            } else {
                game.pause();
            }
        }
        let frame = game.begin_frame();
        for step in frame.steps() {
            let (keys, dt) = (game.input(&step), step.dt_f32());
            place.step(|[x, height]| {
                let right = f32::from(keys.is_down(&KeyCode::Right));
                *x += 200.0 * (right - f32::from(keys.is_down(&KeyCode::Left))) * dt;
                if keys.was_pressed(&KeyCode::Space) && *height == 0.0 {
                    upwards = 300.0;
                }
                upwards -= 900.0 * dt;
                *height += upwards * dt;
                if *height <= 0.0 {
                    (*height, upwards) = (0.0, 0.0);
                }
            });
        }
        clear_background(BLACK);
        let [x, height] = place.at(frame.alpha());
        draw_rectangle(
            x,
            300.0 - height,
            50.0,
            50.0,
            if game.is_paused() { GRAY } else { WHITE },
        );
        draw_text("Left, Right: move   Space: jump   P: pause", 20.0, 40.0, 30.0, SKYBLUE);
        next_frame().await;
    }
}

fn main() -> Result<(), &'static str> {
    if cfg!(target_os = "linux") && std::env::var_os("DISPLAY").is_none_or(|name| name.is_empty()) {
        return Err("no window: the variable DISPLAY names no X server");
    }
    macroquad::Window::new("A square that waits", play());
    Ok(())
}
