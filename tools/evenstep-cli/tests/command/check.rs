//! `evenstep check`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::common::{complaint, evenstep, file, json, stdout};

/// A recording of frames of about 16 ms, times a factor, with some noise and a hitch of 100 ms at regular intervals.
fn recording(frames: u32, factor: f64, hitch_in: u32) -> String {
    let mut text = String::new();
    let mut noise = 1_u32;
    for n in 0..frames {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let even = 16.0 + f64::from(noise >> 24) / 128.0;
        let is_hitch = hitch_in > 0 && n % hitch_in == hitch_in - 1;
        let _ = writeln!(text, "{:.4}", if is_hitch { 100.0 } else { even * factor });
    }
    text
}

/// Runs the command. Returns the exit code and the output.
fn run(args: &[&str]) -> (Option<i32>, String) {
    let output = evenstep(args);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn a_violated_limit_is_one_line_and_the_exit_code_is_1() {
    let (_folder, path) = file("check", "game.csv", &recording(1000, 1.0, 100));
    let path = path.to_str().unwrap();
    let passed = stdout(&["check", path, "--max", "hitches=10", "--min", "fps_average=50 fps"]);
    assert_eq!(passed, "2 checks: 2 passed, 0 violated, 0 too uncertain to tell\n");
    let (code, text) = run(&[
        "check",
        path,
        "--max",
        "hitches=9",
        "--max",
        "stutter_time_pct=1%",
        "--min",
        "fps_average=50",
    ]);
    assert_eq!(code, Some(1));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        format!("{path}: violated: hitches is 10.000, at most 9 is allowed")
    );
    assert!(lines[1].contains("violated: stutter_time_pct is 5."), "{text}");
    assert_eq!(lines[2], "3 checks: 1 passed, 2 violated, 0 too uncertain to tell");
    assert_eq!(lines.len(), 3);
}

#[test]
fn a_metric_that_cannot_be_computed_violates_its_limit_with_the_reason() {
    let (_folder, path) = file("check", "game.csv", &recording(200, 1.0, 0));
    let (code, text) = run(&["check", path.to_str().unwrap(), "--max", "animation_error_ms.rms=1"]);
    assert_eq!(code, Some(1));
    assert!(text.contains("animation_error_ms.rms cannot be computed: "), "{text}");
}

#[test]
fn a_metric_that_does_not_exist_or_a_missing_file_ends_the_command_before_it_runs() {
    let (folder, path) = file("check", "game.csv", &recording(200, 1.0, 0));
    let limits = folder.path().join("limits.toml");
    fs::write(&limits, "[max]\nhitch = 0\n").unwrap();
    let (path, limits) = (path.to_str().unwrap(), limits.to_str().unwrap());
    for (args, reason) in [
        (&["--max", "hitch=0"][..], "there is no metric hitch; there are "),
        (&["--limits", limits], "there is no metric hitch; there are "),
        (
            &["--max", "hitches=0", "missing.csv"],
            "missing.csv: FILE: there is no such file",
        ),
        (
            &["--against", "missing.csv"],
            "missing.csv: --against: there is no such file",
        ),
        (
            &["--limits", "missing.toml"],
            "missing.toml: --limits: there is no such file",
        ),
    ] {
        let printed = complaint(&[&["check", path][..], args].concat(), 2);
        assert!(printed.contains(reason), "{args:?}: {printed}");
    }
}

#[test]
fn limits_come_from_a_file_too_and_its_errors_name_the_line() {
    let (folder, path) = file("check", "game.csv", &recording(500, 1.0, 0));
    let limits = folder.path().join("limits.toml");
    fs::write(
        &limits,
        "[max]\nhitches = 0\n\"frame_time_ms.p99\" = 10\n[min]\nfps_low_1pct = 10\n",
    )
    .unwrap();
    let (path, limits_name) = (path.to_str().unwrap(), limits.to_str().unwrap());
    let (code, text) = run(&["check", path, "--limits", limits_name]);
    assert_eq!(code, Some(1));
    assert!(text.contains("violated: frame_time_ms.p99 is 17."), "{text}");
    assert!(
        text.ends_with("3 checks: 2 passed, 1 violated, 0 too uncertain to tell\n"),
        "{text}"
    );
    fs::write(&limits, "[max]\nhitches = 0\n\n[most]\nhitches = 1\n").unwrap();
    let printed = complaint(&["check", path, "--limits", limits_name], 2);
    assert!(printed.contains("limits.toml:4: unknown field `most`"), "{printed}");
}

