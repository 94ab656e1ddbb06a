//! Files that the command writes, and what they were before.
use std::ffi::{OsStr, OsString};
use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Stdio;

use crate::common::{command, complaint, evenstep, file, json, names, stdout};

/// Runs a spring for a moment, and writes its frames.
fn write_frames(path: &Path) {
    let args = ["run", "spring", "--seconds", "0.1", "--csv"].map(OsStr::new);
    stdout(&[&args[..], &[path.as_os_str()]].concat());
}

fn is_frames(path: &Path) -> bool {
    fs::read_to_string(path).unwrap().starts_with("time_s,")
}

#[test]
fn a_file_that_is_overwritten_keeps_its_rights() {
    let (_folder, path) = file("rights", "run.csv", "old");
    for mode in [0o600, 0o640, 0o664, 0o755] {
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        write_frames(&path);
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o7777, mode, "{mode:o}");
        assert!(is_frames(&path));
    }
}

#[test]
fn a_file_of_somebody_else_stays_theirs() {
    let (_folder, path) = file("owner", "run.csv", "old");
    // Only the superuser can give files away.
    if std::os::unix::fs::chown(&path, Some(12_345), Some(23_456)).is_ok() {
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        write_frames(&path);
        let known = fs::metadata(&path).unwrap();
        assert_eq!(
            (known.uid(), known.gid(), known.mode() & 0o7777),
            (12_345, 23_456, 0o640)
        );
    }
}

#[test]
fn a_link_stays_a_link_wherever_it_leads() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("known.csv"), "old").unwrap();
    fs::create_dir(at("deep")).unwrap();
    for (link, leads_to) in [
        ("one", "known.csv"),
        ("two", "one"),
        ("three", "deep/new.csv"),
        ("deep/four", "../other.csv"),
    ] {
        symlink(leads_to, at(link)).unwrap();
        write_frames(&at(link));
        assert!(at(link).is_symlink(), "{link} was replaced");
        assert!(is_frames(&at(link)));
    }
    assert!(is_frames(&at("known.csv")) && is_frames(&at("deep/new.csv")) && is_frames(&at("other.csv")));
    symlink("round", at("round")).unwrap();
    let args = ["run", "spring", "--csv", at("round").to_str().unwrap()].map(str::to_owned);
    assert!(complaint(&args, 1).contains("round: --csv: cannot be written"));
}

#[test]
fn a_file_with_two_names_is_the_same_under_both_afterwards() {
    let (folder, path) = file("names", "one.csv", "old, and longer than what will be there");
    let other = folder.path().join("other.csv");
    fs::hard_link(&path, &other).unwrap();
    write_frames(&path);
    assert!(is_frames(&other));
    assert_eq!(fs::metadata(&path).unwrap().nlink(), 2);
    let args = ["analyze", "--rows"].map(OsStr::new);
    let args = [&args[..], &[path.as_os_str(), other.as_os_str()]].concat();
    assert!(complaint(&args, 2).contains("is the file of FILE too"));
}

#[test]
fn a_file_in_a_closed_folder_is_written_if_it_may_be() {
    let (folder, path) = file("closed", "run.csv", "old");
    let close = |mode| fs::set_permissions(folder.path(), Permissions::from_mode(mode)).unwrap();
    close(0o555);
    write_frames(&path);
    close(0o755);
    assert!(is_frames(&path));
    assert_eq!(names(folder.path()), ["run.csv"]);
}

#[test]
fn what_is_written_to_standard_output_is_not_lost_where_that_is_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.txt");
    let done = command()
        .args(["run", "spring", "--seconds", "0.1", "--csv", "/dev/stdout"])
        .stdout(fs::File::create(&path).unwrap())
        .status();
    assert!(done.unwrap().success());
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("time_s,") && text.contains("\nscene "), "{text}");
}

#[test]
fn names_may_be_anything_that_the_system_takes() {
    let folder = tempfile::tempdir().unwrap();
    let odd = [
        OsString::from_vec(b"not \xff utf-8.csv".to_vec()),
        OsString::from("a name\nof two lines.csv"),
        OsString::from("-dashes.csv"),
        OsString::from(" spaces .csv"),
        OsString::from("[brackets]*?.csv"),
        OsString::from("ü".repeat(120)),
    ];
    for name in odd {
        let trace = folder.path().join(&name);
        fs::write(&trace, "16\n17\n16\n").unwrap();
        let [report, rows, frames] = ["report", "rows", "frames"].map(|kind| {
            let mut path = folder.path().join(kind).into_os_string();
            path.push(&name);
            path
        });
        let args: [&[&OsStr]; 4] = [
            &["compare".as_ref(), trace.as_ref(), "--report".as_ref(), &report],
            &[
                "analyze".as_ref(),
                trace.as_ref(),
                "--report".as_ref(),
                &report,
                "--rows".as_ref(),
                &rows,
            ],
            &[
                "run".as_ref(),
                "spring".as_ref(),
                "--frames".as_ref(),
                trace.as_ref(),
                "--csv".as_ref(),
                &frames,
            ],
            &["capture".as_ref(), &frames, "--seconds".as_ref(), "0.01".as_ref()],
        ];
        for args in args {
            stdout(args);
        }
        assert!(fs::read_to_string(&report).unwrap().contains("<svg"));
        fs::write(&trace, "soon").unwrap();
        let said = complaint(&["compare".as_ref(), trace.as_os_str()], 1);
        assert!(said.contains("is no frame-time trace"), "{said}");
    }
}

