//! Output files, and the files that they replace.
use std::ffi::{OsStr, OsString};
use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Stdio;

use crate::common::{command, complaint, evenstep, file, names, stdout};

/// The project's sample.
const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/my-game.csv");

/// Measures the sample, and writes its rows.
fn write_rows(path: &Path) {
    let args = ["analyze", SAMPLE, "--rows"].map(OsStr::new);
    stdout(&[&args[..], &[path.as_os_str()]].concat());
}

fn is_rows(path: &Path) -> bool {
    fs::read_to_string(path).unwrap().starts_with("process,pid,")
}

#[test]
fn a_file_that_is_overwritten_keeps_its_rights() {
    let (_folder, path) = file("rights", "run.csv", "old");
    for mode in [0o600, 0o640, 0o664, 0o755] {
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        write_rows(&path);
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o7777, mode, "{mode:o}");
        assert!(is_rows(&path));
    }
}

#[test]
fn a_file_of_another_user_keeps_its_owner() {
    let (_folder, path) = file("owner", "run.csv", "old");
    // Only the superuser can change the owner of a file.
    if std::os::unix::fs::chown(&path, Some(12_345), Some(23_456)).is_ok() {
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        write_rows(&path);
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
        write_rows(&at(link));
        assert!(at(link).is_symlink(), "{link} was replaced");
        assert!(is_rows(&at(link)));
    }
    assert!(is_rows(&at("known.csv")) && is_rows(&at("deep/new.csv")) && is_rows(&at("other.csv")));
}

#[test]
fn a_file_with_two_names_is_the_same_under_both_afterwards() {
    let (folder, path) = file("names", "one.csv", "old, and longer than what will be there");
    let other = folder.path().join("other.csv");
    fs::hard_link(&path, &other).unwrap();
    write_rows(&path);
    assert!(is_rows(&other));
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
    write_rows(&path);
    close(0o755);
    assert!(is_rows(&path));
    assert_eq!(names(folder.path()), ["run.csv"]);
}

#[test]
fn standard_output_that_is_a_file_keeps_its_content() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.txt");
    let done = command()
        .args(["analyze", SAMPLE, "--rows", "/dev/stdout"])
        .stdout(fs::File::create(&path).unwrap())
        .status();
    assert!(done.unwrap().success());
    let text = fs::read_to_string(&path).unwrap();
    assert!(
        text.starts_with("process,pid,") && text.contains("\n    frames "),
        "{text}"
    );
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
        let [report, rows] = ["report", "rows"].map(|kind| {
            let mut path = folder.path().join(kind).into_os_string();
            path.push(&name);
            path
        });
        let args: [&OsStr; 6] = [
            "analyze".as_ref(),
            trace.as_ref(),
            "--report".as_ref(),
            &report,
            "--rows".as_ref(),
            &rows,
        ];
        stdout(&args);
        assert!(fs::read_to_string(&report).unwrap().contains("<svg"));
        fs::write(&trace, "soon").unwrap();
        let printed = complaint(&["simulate".as_ref(), trace.as_os_str()], 1);
        assert!(printed.contains("is no frame-time trace"), "{printed}");
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
    let frames: String = (0..100).map(|n| format!("{},16\n", 16 * n)).collect();
    std::io::Write::write_all(&mut input, format!("TimeInMs,MsBetweenPresents\n{frames}").as_bytes()).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed["files"][0]["chains"][0]["frames"], 100);
    assert!(fs::read_to_string(report).unwrap().contains("<svg"));
    assert_eq!(fs::read_to_string(rows).unwrap().lines().count(), 101);
}

#[test]
fn a_folder_that_cannot_be_searched_is_reported_and_stops_nothing() {
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
