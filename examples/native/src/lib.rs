//! What the programs with macroquad in `src/bin` share: opening the window, keys, and the panel.

mod panel;

use std::future::Future;
use std::process::ExitCode;
use std::time::Duration;

use evenstep::input::{InputBuffer, InputEvent};
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
    if cfg!(target_os = "linux") && std::env::var_os("DISPLAY").is_none_or(|name| name.is_empty()) {
        eprintln!("no display: the window needs X11 or Xwayland, whose server is named by the variable DISPLAY");
        return ExitCode::FAILURE;
    }
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

/// Pushes the presses and releases of `keys` since the last frame. macroquad reports no times, so all of them get the time `now`.
pub fn push_keys(input: &mut InputBuffer<InputEvent<KeyCode>>, now: Duration, keys: &[KeyCode]) {
    for key in keys {
        // Cannot fail: there is room for the states of these keys.
        if is_key_pressed(*key) {
            let _ = input.push(now, InputEvent::Press(*key));
        }
        if is_key_released(*key) {
            let _ = input.push(now, InputEvent::Release(*key));
        }
    }
}
