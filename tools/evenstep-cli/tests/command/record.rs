//! `evenstep record`. What it records is tested in `evenstep-present`, with a compositor that knows what became of each frame; the
//! tests here run programs of others under weston.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use crate::common::{command, json, send, until};

/// Runs `record` in a folder that has no compositor unless one was started in it.
fn record(folder: &Path, args: &[&str]) -> Output {
    recorder(folder, args).output().unwrap()
}

fn recorder(folder: &Path, args: &[&str]) -> Command {
    let mut command = command();
    command.arg("record").args(args).current_dir(folder);
    command.env("XDG_RUNTIME_DIR", folder).env("WAYLAND_DISPLAY", "desktop");
    command.env_remove("WAYLAND_SOCKET").env_remove("DISPLAY");
    command
}

/// Its only line on standard error.
fn line(output: &Output) -> &str {
    let text = std::str::from_utf8(&output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

#[test]
fn without_a_compositor_it_says_so_and_starts_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let output = record(folder.path(), &["-o", "out.csv", "--", "touch", "started"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(line(&output).contains("no compositor to connect to"));
    assert!(fs::read_dir(folder.path()).unwrap().next().is_none());
}

#[test]
fn a_call_without_a_program_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for args in [&[][..], &["-o", "out.csv"], &["weston-simple-shm"]] {
        let output = record(folder.path(), args);
        assert_eq!(output.status.code(), Some(2));
        line(&output);
    }
}

/// A compositor in a folder of its own; dropping it ends it.
struct Weston {
    process: Child,
    folder: tempfile::TempDir,
}

impl Weston {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let process = Command::new("weston")
            .args([
                "--backend=headless-backend.so",
                "--shell=desktop-shell.so",
                "--use-pixman",
            ])
            .args(["--socket=desktop", "--idle-time=0", "--no-config"])
            .env("XDG_RUNTIME_DIR", folder.path())
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("DISPLAY")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("weston is installed");
        until(|| folder.path().join("desktop").exists());
        Self { process, folder }
    }
}

impl Drop for Weston {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

mod compositors {
    use super::*;

    /// A program that shows frames for two seconds, and ends by a signal.
    const PROGRAM: [&str; 3] = ["timeout", "2", "weston-simple-shm"];

    #[test]
    #[ignore = "needs weston: cargo ci --only compositors"]
    fn a_program_of_others_is_recorded_and_analysed_and_its_exit_code_is_ours() {
        let weston = Weston::start();
        let folder = weston.folder.path();
        let output = record(folder, &[&["-o", "out.csv", "--"], &PROGRAM[..]].concat());
        assert_eq!(output.status.code(), Some(124));
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(
            text.contains("weston-simple-s") && text.contains("animation error"),
            "{text}"
        );
        let metrics = json(&[
            "analyze".as_ref(),
            "--json".as_ref(),
            folder.join("out.csv").as_os_str(),
        ]);
        let metrics = &metrics["files"][0]["chains"][0];
        let (frames, displayed) = (
            metrics["frames"].as_u64().unwrap(),
            metrics["displayed"].as_u64().unwrap(),
        );
        assert!(frames > 20 && displayed + 5 > frames, "{metrics}");
        let left: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert!(
            !left.iter().any(|name| name.to_string_lossy().starts_with("evenstep-")),
            "{left:?}"
        );
    }

    #[test]
    #[ignore = "needs weston: cargo ci --only compositors"]
    fn programs_that_cannot_be_started_and_sockets_in_use_leave_no_file() {
        let weston = Weston::start();
        let folder = weston.folder.path();
        let output = record(folder, &["-o", "out.csv", "--", "there-is-no-such-program"]);
        assert!(line(&output).contains("there is no such program"));
        let output = record(folder, &["-o", "out.csv", "--socket", "desktop", "--", "true"]);
        assert!(line(&output).contains("--socket"));
        assert!(!folder.join("out.csv").exists());
        let output = record(folder, &["--", "sh", "-c", "exit 7"]);
        assert_eq!(output.status.code(), Some(7));
        assert!(line(&output).contains("no frames"));
    }

    #[test]
    #[ignore = "needs weston: cargo ci --only compositors"]
    fn limits_are_checked_in_the_same_run() {
        let weston = Weston::start();
        let run = [
            "--max",
            "hitches=-1",
            "--",
            "sh",
            "-c",
            "timeout 2 weston-simple-shm; true",
        ];
        let output = record(weston.folder.path(), &run);
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains("violated: hitches is"), "{text}");
        let run = [
            "--min",
            "fps_average=0.01",
            "--",
            "sh",
            "-c",
            "timeout 2 weston-simple-shm; true",
        ];
        assert_eq!(record(weston.folder.path(), &run).status.code(), Some(0));
    }

    #[test]
    #[ignore = "needs weston: cargo ci --only compositors"]
    fn a_recorder_that_is_killed_leaves_a_file_that_can_be_read() {
        let weston = Weston::start();
        let folder = weston.folder.path();
        let file = folder.join("out.csv");
        let mut recorder = recorder(folder, &["-o", "out.csv", "--", "weston-simple-shm"])
            .spawn()
            .unwrap();
        until(|| fs::read_to_string(&file).is_ok_and(|text| text.lines().count() > 30));
        send(&recorder, "KILL");
        recorder.wait().unwrap();
        let metrics = json(&["analyze".as_ref(), "--json".as_ref(), file.as_os_str()]);
        assert!(metrics["files"][0]["chains"][0]["frames"].as_u64() >= Some(29));
    }

    #[test]
    #[ignore = "needs weston: cargo ci --only compositors"]
    fn a_request_to_stop_ends_the_program_and_analyses_what_was_recorded() {
        let weston = Weston::start();
        let folder = weston.folder.path();
        let file = folder.join("out.csv");
        let mut command = recorder(folder, &["-o", "out.csv", "--", "weston-simple-shm"]);
        let recorder = command.stdout(Stdio::piped()).spawn().unwrap();
        until(|| fs::read_to_string(&file).is_ok_and(|text| text.lines().count() > 30));
        send(&recorder, "TERM");
        let output = recorder.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(128 + 15));
        assert!(String::from_utf8(output.stdout).unwrap().contains("animation error"));
    }
}
