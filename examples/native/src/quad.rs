//! A macroquad window: input with timestamps, gamepads, and the stage of tests.

use std::time::Duration;

use embedded_graphics::pixelcolor::Rgb888;
use evenstep::filter::DisplayClock;
use evenstep::{Frame, MonotonicClock, Rate};
use macroquad::color::{Color, WHITE};
use macroquad::input::utils::{register_input_subscriber, repeat_all_miniquad_input};
use macroquad::input::{KeyCode, MouseButton, is_key_down, is_quit_requested, prevent_quit};
use macroquad::math::{Vec2, vec2};
use macroquad::miniquad::{EventHandler, KeyMods};
use macroquad::texture::{DrawTextureParams, FilterMode, Texture2D, draw_texture_ex};
use macroquad::time::get_frame_time;
use macroquad::window::{Conf, screen_dpi_scale, screen_height, screen_width};

use crate::input::Pad;
use crate::stage::{Moment, Stage};
use crate::words::{Image, parts, strip_height, wrap};
use crate::{Input, Key, View};

/// The keys of macroquad.
const KEYS: [(KeyCode, Key); 22] = [
    (KeyCode::Left, Key::Left),
    (KeyCode::Right, Key::Right),
    (KeyCode::Up, Key::Up),
    (KeyCode::Down, Key::Down),
    (KeyCode::Space, Key::Space),
    (KeyCode::Enter, Key::Enter),
    (KeyCode::Backspace, Key::Backspace),
    (KeyCode::Tab, Key::Tab),
    (KeyCode::A, Key::A),
    (KeyCode::C, Key::C),
    (KeyCode::D, Key::D),
    (KeyCode::F, Key::F),
    (KeyCode::H, Key::H),
    (KeyCode::I, Key::I),
    (KeyCode::L, Key::L),
    (KeyCode::S, Key::S),
    (KeyCode::W, Key::W),
    (KeyCode::Key1, Key::One),
    (KeyCode::Key2, Key::Two),
    (KeyCode::Key3, Key::Three),
    (KeyCode::Key4, Key::Four),
    (KeyCode::Key5, Key::Five),
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
    help: Vec<String>,
    /// How the game is shown. It is not updated in every frame, so that it can be read.
    status: Vec<String>,
    strip: Label,
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

    /// Starts to collect input. Call this once the window is open. `help` is shown at the lower edge: keys and what they do, such as
    /// `Space: jump`, with three spaces between them.
    #[must_use]
    pub fn new(help: &str) -> Self {
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
            help: parts(help),
            status: Vec::new(),
            strip: Label::default(),
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

    /// The position of the mouse in macroquad's units, if it moved since the last call.
    pub fn mouse_moved(&mut self) -> Option<Vec2> {
        self.taken.moved_to.take().map(|pixel| pixel / screen_dpi_scale())
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
        let is_switched = self.view.has_panel() != self.panel.is_some();
        if is_switched || self.view.stats().frame_count() % 15 == 1 {
            self.status = self.view.status().to_vec();
        }
        self.panel = if self.view.has_panel() {
            let rates = (rate, clock.refresh_hz());
            Some(texture(&Image::panel(self.view.stats(), rates, pixels()[1])))
        } else {
            None
        };
        self.stage.drawn(frame);
    }

    /// The number of lines at the lower edge: the help text, and how the game is shown.
    fn rows(&self) -> usize {
        let lines = |parts: &[String]| wrap(parts, pixels()).len();
        lines(&self.help) + lines(&View::longest_status())
    }

    /// The height of the scene in macroquad's units: the window without the help text.
    #[must_use]
    pub fn scene_height(&self) -> f32 {
        let [_, height] = pixels();
        height.saturating_sub(strip_height(self.rows(), height)) as f32 / screen_dpi_scale()
    }

    /// Draws the help text, how the game is shown and, if it is switched on, the panel.
    pub fn draw_help(&mut self) {
        let (size, rows) = (pixels(), self.rows());
        let lines = [wrap(&self.help, size), wrap(&self.status, size)].concat();
        let top = self.scene_height();
        let strip = self.strip.texture(&lines.concat(), || Image::strip(&lines, rows, size));
        show(strip, [0.0, top], WHITE);
        if let Some(panel) = &self.panel {
            show(panel, [screen_width() - panel.width() / screen_dpi_scale(), 0.0], WHITE);
        }
    }
}

/// A line of text whose letters are a fortieth of the window's height.
#[derive(Default)]
pub struct Label {
    text: String,
    window: [u32; 2],
    texture: Option<Texture2D>,
}

impl Label {
    /// Draws a text with its upper left corner at a point of the window, in macroquad's units.
    pub fn draw(&mut self, text: &str, place: [f32; 2], colour: Color) {
        let line = || Image::line(text, Rgb888::new(255, 255, 255), pixels()[1]);
        show(self.texture(text, line), place, colour);
    }

    /// The texture of a text, made again if the text or the window's size has changed.
    fn texture(&mut self, text: &str, image: impl FnOnce() -> Image) -> &Texture2D {
        let window = pixels();
        if self.text != text || self.window != window {
            text.clone_into(&mut self.text);
            (self.window, self.texture) = (window, None);
        }
        self.texture.get_or_insert_with(|| texture(&image()))
    }
}

/// Width and height of the window in pixels. macroquad's own units are larger on screens with many pixels.
fn pixels() -> [u32; 2] {
    [screen_width(), screen_height()].map(|side| (side * screen_dpi_scale()).round() as u32)
}

/// Draws a texture with one of its pixels for each pixel of the window.
fn show(texture: &Texture2D, [x, y]: [f32; 2], colour: Color) {
    let parameters = DrawTextureParams {
        dest_size: Some(texture.size() / screen_dpi_scale()),
        ..DrawTextureParams::default()
    };
    draw_texture_ex(texture, x, y, colour, parameters);
}

fn texture(image: &Image) -> Texture2D {
    let [width, height] = image.size.map(|side| side as u16);
    let texture = Texture2D::from_rgba8(width, height, &image.bytes);
    texture.set_filter(FilterMode::Nearest);
    texture
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

fn button(key: KeyCode) -> Option<Key> {
    let found = KEYS.iter().find(|(quad, _)| *quad == key);
    found.map(|(_, key)| *key)
}

fn mouse_button(button: MouseButton) -> Option<Key> {
    (button == MouseButton::Left).then_some(Key::Click)
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
        let space = Key::Space;
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
