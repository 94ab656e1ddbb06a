//! A window of macroquad: its input with times, gamepads, and the stage of tests.

use std::time::Duration;

use evenstep::Frame;
use evenstep::input::Button;
use macroquad::input::utils::{register_input_subscriber, repeat_all_miniquad_input};
use macroquad::input::{KeyCode, MouseButton, is_key_down, is_quit_requested, prevent_quit};
use macroquad::math::{Vec2, vec2};
use macroquad::miniquad::{EventHandler, KeyMods};
use macroquad::time::get_frame_time;
use macroquad::window::{Conf, screen_height, screen_width};
use winit::keyboard::KeyCode as Key;

use crate::Input;
use crate::input::Pad;
use crate::stage::{Moment, Stage};

/// Keys of macroquad by their place, as those of gamepads are named too.
const KEYS: [(KeyCode, Key); 18] = [
    (KeyCode::Left, Key::ArrowLeft),
    (KeyCode::Right, Key::ArrowRight),
    (KeyCode::Up, Key::ArrowUp),
    (KeyCode::Down, Key::ArrowDown),
    (KeyCode::Space, Key::Space),
    (KeyCode::Enter, Key::Enter),
    (KeyCode::Backspace, Key::Backspace),
    (KeyCode::W, Key::KeyW),
    (KeyCode::A, Key::KeyA),
    (KeyCode::S, Key::KeyS),
    (KeyCode::D, Key::KeyD),
    (KeyCode::C, Key::KeyC),
    (KeyCode::H, Key::KeyH),
    (KeyCode::Key1, Key::Digit1),
    (KeyCode::Key2, Key::Digit2),
    (KeyCode::Key3, Key::Digit3),
    (KeyCode::Key4, Key::Digit4),
    (KeyCode::Key5, Key::Digit5),
];

/// The window of macroquad: what it tells, in the order in which it came, gamepads, and the stage on which tests play.
pub struct QuadWindow {
    stage: Stage,
    pad: Pad,
    subscriber: usize,
    taken: Taken,
    inputs: u64,
    is_over: bool,
}

impl QuadWindow {
    /// How to open a window with this title.
    #[must_use]
    pub fn conf(title: &str) -> Conf {
        let [width, height] = Stage::size().unwrap_or([1200, 800]).map(|side| side as i32);
        Conf {
            window_title: title.to_owned(),
            window_width: width,
            window_height: height,
            sample_count: 4,
            ..Conf::default()
        }
    }

    /// Listens from now on. Call it once the window is open.
    #[must_use]
    pub fn new() -> Self {
        let stage = Stage::new();
        prevent_quit();
        Self {
            pad: if stage.is_scripted() {
                Pad::default()
            } else {
                Pad::new()
            },
            stage,
            subscriber: register_input_subscriber(),
            taken: Taken::default(),
            inputs: 0,
            is_over: false,
        }
    }

    /// Whether it is to go on: the window was not closed, nor Escape pressed.
    pub fn is_open(&mut self) -> bool {
        let is_open = !self.is_over && !is_quit_requested() && !is_key_down(KeyCode::Escape);
        if !is_open {
            self.stage.end();
        }
        is_open
    }

    /// What was done since the last call. Call it in every frame.
    pub fn poll(&mut self) -> Vec<Input> {
        repeat_all_miniquad_input(&mut self.taken, self.subscriber);
        let mut inputs = std::mem::take(&mut self.taken.inputs);
        inputs.extend(self.pad.poll(Duration::from_secs_f32(get_frame_time())));
        self.inputs += inputs.len() as u64;
        inputs
    }

