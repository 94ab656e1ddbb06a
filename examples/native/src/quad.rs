//! A macroquad window: input with timestamps, gamepads, and the stage of tests.

use std::time::Duration;

use evenstep::filter::DisplayClock;
use evenstep::input::Button;
use evenstep::{Frame, FrameStats, MonotonicClock, Rate};
use evenstep_overlay::{PANEL_SIZE, Pixels, draw};
use macroquad::color::{Color, WHITE};
use macroquad::input::utils::{register_input_subscriber, repeat_all_miniquad_input};
use macroquad::input::{KeyCode, MouseButton, is_key_down, is_quit_requested, prevent_quit};
use macroquad::math::{Vec2, vec2};
use macroquad::miniquad::{EventHandler, KeyMods};
use macroquad::shapes::draw_rectangle;
use macroquad::text::{draw_text, measure_text};
use macroquad::texture::{FilterMode, Texture2D, draw_texture};
use macroquad::time::get_frame_time;
use macroquad::window::{Conf, screen_height, screen_width};
use winit::keyboard::KeyCode as Key;

use crate::input::Pad;
use crate::stage::{Moment, Stage};
use crate::{Input, View};

/// The keys of macroquad with the key names that gamepads use, too.
const KEYS: [(KeyCode, Key); 22] = [
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
    (KeyCode::I, Key::KeyI),
    (KeyCode::F, Key::KeyF),
    (KeyCode::L, Key::KeyL),
    (KeyCode::Tab, Key::Tab),
    (KeyCode::Key1, Key::Digit1),
    (KeyCode::Key2, Key::Digit2),
    (KeyCode::Key3, Key::Digit3),
    (KeyCode::Key4, Key::Digit4),
    (KeyCode::Key5, Key::Digit5),
];

/// The macroquad window: its events in the order of their arrival, gamepads, and the stage on which tests play.
pub struct QuadWindow {
    stage: Stage,
    pad: Pad,
    subscriber: usize,
    taken: Taken,
    inputs: u64,
    is_over: bool,
    view: View,
    stats: FrameStats<240>,
    /// The time of the last frame.
    last: Duration,
    /// The text about how the game is shown. It is not updated in every frame, so that it can be read.
    status: String,
    /// The panel as a texture.
    panel: Option<Texture2D>,
}

impl QuadWindow {
    /// The configuration of a window with this title.
    #[must_use]
    pub fn conf(title: &str) -> Conf {
        let [width, height] = Stage::size().unwrap_or([1280, 800]).map(|side| side as i32);
        Conf {
            window_title: title.to_owned(),
            window_width: width,
            window_height: height,
            sample_count: 4,
            high_dpi: true,
            ..Conf::default()
        }
    }

