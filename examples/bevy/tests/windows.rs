//! Tests of the games in real windows, on X servers without a screen, with rendering on the processor: `cargo ci --only "bevy windows"`.
//!
//! Screenshots are compared with pictures in `docs/pages`, which the book shows. After an intended change, run the tests with
//! `KEEP_PICTURES=1`, look at the pictures and commit them.
#![cfg(target_os = "linux")]

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use image::{ImageReader, RgbImage};
use xvfb_server::Xvfb;

#[path = "../../../integrations/evenstep-present/tests/x11/xvfb_server.rs"]
mod xvfb_server;

/// A pixel differs if its red, green or blue differs by more than this, of 255. Versions of Mesa round differently.
const FAR: u8 = 32;

/// A line of the script's output, as names and values.
type Line = HashMap<String, String>;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Plays a script, which must succeed, and returns its output.
fn play(arguments: &[&str], folder: &Path) -> Vec<Line> {
    // Each game has its own server, so that the windows do not cover each other.
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

/// Compares a screenshot with the stored picture: at most `per_thousand` of a thousand pixels may differ.
fn assert_alike(name: &str, folder: &Path, per_thousand: f64) {
    let drawn = folder.join(name).with_extension("png");
    let kept = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs/pages")
        .join(name);
    let kept = kept.with_extension("png");
    if std::env::var_os("KEEP_PICTURES").is_some() {
        std::fs::copy(&drawn, &kept).unwrap();
    }
    let (one, other) = (open(&drawn), open(&kept));
    assert_eq!(one.dimensions(), other.dimensions(), "{name}");
    let is_far = |(one, other): &(&image::Rgb<u8>, &image::Rgb<u8>)| {
        one.0.iter().zip(other.0).any(|(one, other)| one.abs_diff(other) > FAR)
    };
    let others = one.pixels().zip(other.pixels()).filter(is_far).count();
    let share = 1000.0 * others as f64 / one.pixels().len() as f64;
    assert!(
        share <= per_thousand,
        "{share:.2} of a thousand pixels of {} differ from {}",
        drawn.display(),
        kept.display()
    );
}

#[test]
#[ignore = "needs Xvfb and takes longer than a second"]
fn blocks_fall_to_the_same_bits_at_30_60_144_and_240_hz_and_under_bevys_loop_they_do_not() {
    let folder = folder("falling_blocks");
    let printed = play(&["falling_blocks"], &folder);
    let rounds = |which: &str| -> Vec<&Line> {
        let rounds = printed
            .iter()
            .filter(|line| line.get("round").is_some_and(|round| round == which));
        rounds.collect()
    };
    let (bevys, ours) = (rounds("Bevy"), rounds("Evenstep"));
    assert_eq!((bevys.len(), ours.len()), (4, 4));
    for round in &ours {
        let names = ["frames", "steps", "presses", "blocks"];
        assert_eq!(
            numbers(round, names),
            [10.0 * number(round, "display"), 600.0, 12.0, 12.0]
        );
        assert_eq!(
            (&round["history"], &round["height"]),
            (&ours[0]["history"], &ours[0]["height"])
        );
        assert!(number(round, "shaking") < 0.01, "{round:?}");
    }
    for round in &bevys {
        assert_eq!(
            numbers(round, ["frames", "steps"]),
            [10.0 * number(round, "display"), 599.0]
        );
        assert_ne!(round["history"], ours[0]["history"]);
    }
    // Under Bevy's loop two steps see each press at 30 Hz, and often no step does if there are more frames than steps.
    let blocks: HashMap<&str, f64> = bevys
        .iter()
        .map(|round| (&*round["display"], number(round, "blocks")))
        .collect();
    assert!(
        blocks["30"] > 15.0 && blocks["144"] < 9.0 && blocks["240"] < 7.0,
        "{blocks:?}"
    );
    let at_144 = bevys.iter().find(|round| round["display"] == "144").unwrap();
    assert!(number(at_144, "shaking") > 1.0, "{at_144:?}");
    for name in ["bevy_30", "bevy_144", "evenstep_middle", "evenstep_144"] {
        assert_alike(&format!("falling_blocks_{name}"), &folder, 1.0);
    }
}

#[test]
#[ignore = "needs Xvfb and takes longer than a second"]
fn a_shooter_has_the_same_shots_at_30_60_144_and_240_hz_and_looks_around_in_every_frame() {
    let rates = ["30", "60", "144", "240"];
    let games = rates.map(|hertz| {
        let folder = folder(&format!("shooter_{hertz}"));
        let printed = play(&["shooter", hertz], &folder);
        let game = printed.into_iter().find(|line| line.contains_key("history")).unwrap();
        let hertz: f64 = hertz.parse().unwrap();
        assert_eq!(numbers(&game, ["frames", "steps"]), [6.0 * hertz, 360.0]);
        assert!(number(&game, "slip") < 1e-4, "the eyes left the platform: {game:?}");
        game
    });
    for game in &games {
        let names = ["history", "shots", "hits"];
        assert_eq!(names.map(|name| &game[name]), names.map(|name| &games[0][name]));
    }
    let [shots, hits] = numbers(&games[0], ["shots", "hits"]);
    assert!(shots >= 20.0 && hits >= 3.0, "{:?}", games[0]);
    // The mouse moves every 8 ms, which is in every frame at 60 Hz and in every other frame at 240 Hz. There are only 360 steps.
    let turns = games.each_ref().map(|game| number(game, "turns"));
    assert!(turns[1] >= 355.0 && turns[3] >= 740.0, "{turns:?}");
    // A target that was hit is drawn at its next place at once, without positions in between, and nothing else jumps.
    assert_eq!(number(&games[3], "jumps"), hits);
    assert_alike("shooter", &folder("shooter_60"), 3.0);
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
