//! `evenstep record`. The tests of the proxy check the recorded values, with a compositor that knows the outcome of each frame; the
//! tests here run third-party programs under weston.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;

use crate::common::{command, json, send, until};

/// Runs `record` with a folder as `XDG_RUNTIME_DIR`, which has no compositor unless one was started in it.
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

/// The only line on standard error.
fn line(output: &Output) -> &str {
    let text = std::str::from_utf8(&output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

#[test]
fn without_a_compositor_it_is_an_error_and_nothing_is_started() {
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

/// A compositor without any protocol: it answers `wl_display.sync`, and nothing else. Messages are an object, a length with an opcode,
/// and arguments, each in a word.
fn answer_syncs(listener: &UnixListener) {
    for mut stream in listener.incoming().flatten() {
        thread::spawn(move || {
            let mut words = || {
                let mut bytes = [0; 12];
                // The command sends `sync` and `get_registry`; both have one argument.
                stream.read_exact(&mut bytes).ok()?;
                let [object, opcode, argument] =
                    [0, 4, 8].map(|at| u32::from_ne_bytes(*bytes[at..].first_chunk().unwrap()));
                if (object, opcode & 0xffff) == (1, 0) {
                    let answer = [argument, 12 << 16, 0, 1, 12 << 16 | 1, argument];
                    stream.write_all(&answer.map(u32::to_ne_bytes).concat()).ok()?;
                }
                Some(())
            };
            while words().is_some() {}
        });
    }
}

#[test]
fn a_compositor_without_presentation_feedback_is_reported_in_a_line_and_the_header_has_no_columns_about_the_display() {
    let folder = tempfile::tempdir().unwrap();
    let listener = UnixListener::bind(folder.path().join("desktop")).unwrap();
    thread::spawn(move || answer_syncs(&listener));
    let output = record(folder.path(), &["-o", "out.csv", "--", "sh", "-c", "exit 3"]);
    let printed = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{printed}");
    let told = printed
        .lines()
        .filter(|line| line.contains("no presentation feedback (wp_presentation)"));
    assert_eq!(told.count(), 1, "{printed}");
    let header = fs::read_to_string(folder.path().join("out.csv")).unwrap();
    assert!(
        header.contains("MsBetweenPresents") && !header.contains("Displayed"),
        "{header}"
    );
}

#[test]
fn without_a_file_to_record_to_no_program_is_started_and_an_earlier_recording_outlives_a_program_that_cannot_be() {
    let folder = tempfile::tempdir().unwrap();
    let listener = UnixListener::bind(folder.path().join("desktop")).unwrap();
    thread::spawn(move || answer_syncs(&listener));
    let refused = |args: &[&str]| {
        let mut command = recorder(folder.path(), args);
        let output = command.env("TMPDIR", folder.path().join("missing")).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{text}");
        text
    };
    let text = refused(&["--", "touch", "started"]);
    assert!(text.contains("missing: no temporary file can be made"), "{text}");
    refused(&["-o", "missing/out.csv", "--", "touch", "started"]);
    let text = refused(&["-o", "-", "--", "touch", "started"]);
    assert!(text.contains("-: --output: a recording is a file"), "{text}");
    let earlier = folder.path().join("earlier.csv");
    fs::write(&earlier, "earlier").unwrap();
    for output in ["earlier.csv", "new.csv"] {
        refused(&["-o", output, "--", "./there-is-no-such-program"]);
    }
    assert_eq!(fs::read_to_string(&earlier).unwrap(), "earlier");
    let left = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    let mut left: Vec<_> = left.collect();
    left.sort();
    assert_eq!(left, ["desktop", "earlier.csv"]);
}

#[test]
fn a_socket_that_a_killed_recorder_has_left_is_not_in_the_way() {
    let folder = tempfile::tempdir().unwrap();
    let listener = UnixListener::bind(folder.path().join("desktop")).unwrap();
    thread::spawn(move || answer_syncs(&listener));
    let mut recorder = Command::new("sh");
    recorder.args(["-c", ": > evenstep-$$; exec \"$0\" \"$@\"", crate::PROGRAM]);
    recorder.args(["record", "--", "sh", "-c", "test -S $WAYLAND_DISPLAY"]);
    recorder.current_dir(folder.path()).env_remove("WAYLAND_SOCKET");
    recorder
        .env("XDG_RUNTIME_DIR", folder.path())
        .env("WAYLAND_DISPLAY", "desktop");
    let output = recorder.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A compositor in a temporary folder. Dropping it ends the compositor.
struct Weston {
    process: Child,
    folder: tempfile::TempDir,
}

impl Weston {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut process = Command::new("weston")
            .args([
                "--backend=headless-backend.so",
                "--shell=desktop-shell.so",
                "--use-pixman",
            ])
            // Needed to read weston's own logs.
            .args(["--debug", "--socket=desktop", "--idle-time=0", "--no-config"])
            .env("XDG_RUNTIME_DIR", folder.path())
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("DISPLAY")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("weston is installed");
        until(|| {
            assert_eq!(process.try_wait().unwrap(), None, "weston has ended");
            UnixStream::connect(folder.path().join("desktop")).is_ok()
        });
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

    /// A script for a program that is ended by a signal when the compositor has shown enough of its frames, however long that takes.
    fn until_shown(program: &str) -> String {
        let is_enough = "[ $(grep --count Composed out.csv) -gt 30 ]";
        format!("{program} & until {is_enough}; do sleep 0.1; done; kill $!; wait $!")
    }

    /// How many frames of a recording were displayed.
    fn count_displayed(recording: &Path) -> usize {
        fs::read_to_string(recording).map_or(0, |text| text.matches("Composed").count())
    }

    #[test]
    #[ignore = "needs weston: cargo ci --only compositors"]
    fn a_program_of_others_is_recorded_and_analysed_and_its_exit_code_is_ours() {
        let weston = Weston::start();
        let folder = weston.folder.path();
        let script = until_shown("weston-simple-shm");
        let output = record(folder, &["-o", "out.csv", "--", "sh", "-c", &script]);
        assert_eq!(output.status.code(), Some(128 + 15));
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
        assert!(metrics["frames"].as_u64() >= metrics["displayed"].as_u64(), "{metrics}");
        assert!(metrics["displayed"].as_u64() > Some(30), "{metrics}");
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
    fn a_program_that_cannot_be_started_leaves_no_file() {
        let weston = Weston::start();
        let folder = weston.folder.path();
        let output = record(folder, &["-o", "out.csv", "--", "there-is-no-such-program"]);
        assert!(line(&output).contains("there is no such program"));
        assert!(!folder.join("out.csv").exists());
        let output = record(folder, &["--", "sh", "-c", "exit 7"]);
        assert_eq!(output.status.code(), Some(7));
        assert!(line(&output).contains("no frames"));
    }

    #[test]
    #[ignore = "needs weston: cargo ci --only compositors"]
    fn limits_are_checked_in_the_same_run() {
        let script = until_shown("weston-simple-shm") + "; true";
        for (limit, code) in [(["--max", "hitches=-1"], 1), (["--min", "fps_average=0.01"], 0)] {
            let weston = Weston::start();
            let run = ["-o", "out.csv", "--", "sh", "-c", &script];
            let output = record(weston.folder.path(), &[&limit, &run[..]].concat());
            let text = String::from_utf8(output.stdout).unwrap();
            assert_eq!(output.status.code(), Some(code), "{text}");
            assert_eq!(text.contains("violated: hitches is"), code == 1, "{text}");
        }
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
    fn a_request_to_stop_ends_the_program_and_analyses_the_recording_so_far() {
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

    /// The times, in nanoseconds, at which weston finished repaints with new content of a surface, from its own timeline log. There is
    /// a single window, and the desktop's background and panel do not change.
    fn shown_by_weston(timeline: &str) -> Vec<i64> {
        let (mut has_new, mut shown) = (false, Vec::new());
        let points = serde_json::Deserializer::from_str(timeline).into_iter::<serde_json::Value>();
        // The last line may be cut off, because the reader of the log is killed.
        for point in points.map_while(Result::ok) {
            match point["N"].as_str() {
                Some("core_flush_damage") => has_new = true,
                Some("core_repaint_finished") if std::mem::take(&mut has_new) => {
                    let [seconds, nanos] = [0, 1].map(|part| point["vblank_monotonic"][part].as_i64().unwrap());
                    shown.push(seconds * 1_000_000_000 + nanos);
                }
                _ => {}
            }
        }
        shown
    }

    #[test]
    #[ignore = "needs weston: cargo ci --only compositors"]
    fn the_record_agrees_with_westons_own_log_of_its_frames() {
        let weston = Weston::start();
        let folder = weston.folder.path();
        let (file, timeline) = (folder.join("out.csv"), folder.join("timeline"));
        let mut log = Command::new("weston-debug")
            .args(["-o".as_ref(), timeline.as_os_str(), "timeline".as_ref()])
            .env("XDG_RUNTIME_DIR", folder)
            .env("WAYLAND_DISPLAY", "desktop")
            .spawn()
            .unwrap();
        // The desktop itself is drawn first and does not change afterwards.
        until(|| fs::read_to_string(&timeline).is_ok_and(|text| text.contains("core_repaint_exit_loop")));
        let before = shown_by_weston(&fs::read_to_string(&timeline).unwrap()).len();
        let mut recorder = recorder(folder, &["-o", "out.csv", "--", "weston-simple-shm"])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        until(|| count_displayed(&file) > 60);
        send(&recorder, "TERM");
        recorder.wait().unwrap();
        let rows = fs::read_to_string(&file).unwrap();
        let mut rows = csv::Reader::from_reader(rows.as_bytes());
        let column = rows
            .headers()
            .unwrap()
            .iter()
            .position(|name| name == "MsBetweenDisplayChange");
        let recorded: Vec<Option<f64>> = rows
            .records()
            .map(|row| row.unwrap()[column.unwrap()].parse().ok())
            .collect();
        let displayed = recorded.iter().flatten().count();
        // Weston writes its log in blocks; the first displayed frame has no interval.
        let shown = || shown_by_weston(&fs::read_to_string(&timeline).unwrap());
        until(|| shown().len() > before + displayed);
        send(&log, "KILL");
        log.wait().unwrap();
        let shown = shown();
        assert!(displayed > 50, "{displayed}");
        // Weston's log is on CLOCK_MONOTONIC and its feedback on CLOCK_MONOTONIC_RAW, whose rates differ by up to 500 ppm while the first
        // is being corrected. For its log Weston converts each time by reading both clocks: if it is preempted between them, that time
        // is wrong, and with it two intervals.
        let is_equal = |(recorded, shown): &(f64, f64)| (recorded - shown).abs() < 1e-3 + 500e-6 * shown;
        let count_equal = |pairs: &Vec<(f64, f64)>| pairs.iter().filter(|pair| is_equal(pair)).count();
        let pairs_from = |first: usize| -> Vec<(f64, f64)> {
            let intervals = shown[first..].windows(2).map(|pair| (pair[1] - pair[0]) as f64 / 1e6);
            recorded.iter().flatten().copied().zip(intervals).collect()
        };
        // On a busy machine the desktop draws a few more frames of its own after its first ones.
        let pairs = (before..before + 5).map(pairs_from).max_by_key(count_equal).unwrap();
        let equal = count_equal(&pairs);
        assert!(equal * 10 >= displayed * 9, "{equal} of {pairs:?}");
    }

    #[test]
    #[ignore = "needs weston and Xwayland: cargo ci --only compositors"]
    fn a_program_for_x11_is_recorded_as_the_window_of_its_xwayland() {
        let weston = Weston::start();
        let folder = weston.folder.path();
        // The server chooses a free display number and writes it when it accepts connections.
        let script = format!(
            "Xwayland -displayfd 3 3>number & X=$!; until [ -s number ]; do sleep 0.1; done; \
            export DISPLAY=:$(cat number); {}; kill $X; wait $X; exit 0",
            until_shown("glxgears")
        );
        let output = record(folder, &["-o", "out.csv", "--", "sh", "-c", &script]);
        let printed = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{printed}");
        let out = folder.join("out.csv");
        let analysis = json(&["analyze".as_ref(), "--json".as_ref(), out.as_os_str()]);
        let chain = &analysis["files"][0]["chains"][0];
        assert_eq!(chain["process"], "Xwayland", "{chain}");
        assert!(chain["displayed"].as_u64() > Some(30), "{chain}");
    }
}
