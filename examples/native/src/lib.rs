//! What the programs with macroquad in `src/bin` share: opening the window, keys, and the panel.

mod panel;

use std::future::Future;
use std::panic;
use std::process::{self, ExitCode};

use evenstep::GameLoop;
use evenstep::input::InputEvent;
use macroquad::input::{KeyCode, is_key_pressed, is_key_released};
use macroquad::window::Conf;

pub use panel::draw_panel;

/// Opens a window and plays in it. With `--help`, or without a display, it prints a line instead.
pub fn open(title: &str, help: &str, play: impl Future<Output = ()> + 'static) -> ExitCode {
    if std::env::args()
        .skip(1)
        .any(|argument| argument == "--help" || argument == "-h")
    {
        println!("{title}. {help}");
        return ExitCode::SUCCESS;
    }
    say_what_is_missing();
    let conf = Conf {
        window_title: title.to_owned(),
        window_width: 960,
        window_height: 600,
        sample_count: 4,
        high_dpi: true,
        ..Conf::default()
    };
    macroquad::Window::from_config(conf, play);
    ExitCode::SUCCESS
}

/// macroquad panics if it cannot open its window, as over ssh: one line takes the place of the backtrace.
fn say_what_is_missing() {
    let others = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if !panic.location().is_some_and(|place| place.file().contains("miniquad")) {
            return others(panic);
        }
        let why = panic.payload_as_str().unwrap_or_default();
        eprintln!(
            "no window: {why} On Linux it needs OpenGL, and X11 or Xwayland, whose server the variable DISPLAY names."
        );
        process::exit(1);
    }));
}

/// Pushes the presses and releases of `keys` since the last frame. macroquad reports no times, so all of them happen now.
pub fn push_keys(game: &mut GameLoop<KeyCode>, keys: &[KeyCode]) {
    for key in keys {
        if is_key_pressed(*key) {
            game.push(InputEvent::Press(*key));
        }
        if is_key_released(*key) {
            game.push(InputEvent::Release(*key));
        }
    }
}
