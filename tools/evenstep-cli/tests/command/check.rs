//! `evenstep check`.

use std::fmt::Write as _;
use std::fs;

use crate::common::{complaint, evenstep, file, stdout};

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
    let printed = complaint(&["check", path, "--limits", limits_name], 1);
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

#[test]
fn against_a_baseline_only_a_certain_regression_fails() {
    let (folder, before) = file("check", "before.csv", &recording(4000, 1.0, 0));
    let slower = folder.path().join("slower.csv");
    fs::write(&slower, recording(4000, 1.2, 0)).unwrap();
    let (before, slower) = (before.to_str().unwrap(), slower.to_str().unwrap());
    let (code, text) = run(&["check", before, "--against", before]);
    assert_eq!((code, text.contains("violated:")), (Some(0), false), "{text}");
    let (code, text) = run(&["check", slower, "--against", before]);
    assert_eq!(code, Some(1));
    assert!(
        text.contains("violated: fps_average was 5") && text.contains("5 % is allowed: worse"),
        "{text}"
    );
    assert_eq!(
        run(&["check", slower, "--against", before, "--allow", "30%"]).0,
        Some(0)
    );
    assert_eq!(
        run(&["check", before, "--against", slower]).0,
        Some(0),
        "faster is not worse"
    );
    fs::write(slower, recording(4000, 1.0, 50)).unwrap();
    let (_, text) = run(&["check", slower, "--against", before]);
    assert!(text.contains("violated: hitches_per_minute was 0.000"), "{text}");
}

#[test]
fn too_few_frames_for_a_verdict_are_reported_with_the_number_that_would_do() {
    let (folder, before) = file("check", "before.csv", &recording(2000, 1.0, 37));
    let after = folder.path().join("after.csv");
    fs::write(&after, recording(2000, 1.03, 41)).unwrap();
    let (before, after) = (before.to_str().unwrap(), after.to_str().unwrap());
    let (code, text) = run(&["check", after, "--against", before, "--allow", "3.3%"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("uncertain: ") && text.contains("too uncertain to tell with 2000 frames; about "),
        "{text}"
    );
    fs::write(after, recording(500, 1.5, 0)).unwrap();
    let (code, text) = run(&["check", after, "--against", before]);
    assert_eq!(code, Some(1));
    assert!(
        text.contains("violated: nothing was compared with the baseline: 500 frames are too few; record at least 960"),
        "{text}"
    );
}
