//! Tests of the programs in real windows, on X servers without a screen, with rendering on the processor: `cargo ci --only native`. They act
//! on a window as its user does, and wait for what it shows. With `KEEP_PICTURES=1` they store the pictures of the book.
#![cfg(target_os = "linux")]

mod desktop;
#[path = "../../../../integrations/evenstep-present/tests/x11/xvfb_server.rs"]
mod xvfb_server;

use std::process::{Command, Output};

/// Runs a program without a display: the variable is empty, as over ssh, or names no server.
fn run_without_a_display(program: &str, display: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(program);
    command
        .env("DISPLAY", display)
        .env_remove("WAYLAND_DISPLAY")
        .args(arguments);
    command.output().unwrap()
}

const PROGRAMS: &[&str] = &[
    env!("CARGO_BIN_EXE_falling_blocks"),
    env!("CARGO_BIN_EXE_side_by_side"),
    #[cfg(feature = "winit")]
    env!("CARGO_BIN_EXE_window"),
];

#[test]
fn without_a_display_a_program_says_in_one_line_what_is_missing() {
    for program in PROGRAMS {
        for display in ["", ":4711"] {
            let output = run_without_a_display(program, display, &[]);
            let errors = String::from_utf8(output.stderr).unwrap();
            assert_eq!((output.status.code(), errors.lines().count()), (Some(1), 1), "{errors}");
            assert!(errors.contains("DISPLAY"), "{errors}");
        }
    }
}

#[test]
fn help_needs_no_display_and_names_the_keys() {
    for program in PROGRAMS {
        let output = run_without_a_display(program, "", &["--help"]);
        assert!(output.status.success());
        let help = String::from_utf8(output.stdout).unwrap();
        assert!(help.contains("Escape: end"), "{help}");
    }
}

mod windows {
    use std::ops::Range;

    use crate::desktop::{Desktop, Key, Picture};

    const ORANGE: [u8; 3] = [250, 145, 61];
    const BLUE: [u8; 3] = [125, 171, 255];

    fn is_like(colour: [u8; 3]) -> impl Fn([u8; 3]) -> bool {
        move |pixel| pixel.iter().zip(colour).all(|(one, other)| one.abs_diff(other) < 24)
    }

    /// The first column and row of a wheel in one of the two lanes, below its label and above its dots.
    fn wheel(picture: &Picture, colour: [u8; 3], lane: usize) -> Option<(usize, usize)> {
        let rows = 285 * lane + 60..285 * lane + 228;
        let found: Vec<_> = picture
            .find(is_like(colour))
            .filter(|(_, row)| rows.contains(row))
            .collect();
        // A panel has the same colours.
        let left = found
            .iter()
            .map(|(column, _)| *column)
            .filter(|column| *column < 600)
            .min()?;
        Some((left, found.iter().map(|(_, row)| *row).min()?))
    }

    #[test]
    #[ignore = "needs Xvfb and an OpenGL driver: cargo ci --only native"]
    fn a_wheel_is_drawn_twice_and_rolls_and_jumps_by_keys() {
        let desktop = Desktop::start(env!("CARGO_BIN_EXE_side_by_side"));
        let both = |picture: &Picture| Some((wheel(picture, ORANGE, 0)?, wheel(picture, BLUE, 1)?));
        let (raw, smooth) = desktop.until("both wheels", both);
        desktop.press(Key::Right);
        desktop.until("both to roll", |picture| {
            both(picture).filter(|(above, below)| above.0 > raw.0 + 50 && below.0 > smooth.0 + 50)
        });
        desktop.until("one to be drawn between two steps", |picture| {
            both(picture).filter(|(above, below)| above.0.abs_diff(below.0) > 2)
        });
        desktop.release(Key::Right);
        desktop.press(Key::Space);
        desktop.until("both to jump", |picture| {
            both(picture).filter(|(above, below)| above.1 + 30 < raw.1 && below.1 + 30 < smooth.1)
        });
        desktop.release(Key::Space);
        desktop.until("both lanes for the book", |picture| {
            let (above, below) = both(picture)?;
            let is_shown = (200..500).contains(&above.0) && above.0.abs_diff(below.0) > 2 && above.1 == raw.1;
            is_shown.then(|| picture.keep("window_side_by_side.png"))
        });
        desktop.tap(Key::Tab);
        desktop.until("the panel", |picture| {
            picture
                .find(is_like(ORANGE))
                .find(|(column, row)| *column > 700 && *row < 100)
        });
        desktop.tap(Key::Escape);
        assert!(desktop.end().success());
    }

