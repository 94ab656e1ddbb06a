//! The command as a user meets it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn evenstep(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_evenstep"))
        .args(args)
        .output()
        .unwrap()
}

fn stdout(args: &[&str]) -> String {
    let output = evenstep(args);
    assert!(
        output.status.success(),
        "{args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// The last line of standard output.
fn hash(args: &[&str]) -> String {
    let text = stdout(&[&["run", "hockey", "--hash-at", "600"], args].concat());
    let last = text.lines().last().unwrap().to_owned();
    let digits = last.strip_prefix("hash 600 ").unwrap();
    assert!(
        digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()),
        "{last}"
    );
    last
}

/// A folder of this test's own, and the path of a file in it with this text.
fn file(test: &str, name: &str, text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::Builder::new().prefix(test).tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    (folder, path)
}

fn own_traces() -> Vec<PathBuf> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../evenstep-trace/tests/traces"));
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        .filter(|path| path.extension().is_some_and(|extension| extension == "csv"))
        .collect()
}

fn shared_traces() -> Vec<PathBuf> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/traces"));
    match fs::read_dir(folder) {
        Ok(entries) => {
            let files = entries.map(|entry| entry.unwrap().path());
            files
                .filter(|path| path.extension().is_some_and(|extension| extension == "csv"))
                .collect()
        }
        Err(_) => {
            println!("skipped the traces of {}: it is not there", folder.display());
            Vec::new()
        }
    }
}

#[test]
fn the_state_after_600_ticks_is_the_same_bits_at_every_display_rate() {
    let expected = hash(&[]);
    for rate in ["24", "30", "59.94", "60", "75", "144", "240", "2700", "60000/1001"] {
        assert_eq!(hash(&["--frames", rate]), expected, "at {rate} Hz");
    }
}

#[test]
fn the_state_after_600_ticks_is_the_same_bits_on_every_recording() {
    let expected = hash(&[]);
    let traces: Vec<PathBuf> = own_traces().into_iter().chain(shared_traces()).collect();
    assert!(traces.len() >= 3);
    for trace in traces {
        assert_eq!(
            hash(&["--frames", trace.to_str().unwrap()]),
            expected,
            "on {}",
            trace.display()
        );
    }
}

#[test]
fn slow_motion_pauses_filters_and_policies_do_not_change_the_state() {
    let expected = hash(&[]);
    for args in [
        &["--time-scale", "1/10"][..],
        &["--time-scale", "3"],
        &["--pause-at", "2", "--pause-for", "1.5"],
        &["--filter", "snap", "--frames", "75"],
        &["--filter", "average", "--frames", "50"],
        &["--frames", "9", "--overrun", "carry"],
        &["--frames", "9", "--overrun", "stretch"],
        &["--smoothing", "hermite"],
        &["--seconds", "0.1"],
    ] {
        assert_eq!(hash(args), expected, "{args:?}");
    }
}

#[test]
#[ignore = "takes ten seconds of real time"]
fn the_live_clock_gives_the_same_bits() {
    assert_eq!(hash(&["--frames", "live"]), hash(&[]));
}

#[test]
fn a_short_live_run_gives_the_same_bits() {
    let args = ["run", "hockey", "--hash-at", "30", "--seconds", "0.1", "--frames"];
    let last = |frames| {
        stdout(&[&args[..], &[frames]].concat())
            .lines()
            .last()
            .unwrap()
            .to_owned()
    };
    assert_eq!(last("live"), last("144"));
}

#[test]
fn variable_steps_give_other_bits_on_every_display() {
    let mut hashes: Vec<String> = ["24", "30", "59.94", "60", "75", "144"]
        .map(|rate| hash(&["--stepping", "variable", "--frames", rate]))
        .to_vec();
    hashes.push(hash(&[]));
    hashes.sort_unstable();
    assert!(hashes.windows(2).all(|pair| pair[0] != pair[1]), "{hashes:?}");
}

