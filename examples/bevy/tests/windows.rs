//! Tests of the plugin in real windows, on X servers without a screen, with rendering on the processor: `cargo ci --only "bevy windows"`.
#![cfg(target_os = "linux")]

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use image::{ImageReader, RgbImage};
use xvfb_server::Xvfb;

#[path = "../../../integrations/evenstep-present/tests/x11/xvfb_server.rs"]
mod xvfb_server;

/// A line of the script's output, as names and values.
type Line = HashMap<String, String>;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Plays a script, which must succeed, and returns its output.
fn play(arguments: &[&str], folder: &Path) -> Vec<Line> {
    // Each script has its own server, so that the windows do not cover each other.
    let server = Xvfb::start("1280x720", &[]);
    let mut script = Command::new(env!("CARGO_BIN_EXE_scripted"));
    script.args(arguments).arg(folder).env("DISPLAY", server.name());
    script
        .env("WGPU_BACKEND", "vulkan")
        .env("WGPU_FORCE_FALLBACK_ADAPTER", "1");
    let output = script.output().unwrap();
    let (printed, warned) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{}\n{printed}{warned}", output.status);
    assert_eq!(printed.lines().last(), Some("exit=success"), "{printed}{warned}");
    printed.lines().map(parse).collect()
}

fn parse(line: &str) -> Line {
    let words = line.split_whitespace().filter_map(|word| word.split_once('='));
    words.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn number(line: &Line, name: &str) -> f64 {
    line[name].parse().unwrap()
}

fn numbers<const N: usize>(line: &Line, names: [&str; N]) -> [f64; N] {
    names.map(|name| number(line, name))
}

fn open(file: &Path) -> RgbImage {
    let picture = ImageReader::open(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    picture.decode().unwrap().to_rgb8()
}

#[test]
#[ignore = "needs Xvfb and takes longer than a second"]
fn a_window_is_resized_minimised_covered_and_closed_and_covered_it_runs_no_steps() {
    let folder = folder("hide");
    let printed = play(&["hide"], &folder);
    let acts: Vec<(&str, [f64; 2])> = printed
        .iter()
        .filter_map(|line| Some((line.get("act")?.as_str(), numbers(line, ["steps", "left_out_ms"]))))
        .collect();
    let expected = [
        ("seen", [30.0, 0.0]),
        ("resized", [60.0, 0.0]),
        ("minimised", [90.0, 0.0]),
        ("covered", [90.0, 1000.0]),
        ("again", [120.0, 1000.0]),
    ];
    assert_eq!(acts, expected);
    let resized = open(&folder.join("resized.png"));
    assert_eq!(resized.dimensions(), (800, 450));
}

/// The columns of a picture that the white square fills, from the first to the last.
fn columns_of_the_square(picture: &RgbImage) -> [i64; 2] {
    let white = picture
        .enumerate_pixels()
        .filter(|(.., pixel)| pixel.0.iter().all(|part| *part > 200));
    let columns = white.map(|(column, ..)| i64::from(column));
    let (first, last) = columns.fold((i64::MAX, i64::MIN), |(first, last), column| {
        (first.min(column), last.max(column))
    });
    [first, last]
}

/// In each frame both windows show one moment: the square moves evenly before a camera at rest, and not at all before the camera that it carries.
#[test]
#[ignore = "needs Xvfb and takes longer than a second"]
fn two_windows_show_the_same_moment_between_steps_in_every_frame() {
    let folder = folder("two_windows");
    play(&["two_windows"], &folder);
    let of = |window: &str, frame: i64| columns_of_the_square(&open(&folder.join(format!("{window}_{frame}.png"))));
    let [left, right] = of("first", 60);
    assert!((39..=40).contains(&(right - left)), "{left} to {right}");
    for frame in 60..72 {
        let moved = of("first", frame)[0] - left - 5 * (frame - 60);
        assert!(moved.abs() <= 1, "frame {frame}: {moved} pixels off");
        assert_eq!(of("second", frame), of("second", 60), "frame {frame}");
    }
}
