//! Ctrl-C, SIGTERM and SIGHUP at any moment.
use std::fs;
use std::io::Write as _;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::PROGRAM;
use crate::common::{file, listens, names, send, stoppable, until};

/// A recording that does not fit into a pipe, so that the command has begun when it is written.
fn recording() -> Vec<u8> {
    let rows = (0..40_000).map(|n| format!("{},16\n", 16 * n));
    ("TimeInMs,MsBetweenPresents\n".to_owned() + &rows.collect::<String>()).into_bytes()
}

/// A command that measures its standard input as it arrives, and writes rows.
fn analyze(rows: &Path) -> Child {
    stoppable()
        .args(["analyze", "/dev/stdin", "--rows"])
        .arg(rows)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn a_command_that_is_stopped_while_it_writes_leaves_the_folder_unchanged() {
    for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        let (folder, rows) = file("stopped", "rows.csv", "old");
        let mut child = analyze(&rows);
        let input = child.stdin.as_mut().unwrap();
        input.write_all(&recording()).unwrap();
        send(&child, signal);
        assert_eq!(child.wait().unwrap().signal(), Some(number));
        assert_eq!(names(folder.path()), ["rows.csv"], "after {signal}");
        assert_eq!(fs::read_to_string(&rows).unwrap(), "old");
    }
}

#[test]
fn a_command_continues_if_its_parent_process_ignores_signals() {
    let (_folder, rows) = file("ignored", "rows.csv", "old");
    let mut child = Command::new("sh")
        .args(["-c", "trap '' HUP INT; exec \"$0\" \"$@\"", PROGRAM])
        .args(["analyze", "/dev/stdin", "--rows"])
        .arg(&rows)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(&recording()).unwrap();
    send(&child, "HUP");
    send(&child, "INT");
    drop(input);
    assert!(child.wait().unwrap().success());
    assert_eq!(fs::read_to_string(&rows).unwrap().lines().count(), 40_001);
}

#[test]
fn a_second_request_ends_a_command_that_is_blocked_by_a_reader_that_does_not_read() {
    let (_folder, recording) = file("stuck", "game.csv", &"16\n17\n".repeat(500));
    let (reader, mut writer) = UnixStream::pair().unwrap();
    writer.set_nonblocking(true).unwrap();
    while writer.write(&[b'.'; 1000]).is_ok() {}
    while writer.write(b".").is_ok() {}
    writer.set_nonblocking(false).unwrap();
    let mut child = stoppable()
        .arg("watch")
        .arg(&recording)
        .stdout(OwnedFd::from(writer))
        .spawn()
        .unwrap();
    until(|| listens(&child, 15));
    // One of them may come before the command has read the recording; then it ends by itself.
    until(|| {
        send(&child, "TERM");
        child.try_wait().unwrap().is_some()
    });
    drop(reader);
}