#[test]
fn a_stiff_spring_explodes_with_variable_steps_and_not_with_fixed_ones() {
    let stiff = ["run", "spring", "--set", "k=10000", "--frames", "10"];
    let exploded = stdout(&[&stiff[..], &["--stepping", "variable", "--json"]].concat());
    assert!(exploded.contains("\"outcome\": \"exploded: the state exceeded 10⁶\""));
    assert!(!exploded.contains("NaN"));

    let fixed = [
        "--rate",
        "1000",
        "--max-steps",
        "100",
        "--seconds",
        "5",
        "--set",
        "integrator=rk4",
    ];
    let table = stdout(&[&stiff[..], &fixed].concat());
    for (integrator, result) in [
        ("rk4", "e-3 % off"),
        ("explicit-euler", "explodes"),
        ("velocity-verlet", "3.07 % off"),
    ] {
        let line = table
            .lines()
            .find(|line| line.trim_start().starts_with(integrator))
            .unwrap();
        assert!(line.ends_with(result), "{line}");
    }
    assert!(
        table
            .lines()
            .any(|line| line.starts_with("outcome") && line.ends_with("running"))
    );
}

#[test]
fn json_holds_the_facts_of_the_run() {
    let json = stdout(&["run", "hockey", "--frames", "2700", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["ticks"], 600);
    assert_eq!(value["frames"], 27_000);
    assert_eq!(value["steps_per_frame"], serde_json::json!({"0": 26_400, "1": 600}));
    assert!(value["animation_error_ms"]["drawn"]["rms"].as_f64().unwrap() < 1e-9);
    assert!(value["animation_error_ms"]["raw"]["rms"].as_f64().unwrap() > 2.0);
}

#[test]
fn the_csv_has_a_row_a_frame_and_the_report_stands_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (csv, report) = (folder.path().join("run.csv"), folder.path().join("run.html"));
    let args = [
        "run",
        "hockey",
        "--seconds",
        "2",
        "--csv",
        csv.to_str().unwrap(),
        "--report",
        report.to_str().unwrap(),
    ];
    stdout(&args);
    let csv = fs::read_to_string(csv).unwrap();
    let mut lines = csv.lines();
    assert_eq!(
        lines.next(),
        Some("time_s,delta_ns,steps,ticks,alpha,clamped_ns,dropped_steps,x_raw,x_drawn,y_raw,y_drawn")
    );
    assert!(lines.all(|line| line.split(',').count() == 11));
    assert_eq!(csv.lines().count(), 121);
    let report = fs::read_to_string(report).unwrap();
    for figure in [
        "The path",
        "A closer look at x",
        "Steps per frame",
        "Frame time",
        "Alpha",
        "Time lost",
    ] {
        assert!(report.contains(&format!("<b>{figure}.</b>")), "{figure}");
    }
    assert_eq!(report.matches("<svg").count(), report.matches("<figure>").count());
    assert!(!report.contains("NaN") && !report.contains("src=") && !report.contains("href="));
}

#[test]
fn a_recording_can_be_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("live.csv");
    let path = path.to_str().unwrap();
    let said = stdout(&["record", path, "--seconds", "0.1", "--rate", "200"]);
    assert!(said.contains("frames in 0.1 s"), "{said}");
    assert_eq!(hash(&["--frames", path]), hash(&[]));
}

#[test]
fn scenes_and_their_settings_are_listed() {
    let list = stdout(&["scenes"]);
    for text in [
        "spring  ",
        "hockey  ",
        "--set k=10 ",
        "integrator=semi-implicit-euler",
        "--set level=3",
    ] {
        assert!(list.contains(text), "{text} in {list}");
    }
}

/// What a failing command says: one line, and nothing on standard output.
fn complaint(args: &[&str], code: i32) -> String {
    let output = evenstep(args);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{args:?}: {text}");
    assert!(output.stdout.is_empty(), "{args:?}");
    assert_eq!(text.lines().count(), 1, "{args:?}: {text}");
    text
}