    /// The time now, for input.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.stage.now()
    }

    /// At which pixel the mouse is, if it moved since the last call.
    pub const fn mouse_moved(&mut self) -> Option<Vec2> {
        self.taken.moved_to.take()
    }

    /// Whether the window is minimised or, where the system tells only that, not the one that is played in.
    #[must_use]
    pub const fn is_hidden(&self) -> bool {
        self.taken.is_hidden
    }

    /// The time of the current frame; none if a test asks for something else.
    pub fn frame_time(&mut self) -> Option<Duration> {
        match self.stage.next_moment() {
            Moment::Frame(now) => return Some(now),
            Moment::End => self.is_over = true,
            Moment::Tell | Moment::LoseSurface => {
                let size = [screen_width(), screen_height()].map(|side| side as u32);
                self.stage.tell(self.inputs, size, self.is_hidden());
            }
        }
        None
    }

    /// Tells a test how a frame went.
    pub fn drawn(&mut self, frame: &Frame) {
        self.stage.drawn(frame);
    }
}

impl Default for QuadWindow {
    fn default() -> Self {
        Self::new()
    }
}

#[derive(Default)]
struct Taken {
    inputs: Vec<Input>,
    mouse: Option<Vec2>,
    moved_to: Option<Vec2>,
    is_hidden: bool,
}

impl Taken {
    fn input(&mut self, input: Option<Input>) {
        // Who plays sees the window, also where miniquad says that it is minimised when it is only moved, as on macOS.
        self.is_hidden &= input.is_none();
        self.inputs.extend(input);
    }
}

impl EventHandler for Taken {
    fn update(&mut self) {}

    fn draw(&mut self) {}

    fn key_down_event(&mut self, key: KeyCode, _: KeyMods, is_repeated: bool) {
        self.input(button(key).filter(|_| !is_repeated).map(Input::Press));
    }

    fn key_up_event(&mut self, key: KeyCode, _: KeyMods) {
        self.input(button(key).map(Input::Release));
    }

    fn mouse_button_down_event(&mut self, pressed: MouseButton, _: f32, _: f32) {
        self.input(mouse_button(pressed).map(Input::Press));
    }

    fn mouse_button_up_event(&mut self, released: MouseButton, _: f32, _: f32) {
        self.input(mouse_button(released).map(Input::Release));
    }

    fn mouse_motion_event(&mut self, x: f32, y: f32) {
        let from = self.mouse.replace(vec2(x, y)).unwrap_or(vec2(x, y));
        let by = vec2(x, y) - from;
        self.moved_to = self.mouse;
        self.input(Some(Input::Motion([by.x, by.y].map(f64::from))));
    }

    fn mouse_wheel_event(&mut self, x: f32, y: f32) {
        // Systems count in different units.
        let line = |by: f32| if by == 0.0 { 0.0 } else { f64::from(by.signum()) };
        self.input(Some(Input::Wheel([x, y].map(line))));
    }

    fn window_minimized_event(&mut self) {
        self.input(Some(Input::ReleaseAll));
        self.is_hidden = true;
    }

    fn window_restored_event(&mut self) {
        self.is_hidden = false;
    }
}

fn button(key: KeyCode) -> Option<Button> {
    let found = KEYS.iter().find(|(quad, _)| *quad == key);
    found.map(|(_, key)| Button::Key(*key))
}

fn mouse_button(button: MouseButton) -> Option<Button> {
    (button == MouseButton::Left).then_some(Button::Mouse(winit::event::MouseButton::Left))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tap_within_a_frame_is_told_in_its_order_and_a_repetition_not_at_all() {
        let (mut taken, none) = (Taken::default(), KeyMods::default());
        taken.key_down_event(KeyCode::Space, none, false);
        taken.key_down_event(KeyCode::Space, none, true);
        taken.key_up_event(KeyCode::Space, none);
        let space = Button::Key(Key::Space);
        assert_eq!(taken.inputs, [Input::Press(space), Input::Release(space)]);
    }

    #[test]
    fn a_hidden_window_lets_all_keys_go_and_is_seen_again_when_it_is_restored_or_played_in() {
        let mut taken = Taken::default();
        taken.window_minimized_event();
        assert_eq!(
            (taken.inputs.as_slice(), taken.is_hidden),
            (&[Input::ReleaseAll][..], true)
        );
        taken.window_restored_event();
        assert!(!taken.is_hidden);
        taken.window_minimized_event();
        taken.mouse_motion_event(1.0, 2.0);
        assert!(!taken.is_hidden);
    }
}