#[test]
fn a_senseless_limit_is_refused() {
    for (args, reason) in [
        (&["check", "a.csv", "--max", "hitches"][..], "is not METRIC=VALUE"),
        (&["check", "a.csv", "--max", "hitches=few"], "has no number"),
        (
            &["check", "a.csv", "--max", "stutter_time_pct=1 ms"],
            "the unit \"ms\" is not that of stutter_time_pct",
        ),
        (&["check", "a.csv"], "nothing to check; give --max METRIC=VALUE"),
        (
            &["check", "a.csv", "--against", "b.csv", "--allow", "-1"],
            "is not a percentage from 0 to 1000",
        ),
    ] {
        let printed = complaint(args, 2);
        assert!(printed.contains(reason), "{args:?}: {printed}");
    }
}

#[test]
fn results_are_written_for_other_programs() {
    let (folder, path) = file("check", "game.csv", &recording(300, 1.0, 0));
    let junit = folder.path().join("junit.xml");
    let (path, junit_name) = (path.to_str().unwrap(), junit.to_str().unwrap());
    let limits = ["--max", "frame_time_ms.p99=10", "--max", "hitches=0"];
    let (code, text) = run(&[&["check", path, "--github", "--junit", junit_name][..], &limits].concat());
    assert_eq!(code, Some(1));
    assert!(
        text.starts_with(&format!("::error file={path},title=violated::frame_time_ms.p99 is 17.")),
        "{text}"
    );
    let xml = fs::read_to_string(&junit).unwrap();
    let xml = roxmltree::Document::parse(&xml).unwrap();
    let all = xml.root_element();
    assert_eq!(
        (all.attribute("tests"), all.attribute("failures")),
        (Some("2"), Some("1"))
    );
    let cases = xml.descendants().filter(|node| node.has_tag_name("testcase"));
    let failed = cases.map(|case| case.children().any(|node| node.has_tag_name("failure")));
    assert_eq!(failed.collect::<Vec<_>>(), [true, false]);
    let printed = complaint(&["check", path, "--junit", path, "--max", "hitches=0"], 2);
    assert!(printed.contains("is the file of FILE too"), "{printed}");
}

#[test]
fn all_recordings_of_a_folder_or_a_pattern_are_checked_and_a_bad_one_does_not_stop_the_others() {
    let (folder, _) = file("check", "game.csv", &recording(300, 1.0, 0));
    fs::create_dir(folder.path().join("more")).unwrap();
    fs::write(folder.path().join("more/bad.csv"), "nonsense").unwrap();
    fs::write(folder.path().join("more/slow.csv"), recording(300, 1.0, 100)).unwrap();
    for given in [folder.path().to_owned(), folder.path().join("**/*.csv")] {
        let output = evenstep(&["check", given.to_str().unwrap(), "--max", "hitches=0"]);
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&output.stderr).contains("bad.csv:1: is no frame-time trace"));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains("slow.csv: violated: hitches is 3.000"), "{text}");
        assert!(text.contains("2 checks: 1 passed, 1 violated"), "{text}");
    }
}

/// Runs of a scene in a folder: each is faster or slower than `speed` by its own share, and its frames vary with a load that drifts.
fn runs(folder: &Path, name: &str, count: u32, speed: f64, noise: f64, hitch_in: u32) -> String {
    let folder = folder.join(name);
    fs::create_dir_all(&folder).unwrap();
    let seed = u64::from(
        name.bytes()
            .fold(7_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into())),
    );
    let random = &mut fastrand::Rng::with_seed(seed);
    for run in 0..count {
        let own = speed * (1.0 + noise * normal(random));
        let (mut load, mut text) = (0.0, String::new());
        for n in 0..1800 {
            load = 0.999 * load + 0.0002 * normal(random);
            let frame = 16.0 * own * (1.0 + load + 0.03 * normal(random));
            let is_hitch = hitch_in > 0 && n % hitch_in == hitch_in - 1;
            let _ = writeln!(text, "{:.4}", if is_hitch { 90.0 } else { frame });
        }
        fs::write(folder.join(format!("{run}.csv")), text).unwrap();
    }
    folder.to_str().unwrap().to_owned()
}

fn normal(random: &mut fastrand::Rng) -> f64 {
    (0..12).map(|_| random.f64()).sum::<f64>() - 6.0
}