#[test]
fn a_senseless_command_line_is_told_so_in_one_line() {
    for (args, said) in [
        (
            &["run", "hockey", "--rate", "0"][..],
            "'0' for '--rate <HZ|N/D>': must be above zero",
        ),
        (&["run", "hockey", "--rate", "-60"], "must not be negative"),
        (
            &["run", "hockey", "--rate", "NaN"],
            "is not a number; write a whole number (60)",
        ),
        (
            &["run", "hockey", "--time-scale", "1/0"],
            "has a denominator of zero; write N/D",
        ),
        (
            &["run", "hockey", "--frames", "0"],
            "--frames 0: no such file, and as a rate it must be above zero",
        ),
        (
            &["run", "hockey", "--frames", "-5"],
            "--frames -5: no such file, and as a rate it must not be negative",
        ),
        (
            &["run", "hockey", "--seconds", "0"],
            "is not a number of seconds above zero",
        ),
        (&["run", "hockey", "--max-steps", "0"], "0 is not in 1..=4294967295"),
        (
            &["run", "hockey", "--hash-at", "5", "--time-scale", "0"],
            "no tick is ever reached",
        ),
        (&["run", "hockey", "--chain", "x"], "--chain needs --frames FILE"),
        (
            &["run", "chess"],
            "no scene is called chess; evenstep scenes lists them",
        ),
        (&["run", "spring", "--set", "k"], "setting k: must be written KEY=VALUE"),
        (&["run", "spring", "--set", "k=-1"], "setting k=-1: must be from 0"),
        (
            &["run", "spring", "--set", "q=1"],
            "setting q=1: no such setting; there are k, b, m",
        ),
        (&["run"], "the following required arguments were not provided"),
        (&["jump"], "unrecognized subcommand 'jump'"),
        (&["record"], "required arguments"),
    ] {
        let text = complaint(args, 2);
        assert!(
            text.starts_with("evenstep: ") && text.contains(said),
            "{args:?}: {text}"
        );
    }
}

#[test]
fn a_wrong_file_is_named_with_its_place_and_the_remedy() {
    for (name, text, said) in [
        ("empty.csv", "", "empty.csv: is empty; record again"),
        ("notes.txt", "Dear diary", "notes.txt:1: is no frame-time trace"),
        (
            "cut.csv",
            "A,B,FrameTime\nx,y,16\nx,y",
            "cut.csv:3: FrameTime: the row ends after column 2, and 3 are needed",
        ),
        (
            "bad.csv",
            "FrameTime\n16\nsoon\n",
            "bad.csv:3: FrameTime: \"soon\" is no frame time",
        ),
    ] {
        let (_folder, path) = file("frames", name, text);
        let text = complaint(&["run", "hockey", "--frames", path.to_str().unwrap()], 1);
        assert!(text.contains(said), "{text}");
    }
    let missing = complaint(&["run", "hockey", "--frames", "missing.csv"], 1);
    assert!(missing.contains("missing.csv: cannot be read: ") && missing.contains("; check the path"));

    let (_folder, level) = file("level", "my.toml", "name = \"x\"\ncolour = 3\n");
    let setting = format!("level={}", level.display());
    let text = complaint(&["run", "hockey", "--set", &setting], 1);
    assert!(text.contains("my.toml:2: unknown field `colour`"), "{text}");
}

#[test]
fn unreadable_rows_are_skipped_and_counted_where_that_was_asked_for() {
    let (_folder, path) = file("lenient", "bad.csv", "FrameTime\n16\nsoon\n17\n");
    let output = evenstep(&[
        "run",
        "hockey",
        "--lenient",
        "--json",
        "--frames",
        path.to_str().unwrap(),
    ]);
    assert!(output.status.success());
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "evenstep: 1 unreadable rows were skipped\n"
    );
    assert!(String::from_utf8_lossy(&output.stdout).contains("\"skipped_rows\": 1"));
}

#[test]
fn an_output_that_cannot_be_written_is_said_before_the_run_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let (nowhere, fine) = (folder.path().join("no/such/run.html"), folder.path().join("run.csv"));
    let args = [
        "run",
        "hockey",
        "--csv",
        fine.to_str().unwrap(),
        "--report",
        nowhere.to_str().unwrap(),
    ];
    let text = complaint(&args, 1);
    assert!(
        text.contains("run.html: cannot be written: ") && text.contains("choose a file in a folder"),
        "{text}"
    );
    assert!(complaint(&["record", nowhere.to_str().unwrap()], 1).contains("cannot be written"));
    let taken = folder.path().to_str().unwrap();
    assert!(complaint(&["run", "hockey", "--csv", taken], 1).contains("is a directory"));
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        0,
        "something was left behind"
    );
}
