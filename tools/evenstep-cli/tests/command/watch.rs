//! `evenstep watch`: a recording that is being written.

use std::fs::{self, OpenOptions};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::num::NonZero;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::common::{complaint, file, own_traces, send, stdout, stoppable, until};

fn append(path: &Path, text: &str) {
    let mut file = OpenOptions::new().append(true).create(true).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

#[test]
fn its_last_output_is_that_of_analyze() {
    for trace in own_traces() {
        let path = trace.to_str().unwrap();
        let printed = stdout(&["watch", "--until-idle", "0.01", path]);
        let analyzed = stdout(&["analyze", path]);
        let lines = printed.strip_suffix(&analyzed).unwrap_or_else(|| panic!("{printed}"));
        assert!(lines.lines().count() >= 1 && lines.contains(" fps  median "), "{lines}");
    }
}

#[test]
fn a_last_line_without_an_end_counts_when_the_file_is_complete_and_bad_rows_do_not() {
    let (_folder, path) = file("watch", "list.txt", &("16\n".repeat(200) + "sixteen\n17"));
    let printed = stdout(&["watch", "--until-idle", "0.01", path.to_str().unwrap()]);
    let analyzed = stdout(&["analyze", "--lenient", path.to_str().unwrap()]);
    assert!(
        printed.ends_with(&analyzed) && analyzed.contains("frames           201 in"),
        "{printed}"
    );
}

#[test]
fn a_file_that_is_no_recording_is_refused_also_while_it_grows() {
    let (_folder, path) = file("watch", "text.txt", "once upon a time\n");
    let printed = complaint(&["watch", path.to_str().unwrap()], 1);
    assert!(printed.contains("text.txt:1: is no frame-time trace"), "{printed}");
    let (_folder, path) = file("watch", "trace.json", "{\"traceEvents\": [\n");
    let printed = complaint(&["watch", path.to_str().unwrap()], 1);
    assert!(printed.contains("give it to `evenstep analyze`"), "{printed}");
}

#[test]
fn inputs_that_do_not_arrive_in_time_are_missing_or_empty() {
    let (folder, path) = file("watch", "empty.csv", "");
    let printed = complaint(&["watch", "--until-idle", "0.01", path.to_str().unwrap()], 1);
    assert!(printed.contains("empty.csv: is empty"), "{printed}");
    let missing = folder.path().join("missing.csv");
    let printed = complaint(&["watch", "--until-idle", "0.01", missing.to_str().unwrap()], 1);
    assert!(
        printed.contains("missing.csv: cannot be read: entity not found"),
        "{printed}"
    );
}

/// The command, which watches a file and prints lines until it is interrupted.
fn watching(path: &Path) -> Child {
    let mut command = stoppable();
    command.arg("watch").arg(path);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn a_file_that_appears_late_grows_and_is_replaced_is_reported_line_by_line_until_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.csv");
    let mut child = watching(&path);
    let mut news = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut next = || {
        let mut line = String::new();
        lines.read_line(&mut line).unwrap();
        line
    };
    let told = news.next().unwrap().unwrap();
    assert!(told.ends_with("game.csv: does not exist yet; waiting for it"), "{told}");
    append(&path, &"10\n".repeat(150));
    let line = next();
    assert!(line.contains("1.5 s      150 frames   100.0 fps"), "{line}");
    append(&path, &"10\n".repeat(150));
    let line = next();
    assert!(line.contains("3.0 s      300 frames   100.0 fps"), "{line}");
    fs::write(&path, "20\n".repeat(60)).unwrap();
    let told = news.next().unwrap().unwrap();
    assert!(
        told.ends_with("game.csv: was replaced; reading it from its beginning"),
        "{told}"
    );
    let line = next();
    assert!(line.contains("1.2 s       60 frames    50.0 fps"), "{line}");
    let killed = std::process::Command::new("kill")
        .args(["-s", "INT", &child.id().to_string()])
        .status();
    assert!(killed.unwrap().success());
    let mut rest = String::new();
    lines.read_to_string(&mut rest).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(rest, stdout(&["analyze", path.to_str().unwrap()]));
}

/// The command on a terminal of its own.
struct OnTerminal {
    child: Child,
    keys: pty_process::blocking::Pty,
    screen: Arc<Mutex<vt100::Parser>>,
}

impl OnTerminal {
    fn start(args: &[&str]) -> Self {
        let (pty, pts) = pty_process::blocking::open().unwrap();
        let [rows, columns] = [30_u16, 100].map(|size| NonZero::new(size).unwrap());
        pty.resize(pty_process::Size::new(rows.get(), columns.get())).unwrap();
        let command = pty_process::blocking::Command::new(crate::PROGRAM);
        let child = command.args(args).spawn(pts).unwrap();
        let screen = Arc::new(Mutex::new(vt100::Parser::new(rows, columns, 0)));
        let copy = std::os::fd::AsFd::as_fd(&pty).try_clone_to_owned().unwrap();
        let (mut output, shown) = (fs::File::from(copy), Arc::clone(&screen));
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // The end of a terminal is an error.
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                shown.lock().unwrap().process(&bytes[..count]);
            }
        });
        Self {
            child,
            keys: pty,
            screen,
        }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    fn shown(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    fn wait_for(&self, wanted: &str) {
        until(|| self.shown().contains(wanted));
    }

    /// Waits for the end with this exit code, and checks the text that is left on the screen.
    fn end(mut self, code: i32, wanted: &str) {
        assert_eq!(self.child.wait().unwrap().code(), Some(code));
        self.wait_for(wanted);
        assert!(!self.screen.lock().unwrap().screen().alternate_screen());
    }
}

