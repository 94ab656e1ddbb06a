//! Tests of the programs in real windows, on X servers without a screen, with rendering on the processor: `cargo ci --only native`. They act
//! on a window as its user does, and wait for what it shows. With `KEEP_PICTURES=1` they store the pictures of the book.
#![cfg(target_os = "linux")]

mod desktop;
mod xvfb_server;

use std::process::{Command, Output};

/// Runs a program without a display: the variable is not set, as over ssh, or empty, or names no server.
fn run_without_a_display(program: &str, display: Option<&str>, arguments: &[&str]) -> Output {
    let mut command = Command::new(program);
    command
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .envs(display.map(|name| ("DISPLAY", name)))
        .args(arguments);
    command.output().unwrap()
}

const PROGRAMS: &[&str] = &[
    env!("CARGO_BIN_EXE_sim_thread"),
    env!("CARGO_BIN_EXE_falling_blocks"),
    env!("CARGO_BIN_EXE_window"),
];

fn says_in_one_line_what_is_missing(program: &str, display: Option<&str>) {
    let output = run_without_a_display(program, display, &[]);
    let errors = String::from_utf8(output.stderr).unwrap();
    let ended = (output.status.code(), errors.lines().count());
    assert_eq!(ended, (Some(1), 1), "{program}: {errors}");
    assert!(errors.contains("DISPLAY"), "{program}: {errors}");
}

#[test]
fn without_a_display_a_program_says_in_one_line_what_is_missing() {
    for program in PROGRAMS {
        for display in [None, Some(""), Some(":4711")] {
            says_in_one_line_what_is_missing(program, display);
        }
    }
    for display in [None, Some("")] {
        says_in_one_line_what_is_missing(env!("CARGO_BIN_EXE_tutorial_4"), display);
    }
}

#[test]
fn help_needs_no_display_and_names_the_keys() {
    for program in PROGRAMS {
        let output = run_without_a_display(program, None, &["--help"]);
        assert!(output.status.success());
        let help = String::from_utf8(output.stdout).unwrap();
        assert!(help.contains("Escape: end"), "{help}");
    }
}

mod windows {
    use std::ops::Range;

    use crate::desktop::{Desktop, Key, Picture};

    // The colours of `src/look.rs`.
    const INK: [u8; 3] = [236, 234, 228];
    const RAW: [u8; 3] = [251, 139, 75];
    const SMOOTH: [u8; 3] = [116, 169, 255];
    const AHEAD: [u8; 3] = [227, 197, 103];
    const LOST: [u8; 3] = [240, 124, 203];

    /// The pixels of a colour in a part of the picture.
    fn find(
        picture: &Picture,
        colour: [u8; 3],
        columns: Range<usize>,
        rows: Range<usize>,
    ) -> impl Iterator<Item = (usize, usize)> {
        let is_like = move |pixel: [u8; 3]| pixel.iter().zip(colour).all(|(one, other)| one.abs_diff(other) < 16);
        let found = picture.find(is_like);
        found.filter(move |(column, row)| columns.contains(column) && rows.contains(row))
    }

    #[test]
    #[ignore = "needs Xvfb and an OpenGL driver: cargo ci --only native"]
    fn blocks_fall_and_float_in_the_colour_of_their_smoothing_and_slow_steps_are_capped() {
        let desktop = Desktop::start(env!("CARGO_BIN_EXE_falling_blocks"));
        let count = |picture: &Picture, colour| find(picture, colour, 400..870, 600..740).count();
        let in_shaft = |picture: &Picture, columns| find(picture, SMOOTH, columns, 292..740).next();
        let (held, once) = (897..1068, 1082..1253);
        let hovering = desktop.until("the held body", |picture| in_shaft(picture, held.clone()));
        desktop.until("blocks that flash", |picture| {
            let flashes = find(picture, INK, 400..870, 600..760).count();
            let is_so = count(picture, SMOOTH) > 10_000 && flashes > 50;
            is_so.then(|| picture.keep("window_falling_blocks.png"))
        });
        // It rises while frames are shorter than steps, and sinks while they are longer: slowly where they are nearly as long.
        desktop.until("the other body to leave its place", |picture| {
            let (_, top) = in_shaft(picture, once.clone())?;
            (top.abs_diff(hovering.1) > 100).then_some(())
        });
        desktop.tap(Key::L);
        desktop.until("frames with lost steps", |picture| {
            let lost = find(picture, LOST, 900..1260, 24..84).count();
            (lost > 100).then_some(())
        });
        assert_eq!(
            desktop.until("the held body", |picture| in_shaft(picture, held.clone())),
            hovering
        );
        desktop.tap(Key::L);
        for colour in [AHEAD, RAW, SMOOTH] {
            desktop.tap(Key::S);
            desktop.until("another smoothing", |picture| {
                (count(picture, colour) > 10_000).then_some(())
            });
        }
        desktop.close().unwrap();
        assert!(desktop.end().success());
    }

    #[test]
    #[ignore = "needs Xvfb and an OpenGL driver: cargo ci --only native"]
    fn a_simulation_on_its_thread_goes_on_while_the_drawing_stalls_and_is_reversed_and_paused() {
        let desktop = Desktop::start(env!("CARGO_BIN_EXE_sim_thread"));
        let is_in = |picture: &Picture, colour, columns, rows| find(picture, colour, columns, rows).next().is_some();
        desktop.until("the hand of the thread at the right", |picture| {
            is_in(picture, SMOOTH, 430..570, 200..520).then_some(())
        });
        desktop.tap(Key::Space);
        let ahead = desktop.until("the hand of the thread ahead", |picture| {
            let is_ahead = is_in(picture, SMOOTH, 110..250, 200..520) && !is_in(picture, RAW, 710..850, 200..520);
            is_ahead.then(|| picture.clone())
        });
        ahead.keep("window_sim_thread.png");
        // A quarter of the speed, so that the hand is reversed before it reaches the other side.
        let title_end = |picture: &Picture| find(picture, INK, 20..900, 15..50).map(|(column, _)| column).max();
        for _ in 0..2 {
            let before = desktop.until("the title", title_end);
            desktop.tap(Key::Down);
            desktop.until("a slower speed", |picture| {
                title_end(picture).filter(|end| *end > before)
            });
        }
        desktop.until("the hand at the upper right", |picture| {
            let is_so = is_in(picture, SMOOTH, 430..570, 130..340) && !is_in(picture, SMOOTH, 110..570, 380..590);
            is_so.then_some(())
        });
        desktop.tap(Key::R);
        desktop.until("the hand to go back over the top", |picture| {
            assert!(!is_in(picture, SMOOTH, 110..250, 420..520), "it went on");
            is_in(picture, SMOOTH, 110..250, 200..300).then_some(())
        });
        let lost = |picture: &Picture| find(picture, LOST, 700..960, 680..710).next();
        desktop.until("time that the frames lost", lost);
        let running = desktop.until("the title", title_end);
        desktop.tap(Key::P);
        desktop.until("the pause", |picture| title_end(picture).filter(|end| *end > running));
        desktop.tap(Key::P);
        desktop.until("the end of the pause", |picture| {
            title_end(picture).filter(|end| *end == running)
        });
        desktop.tap(Key::Escape);
        assert!(desktop.end().success());
    }

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
    fn the_square_of_the_tutorial_moves_jumps_stands_still_in_a_pause_and_ignores_its_presses() {
        let desktop = Desktop::start(env!("CARGO_BIN_EXE_tutorial_4"));
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
