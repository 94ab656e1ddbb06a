//! Runs the command that `PROGRAM` in `main.rs` names. The lab's tests use this file too.
#![allow(dead_code, reason = "each command's tests use some of it")]

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};
use std::{env, fs};

use crate::PROGRAM;

/// The command, without arguments.
pub(crate) fn command() -> Command {
    Command::new(PROGRAM)
}

/// The command with signals enabled, as if started from a terminal. The tests may run in the background of a shell, where interrupts are
/// ignored.
#[cfg(target_os = "linux")]
pub(crate) fn stoppable() -> Command {
    let mut command = Command::new("env");
    command.args(["--default-signal=INT,TERM,HUP", PROGRAM]);
    command
}

/// Runs the command to its end.
pub(crate) fn evenstep<S: AsRef<OsStr>>(args: &[S]) -> Output {
    command().args(args).output().unwrap()
}

/// The standard output of a run that succeeds.
pub(crate) fn stdout<S: AsRef<OsStr>>(args: &[S]) -> String {
    let output = evenstep(args);
    let args: Vec<&OsStr> = args.iter().map(AsRef::as_ref).collect();
    assert!(
        output.status.success(),
        "{args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// The standard output of a run that succeeds, parsed as JSON.
pub(crate) fn json<S: AsRef<OsStr>>(args: &[S]) -> serde_json::Value {
    serde_json::from_str(&stdout(args)).unwrap()
}

/// The message of a run that fails: one line, with nothing on standard output.
pub(crate) fn complaint<S: AsRef<OsStr>>(args: &[S], code: i32) -> String {
    let output = evenstep(args);
    let args: Vec<&OsStr> = args.iter().map(AsRef::as_ref).collect();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{args:?}: {text}");
    assert!(output.stdout.is_empty(), "{args:?}");
    assert_eq!(text.lines().count(), 1, "{args:?}: {text}");
    text
}

/// Creates a temporary folder for a test. Also returns the path of a file in it with this text.
pub(crate) fn file(test: &str, name: &str, text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::Builder::new().prefix(test).tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    (folder, path)
}

/// The recordings in the repository.
pub(crate) fn own_traces() -> Vec<PathBuf> {
    let folder = Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../crates/evenstep-trace/tests/traces"
    ));
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        .filter(|path| path.extension().is_some_and(|extension| extension == "csv"))
        .collect()
}

/// The names in a folder, in order.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Sends a signal to a program.
pub(crate) fn send(child: &Child, signal: &str) {
    let sent = Command::new("kill")
        .args(["-s", signal, &child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
}

/// Waits until a condition holds, without a time limit of its own.
pub(crate) fn until(mut is_reached: impl FnMut() -> bool) {
    while !is_reached() {
        std::thread::yield_now();
    }
}

#[cfg(target_os = "linux")]
/// Whether a command handles the signal with a number.
pub(crate) fn listens(child: &Child, signal: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    u64::from_str_radix(mask.trim(), 16).unwrap() >> (signal - 1) & 1 == 1
}
