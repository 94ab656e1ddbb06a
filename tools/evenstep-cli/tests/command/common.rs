//! The command as the tests run it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

/// The command, to be given its arguments.
pub(crate) fn command() -> Command {
    Command::new(env!("CARGO_BIN_EXE_evenstep"))
}

/// The command as somebody at a terminal starts it: shells start what runs in the background with interrupts ignored, and tests
/// may run there.
#[cfg(target_os = "linux")]
pub(crate) fn stoppable() -> Command {
    let mut command = Command::new("env");
    command.args(["--default-signal=INT,TERM,HUP", env!("CARGO_BIN_EXE_evenstep")]);
    command
}

/// Runs it to its end.
pub(crate) fn evenstep<S: AsRef<OsStr>>(args: &[S]) -> Output {
    command().args(args).output().unwrap()
}

/// What a run that succeeds prints.
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

/// What a run that succeeds prints as JSON.
pub(crate) fn json<S: AsRef<OsStr>>(args: &[S]) -> serde_json::Value {
    serde_json::from_str(&stdout(args)).unwrap()
}

/// What a run that fails says: one line, and nothing on standard output.
pub(crate) fn complaint<S: AsRef<OsStr>>(args: &[S], code: i32) -> String {
    let output = evenstep(args);
    let args: Vec<&OsStr> = args.iter().map(AsRef::as_ref).collect();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{args:?}: {text}");
    assert!(output.stdout.is_empty(), "{args:?}");
    assert_eq!(text.lines().count(), 1, "{args:?}: {text}");
    text
}

/// A folder of this test's own, and the path of a file in it with this text.
pub(crate) fn file(test: &str, name: &str, text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::Builder::new().prefix(test).tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    (folder, path)
}

/// The recordings that the project has of its own.
pub(crate) fn own_traces() -> Vec<PathBuf> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/evenstep-trace/tests/traces"));
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

/// The last line of standard output.
pub(crate) fn hash(args: &[&str]) -> String {
    let text = stdout(&[&["run", "hockey", "--hash-at", "600"], args].concat());
    let last = text.lines().last().unwrap().to_owned();
    let digits = last.strip_prefix("hash 600 ").unwrap();
    assert!(
        digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()),
        "{last}"
    );
    last
}