#[test]
fn against_several_runs_a_regression_is_caught_and_the_same_program_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let side = |name: &str, count: u32, speed: f64| runs(folder.path(), name, count, speed, 0.01, 0);
    let before = side("before", 5, 1.0);
    for n in 0..8 {
        let same = side(&format!("same {n}"), 5, 1.0);
        let (code, text) = run(&["check", &same, "--against", &before, "--allow", "0"]);
        assert_eq!((code, text.lines().count()), (Some(0), 1), "{text}");
        assert!(text.contains("0 violated"), "{text}");
    }
    let slower = side("slower", 5, 1.1);
    let (code, text) = run(&["check", &slower, "--against", &before, "--allow", "2%"]);
    assert_eq!(code, Some(1));
    assert!(
        text.contains("violated: fps_average was 6") && text.contains("2 % is allowed: worse"),
        "{text}"
    );
    assert_eq!(
        run(&["check", &before, "--against", &slower]).0,
        Some(0),
        "faster is not worse"
    );
    assert_eq!(
        run(&["check", &slower, "--against", &before, "--allow", "30%"]).0,
        Some(0)
    );
    // One new run against several.
    let one = side("one", 1, 1.25);
    let (code, text) = run(&["check", &one, "--against", &format!("{before}/*.csv")]);
    assert!(code == Some(1) && text.contains("violated: fps_average"), "{text}");
    // One of each: the speed is uncertain, and the summary says what would tell.
    let (code, text) = run(&["check", &one, "--against", &format!("{before}/0.csv")]);
    assert_eq!((code, text.lines().count()), (Some(0), 1), "{text}");
    assert!(
        text.contains("too uncertain to tell, the first: fps_average was") && text.contains("runs of each would"),
        "{text}"
    );
}

#[test]
fn hitches_of_one_recording_each_are_compared_by_their_chance() {
    let folder = tempfile::tempdir().unwrap();
    // Of a minute with this many hitches.
    let minute = |name: &str, hitches: u32| {
        let path = folder.path().join(name);
        let every = 3600 / (hitches + 1);
        let frame = |n: u32| {
            if hitches > 0 && n % every == every - 1 && n / every < hitches {
                "76.7"
            } else {
                "16.7"
            }
        };
        let text: String = (0..3600).map(|n| format!("{}\n", frame(n))).collect();
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    for (before, after, is_worse) in [
        (2, 12, true),
        (2, 11, false),
        (0, 6, false),
        (0, 7, true),
        (12, 2, false),
        (30, 53, true),
        (30, 50, false),
    ] {
        let (old, new) = (minute("old.csv", before), minute("new.csv", after));
        let (code, text) = run(&["check", &new, "--against", &old]);
        assert_eq!(code, Some(i32::from(is_worse)), "{before} and {after}: {text}");
        assert_eq!(text.contains("violated: hitches_per_minute"), is_worse, "{text}");
        let compared = json(&["compare", &old, &new, "--json"]);
        let all = compared["differences"].as_array().unwrap();
        let certain: Vec<&str> = all
            .iter()
            .filter(|one| ["better", "worse", "different"].contains(&one["verdict"].as_str().unwrap()))
            .map(|one| one["metric"].as_str().unwrap())
            .collect();
        let is_better = before == 12;
        assert_eq!(
            certain,
            if is_worse || is_better {
                vec!["hitches_per_minute"]
            } else {
                vec![]
            },
            "{before} and {after}"
        );
    }
    assert_eq!(
        run(&["check", &minute("a.csv", 3), "--max", "hitches_per_minute=3.2"]).0,
        Some(0)
    );
    assert_eq!(
        run(&["check", &minute("a.csv", 4), "--max", "hitches_per_minute=3.2"]).0,
        Some(1)
    );
}

#[test]
fn what_cannot_be_read_is_exit_code_2_and_too_little_time_tells_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let good = path("good.csv", &recording(2000, 1.0, 0));
    let (bad, short) = (path("bad.csv", "nonsense"), path("short.csv", &recording(200, 1.0, 0)));
    for args in [
        &["check", &bad, "--max", "hitches=0"][..],
        &["check", &good, "--against", &bad],
        &["compare", &good, &bad],
        &["compare", &bad, &good],
    ] {
        assert!(complaint(args, 2).contains("bad.csv"), "{args:?}");
    }
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    assert!(complaint(&["check", &good, "--against", empty.to_str().unwrap()], 2).contains("there is no file in it"));
    let (code, text) = run(&["check", &short, "--against", &good]);
    assert!(code == Some(1) && text.contains("0 passed, 0 violated"), "{text}");
}
