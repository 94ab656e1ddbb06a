//! What the programs with macroquad in `src/bin` share: opening the window, keys, and how a window looks.

pub mod look;

use std::error::Error;
use std::future::Future;
use std::panic;
use std::process::{self, ExitCode};

use macroquad::window::Conf;

/// Opens a window and plays in it. With `--help`, or without a display, it prints a line instead.
pub fn open(title: &str, help: &str, play: impl Future<Output = Result<(), Box<dyn Error>>> + 'static) -> ExitCode {
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
        window_width: look::SIZE.x as i32,
        window_height: look::SIZE.y as i32,
        sample_count: 4,
        high_dpi: true,
        ..Conf::default()
    };
    macroquad::Window::from_config(conf, async {
        if let Err(error) = play.await {
            eprintln!("{error}");
            process::exit(1);
        }
    });
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