    #[test]
    #[ignore = "needs Xvfb and an OpenGL driver: cargo ci --only native"]
    fn blocks_fall_and_are_blown_over_the_wall() {
        let desktop = Desktop::start(env!("CARGO_BIN_EXE_falling_blocks"));
        // Blocks have colours between orange and blue; the wall is grey and the ground dark.
        let is_block = |[red, green, blue]: [u8; 3]| green > 100 && red.abs_diff(blue) > 40;
        let count = |picture: &Picture, columns: Range<usize>| {
            let found = picture.find(is_block);
            found
                .filter(|(column, row)| columns.contains(column) && (100..530).contains(row))
                .count()
        };
        desktop.until("the blocks", |picture| (count(picture, 0..470) > 10_000).then_some(()));
        desktop.tap(Key::Tab);
        desktop.until("blocks over the wall", |picture| {
            let over = count(picture, 490..700);
            desktop.tap(Key::Space);
            (over > 1_500).then(|| picture.keep("window_falling_blocks.png"))
        });
        desktop.close().unwrap();
        assert!(desktop.end().success());
    }

    #[cfg(feature = "winit")]
    #[test]
    #[ignore = "needs Xvfb: cargo ci --only native"]
    fn a_window_of_winit_is_resized_and_minimised_and_its_square_moves_and_jumps_by_keys() {
        let desktop = Desktop::start(env!("CARGO_BIN_EXE_window"));
        moves_and_jumps(&desktop);
        desktop.resize(700, 400).unwrap();
        let before = until_square(&desktop, "the new size", |picture, _| picture.width == 700);
        desktop.set_minimised(true).unwrap();
        desktop.set_minimised(false).unwrap();
        assert_eq!(until_square(&desktop, "the window", |_, _| true), before);
        desktop.press(Key::Left);
        until_square(&desktop, "it to move to the left", |_, square| {
            square.left < before.left
        });
        desktop.tap(Key::Escape);
        assert!(desktop.end().success());
    }

    #[cfg(feature = "winit")]
    #[test]
    #[ignore = "needs Xvfb: cargo ci --only native"]
    fn a_destroyed_window_ends_its_program_without_a_panic() {
        let desktop = Desktop::start(env!("CARGO_BIN_EXE_window"));
        until_square(&desktop, "the square", |_, _| true);
        desktop.destroy().unwrap();
        let exit = desktop.end();
        assert!(matches!(exit.code(), Some(0 | 1)), "{exit}");
    }

    /// The position of a square in the window, in pixels, and its brightness.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Square {
        left: usize,
        top: usize,
        brightness: u8,
    }

    /// Waits until the square meets a condition. It is found by its first pixel from above; a text above it has less red.
    fn until_square(desktop: &Desktop, what: &str, is_so: impl Fn(&Picture, Square) -> bool) -> Square {
        desktop.until(what, |picture| {
            let (left, top) = picture.find(|[red, ..]| red > 120).next()?;
            let brightness = picture.pixels[(top + 1) * picture.width + left + 1][0];
            let square = Square { left, top, brightness };
            is_so(picture, square).then_some(square)
        })
    }

    fn moves_and_jumps(desktop: &Desktop) {
        until_square(desktop, "the square on the ground", |_, square| {
            (square.left, square.top) == (100, 300)
        });
        desktop.press(Key::Right);
        until_square(desktop, "it to move to the right", |_, square| square.left > 300);
        desktop.release(Key::Right);
        desktop.press(Key::Space);
        until_square(desktop, "it to jump", |_, square| square.top < 280);
        // The key is held, but the square jumps only once, and lands.
        until_square(desktop, "it to land", |_, square| square.top == 300);
        desktop.release(Key::Space);
    }

    #[test]
    #[ignore = "needs Xvfb and an OpenGL driver: cargo ci --only native"]
    fn the_square_of_the_tutorial_moves_and_jumps_by_keys() {
        let desktop = Desktop::start(env!("CARGO_BIN_EXE_tutorial_4"));
        moves_and_jumps(&desktop);
        desktop.close().unwrap();
        assert!(desktop.end().success());
    }

    #[test]
    #[ignore = "needs Xvfb and an OpenGL driver: cargo ci --only native"]
    fn the_square_of_the_tutorial_stands_still_in_a_pause_and_ignores_its_presses() {
        let desktop = Desktop::start(env!("CARGO_BIN_EXE_tutorial_5"));
        moves_and_jumps(&desktop);
        desktop.press(Key::Right);
        let moving = until_square(&desktop, "it to move", |_, square| square.left > 320).left;
        desktop.tap(Key::P);
        let paused = until_square(&desktop, "the pause", |_, square| square.brightness < 200);
        assert!(paused.left >= moving);
        assert_eq!(until_square(&desktop, "the same", |_, _| true), paused);
        desktop.release(Key::Right);
        desktop.tap(Key::Space);
        desktop.tap(Key::P);
        // The key that was held is up, and the press during the pause is forgotten.
        let after = until_square(&desktop, "the end of the pause", |_, square| square.brightness > 200);
        // The step that the pause interrupted is drawn to its end, which is at most 3.3 pixels further.
        assert!(
            (paused.left..=paused.left + 4).contains(&after.left),
            "{paused:?}, {after:?}"
        );
        assert_eq!(after.top, paused.top);
        desktop.press(Key::Left);
        let left = until_square(&desktop, "it to move back", |_, square| square.left < after.left);
        assert_eq!(left.top, paused.top);
        desktop.close().unwrap();
        assert!(desktop.end().success());
    }
}
