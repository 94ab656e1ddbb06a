//! Electric Field Hockey, with macroquad: place charges so that the puck flies into the goal.
//!
//! The mouse, the arrow keys or a gamepad's stick aim. A mouse button, the space bar or the lower button of a gamepad places a charge;
//! C or the left one changes its sign, the wheel its size, Backspace takes the last away. Enter or Start shoots. 1 to 5 choose
//! a level, H shows a solution, Escape ends.
//!
//! `cargo run --release -p evenstep-examples --bin hockey`

use std::time::Duration;

use evenstep::filter::{DeltaFilter as _, DisplayClock};
use evenstep::input::{Button, Controls, InputBuffer, InputEvent};
use evenstep::{FixedTimestep, Rate};
use evenstep_examples::{Moment, Pad, Stage};
use macroquad::prelude::*;
use winit::keyboard::KeyCode as Key;

use game::Game;

mod game;

/// Keys of macroquad, and what a gamepad's buttons are as keys.
const KEYS: [(KeyCode, Key); 14] = [
    (KeyCode::Left, Key::ArrowLeft),
    (KeyCode::Right, Key::ArrowRight),
    (KeyCode::Up, Key::ArrowUp),
    (KeyCode::Down, Key::ArrowDown),
    (KeyCode::Space, Key::Space),
    (KeyCode::Enter, Key::Enter),
    (KeyCode::Backspace, Key::Backspace),
    (KeyCode::C, Key::KeyC),
    (KeyCode::H, Key::KeyH),
    (KeyCode::Key1, Key::Digit1),
    (KeyCode::Key2, Key::Digit2),
    (KeyCode::Key3, Key::Digit3),
    (KeyCode::Key4, Key::Digit4),
    (KeyCode::Key5, Key::Digit5),
];
/// What was done since the last frame.
fn inputs() -> Vec<InputEvent<Button>> {
    let pressed = KEYS
        .iter()
        .filter(|(key, _)| is_key_pressed(*key))
        .map(|(_, key)| InputEvent::Press(Button::Key(*key)));
    let released = KEYS
        .iter()
        .filter(|(key, _)| is_key_released(*key))
        .map(|(_, key)| InputEvent::Release(Button::Key(*key)));
    let mouse = Button::Mouse(winit::event::MouseButton::Left);
    let click = is_mouse_button_pressed(MouseButton::Left).then_some(InputEvent::Press(mouse));
    let unclick = is_mouse_button_released(MouseButton::Left).then_some(InputEvent::Release(mouse));
    let (_, wheel) = mouse_wheel();
    let wheel = (wheel != 0.0).then_some(InputEvent::Wheel([0.0, f64::from(wheel)]));
    pressed
        .chain(released)
        .chain(click)
        .chain(unclick)
        .chain(wheel)
        .collect()
}

fn window() -> Conf {
    let [width, height] = Stage::size().unwrap_or([1200, 800]).map(|side| side as i32);
    Conf {
        window_title: "Electric Field Hockey".to_owned(),
        window_width: width,
        window_height: height,
        sample_count: 4,
        ..Conf::default()
    }
}

#[macroquad::main(window)]
async fn main() {
    let (mut stage, mut pad) = (Stage::new(), Pad::new());
    let (mut last, mut display, mut timestep) = (Duration::ZERO, DisplayClock::new(), FixedTimestep::new(Rate::hz(60)));
    let (mut events, mut controls, mut game) = (InputBuffer::new(1024), Controls::new(), Game::new(0));
    let (mut alpha, mut count, mut mouse) = (0.0, 0, mouse_position());
    prevent_quit();
    while !is_quit_requested() && !is_key_down(KeyCode::Escape) {
        for event in inputs()
            .into_iter()
            .chain(pad.poll(Duration::from_secs_f32(get_frame_time())))
        {
            count += 1;
            let _ = events.push(stage.now(), event);
        }
        if std::mem::replace(&mut mouse, mouse_position()) != mouse {
            count += 1;
            game.aim_at(mouse.into());
        }
        match stage.next_moment() {
            Moment::Frame(now) => {
                let frame = timestep.advance(display.apply(now - last));
                events.begin_frame(now, &display, &frame);
                for step in frame.steps() {
                    controls.take(&mut events, &step);
                    game.step(&controls, &step);
                }
                (last, alpha) = (now, frame.alpha());
                stage.drawn(&frame);
            }
            Moment::End => break,
            Moment::Tell | Moment::LoseSurface => {
                stage.tell(count, [screen_width(), screen_height()].map(|side| side as u32), false)
            }
        }
        game.draw(alpha);
        next_frame().await;
    }
    stage.end();
}