#[test]
fn a_recording_from_a_pipe_is_measured_charted_and_written_in_one_pass() {
    let folder = tempfile::tempdir().unwrap();
    let [report, rows] = ["report.html", "rows.csv"].map(|name| folder.path().join(name));
    let args = ["analyze", "/dev/stdin", "--json", "--report"].map(OsStr::new);
    let args = [&args[..], &[report.as_os_str(), "--rows".as_ref(), rows.as_os_str()]].concat();
    let mut child = command()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, "16\n17\n".repeat(50).as_bytes()).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(said["files"][0]["chains"][0]["frames"], 100);
    assert!(fs::read_to_string(report).unwrap().contains("<svg"));
    assert_eq!(fs::read_to_string(rows).unwrap().lines().count(), 101);
}

#[test]
fn a_hash_is_a_part_of_the_one_json_object() {
    let said = json(&["run", "hockey", "--hash-at", "30", "--json"]);
    assert_eq!(said["hash"]["tick"], 30);
    let last = stdout(&["run", "hockey", "--hash-at", "30"]);
    let hash = said["hash"]["hash"].as_str().unwrap();
    assert!(last.ends_with(&format!("\nhash 30 {hash}\n")), "{last}");
}

#[test]
fn a_disk_that_is_full_is_told_and_leaves_what_was_there() {
    let (folder, path) = file("full", "run.csv", "old");
    let name = path.to_str().unwrap();
    let limited = |args: &[&str]| {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", "ulimit -f 1; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_evenstep")]);
        shell.args(args).output().unwrap()
    };
    let output = limited(&["run", "spring", "--seconds", "5", "--csv", name]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("run.csv: --csv: cannot be written: file too large; make room"),
        "{said}"
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(names(folder.path()), ["run.csv"]);
    let said = complaint(&["run", "spring", "--csv", "/dev/full"], 1);
    assert!(
        said.contains("/dev/full: --csv: cannot be written: no storage space; make room"),
        "{said}"
    );
}

#[test]
fn a_command_whose_complaints_cannot_be_written_fails_all_the_same() {
    for (args, code) in [(&["run", "chess"][..], 2), (&["replay", "/no/such/file"], 1)] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let status = command().args(args).stderr(full).status().unwrap();
        assert_eq!(status.code(), Some(code));
    }
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let output = command().arg("scenes").stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("standard output: cannot be written")
    );
}

#[test]
fn numbers_beyond_all_measure_are_refused_and_crash_nothing() {
    for args in [
        &["smoothing", "--scene", "spring", "--seconds", "1e12"][..],
        &["smoothing", "--scene", "spring", "--seconds", "1e18"],
        &[
            "smoothing",
            "--scene",
            "spring",
            "--seconds",
            "3600",
            "--rate",
            "4294967295",
        ],
        &["smoothing", "--scene", "spring", "--display", "1/4294967295"],
        &["capture", "frames.csv", "--seconds", "1e18"],
        &["capture", "frames.csv", "--rate", "4294967295"],
    ] {
        assert!(complaint(args, 2).contains("--seconds: "), "{args:?}");
    }
    for frames in ["60", "live"] {
        let said = complaint(&["run", "spring", "--seconds", "1e18", "--frames", frames], 1);
        assert!(said.contains("more than 1000000 frames"), "{said}");
    }
}

#[test]
fn a_slow_display_shows_states_no_later_than_a_fast_one() {
    let latency = |display: &str| {
        let args = [
            "smoothing",
            "--scene",
            "spring",
            "--seconds",
            "8",
            "--json",
            "--display",
        ];
        let table = json(&[&args[..], &[display]].concat());
        let ways = table["ways"].as_array().unwrap().iter();
        let way = ways.clone().find(|way| way["name"] == "interpolate").unwrap();
        way["latency_ms"].as_f64().unwrap()
    };
    assert!((latency("1") - latency("144")).abs() < 0.2, "{}", latency("1"));
}

#[test]
fn a_folder_that_cannot_be_searched_is_told_and_stops_nothing() {
    let (folder, _path) = file("search", "a.csv", "16\n17\n");
    let closed = folder.path().join("closed");
    fs::create_dir(&closed).unwrap();
    fs::create_dir(folder.path().join("open")).unwrap();
    fs::write(folder.path().join("open/b.csv"), "16\n17\n").unwrap();
    fs::set_permissions(&closed, Permissions::from_mode(0o000)).unwrap();
    let is_open_to_us = fs::read_dir(&closed).is_ok();
    let output = evenstep(&["analyze", folder.path().join("*/*.csv").to_str().unwrap()]);
    fs::set_permissions(&closed, Permissions::from_mode(0o755)).unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("b.csv"));
    // The superuser can search everything.
    let expected = if is_open_to_us { Some(0) } else { Some(1) };
    assert_eq!(output.status.code(), expected);
}