    /// Starts to collect input. Call this once the window is open.
    #[must_use]
    pub fn new() -> Self {
        let stage = Stage::new(MonotonicClock::new());
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
            view: View::new(),
            stats: FrameStats::new(),
            last: Duration::ZERO,
            status: String::new(),
            panel: None,
        }
    }

    /// Whether the game continues: the window was not closed and Escape was not pressed.
    pub fn is_open(&mut self) -> bool {
        let is_open = !self.is_over && !is_quit_requested() && !is_key_down(KeyCode::Escape);
        if !is_open {
            self.stage.end();
        }
        is_open
    }

    /// The input since the last call, with timestamps. Gamepad events have times of their own; keyboard and mouse events get the time of
    /// this call. Call this in every frame.
    pub fn poll(&mut self) -> Vec<(Duration, Input)> {
        repeat_all_miniquad_input(&mut self.taken, self.subscriber);
        let now = self.stage.now();
        let mut inputs: Vec<_> = self.taken.inputs.drain(..).map(|input| (now, input)).collect();
        let pads = self.pad.poll(Duration::from_secs_f32(get_frame_time()));
        inputs.extend(pads.into_iter().map(|(ago, input)| (now.saturating_sub(ago), input)));
        inputs.iter().for_each(|(_, input)| self.view.input(input));
        self.inputs += inputs.len() as u64;
        inputs
    }

    /// How the game is shown.
    #[must_use]
    pub const fn view(&self) -> &View {
        &self.view
    }

    /// The position of the mouse in pixels, if it moved since the last call.
    pub const fn mouse_moved(&mut self) -> Option<Vec2> {
        self.taken.moved_to.take()
    }

    /// Whether the window is minimised. On systems that report only the focus, whether it has lost the focus.
    #[must_use]
    pub const fn is_hidden(&self) -> bool {
        self.taken.is_hidden
    }

    /// The time of the current frame; `None` if a test asks for something else, or the imitated display has not refreshed.
    pub fn frame_time(&mut self) -> Option<Duration> {
        match self.stage.next_moment() {
            Moment::Frame(now) => return self.view.due(now).ok(),
            Moment::End => self.is_over = true,
            Moment::Tell | Moment::LoseSurface => {
                let size = [screen_width(), screen_height()].map(|side| side as u32);
                self.stage.tell(self.inputs, size, self.is_hidden());
            }
        }
        None
    }

    /// Counts a frame that is shown at `now`, and reports it to a test.
    pub fn drawn(&mut self, now: Duration, frame: &Frame, rate: Rate, clock: &DisplayClock) {
        self.view.record(now, frame);
        self.stats.record(now.saturating_sub(self.last), frame);
        self.last = now;
        if self.stats.frame_count() % 15 == 1 || self.status.is_empty() {
            self.status = self.view.status().join("   ");
        }
        self.panel = if self.view.has_panel() {
            Some(panel(&self.stats, rate, clock.refresh_hz()))
        } else {
            None
        };
        self.stage.drawn(frame);
    }

    /// Draws the help text, how the game is shown and, if it is switched on, the panel over the frame.
    pub fn draw_help(&self, help: &str) {
        let (width, height) = (screen_width(), screen_height());
        let lines = [help, &self.status];
        let wide = |line: &&str| measure_text(line, None, 100, 1.0).width / 100.0;
        let longest = lines.iter().map(wide).fold(1.0, f32::max);
        let size = (height / 36.0).min((width - 16.0) / longest).floor();
        let row = 1.25 * size;
        draw_rectangle(
            0.0,
            height - 2.25 * row,
            width,
            2.25 * row,
            Color::new(0.04, 0.04, 0.05, 0.75),
        );
        for (line, text) in lines.into_iter().enumerate() {
            draw_text(text, 8.0, height - (1.4 - line as f32) * row, size, WHITE);
        }
        if let Some(panel) = &self.panel {
            draw_texture(panel, width - panel.width(), 0.0, WHITE);
        }
    }
}

/// Draws the panel, scaled to the window.
fn panel(stats: &FrameStats<240>, rate: Rate, display: Option<f64>) -> Texture2D {
    let scale = ((screen_height() as u32 + 80) / 400).max(1);
    let (width, height) = (PANEL_SIZE.0 * scale, PANEL_SIZE.1 * scale);
    let mut bytes = vec![0; (4 * width * height) as usize];
    if let Ok(pixels) = Pixels::new(&mut bytes, width, height) {
        draw(stats, rate, display, &mut pixels.with_scale(scale));
    }
    let texture = Texture2D::from_rgba8(width as u16, height as u16, &bytes);
    texture.set_filter(FilterMode::Nearest);
    texture
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
        // Input means that the window is visible. On macOS miniquad reports a window as minimised when it is only moved.
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
        // Systems report the wheel in different units.
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
    fn a_tap_within_a_frame_is_reported_in_order_and_key_repeats_are_ignored() {
        let (mut taken, none) = (Taken::default(), KeyMods::default());
        taken.key_down_event(KeyCode::Space, none, false);
        taken.key_down_event(KeyCode::Space, none, true);
        taken.key_up_event(KeyCode::Space, none);
        let space = Button::Key(Key::Space);
        assert_eq!(taken.inputs, [Input::Press(space), Input::Release(space)]);
    }

    #[test]
    fn a_hidden_window_releases_all_keys_and_is_visible_again_when_it_is_restored_or_gets_input() {
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
