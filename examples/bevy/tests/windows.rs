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