#[test]
fn on_a_terminal_it_draws_holds_continues_and_leaves_the_last_figures() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.csv");
    let mut terminal = OnTerminal::start(&["watch", path.to_str().unwrap()]);
    terminal.wait_for("The file does not exist yet.");
    append(&path, &"10\n".repeat(150));
    terminal.wait_for("150 in 1.5 s");
    terminal.wait_for("even frames: ");
    assert!(terminal.screen.lock().unwrap().screen().alternate_screen());
    terminal.press(" ");
    terminal.wait_for("held");
    append(&path, &"10\n".repeat(50));
    assert!(terminal.shown().contains("150 in 1.5 s"));
    terminal.press(" ");
    terminal.wait_for("200 in 2.0 s");
    terminal.press("q");
    terminal.end(0, "frames           200 in 2.00 s");
}

#[test]
fn on_a_terminal_keys_that_arrive_together_all_count() {
    let (_folder, path) = file("watch", "game.csv", "16\n17\n");
    let mut terminal = OnTerminal::start(&["watch", path.to_str().unwrap()]);
    terminal.wait_for("2 in 0.0 s");
    terminal.press("\t q");
    terminal.end(0, "frames           2 in");
}

#[test]
fn on_a_terminal_a_second_request_to_stop_restores_the_screen() {
    let (_folder, path) = file("watch", "game.csv", "16\n17\n");
    let mut terminal = OnTerminal::start(&["watch", path.to_str().unwrap()]);
    terminal.wait_for("2 in 0.0 s");
    // The rest of the code of a key is awaited.
    terminal.press("\x1b[");
    until(|| {
        send(&terminal.child, "TERM");
        terminal.child.try_wait().unwrap().is_some()
    });
    until(|| !terminal.screen.lock().unwrap().screen().alternate_screen());
    assert!(!terminal.screen.lock().unwrap().screen().hide_cursor());
}

#[test]
fn on_a_terminal_an_error_is_printed_after_the_drawing_has_ended() {
    let (_folder, path) = file("watch", "game.csv", "16\n17\n");
    let terminal = OnTerminal::start(&["watch", path.to_str().unwrap()]);
    terminal.wait_for("2 in 0.0 s");
    fs::write(&path, "once\n").unwrap();
    terminal.end(1, "is no frame-time trace");
}
