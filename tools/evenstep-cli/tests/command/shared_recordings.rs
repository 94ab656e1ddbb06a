//! Recordings made by others, for the tests of both commands.

use std::env;
use std::path::PathBuf;
use std::process::Command;

/// The recordings that must be in the folder: the first column of the list that `evenstep-trace` keeps.
pub(crate) fn recordings() -> Vec<String> {
    let list = include_str!("../../../../crates/evenstep-trace/tests/recordings.csv");
    let folder = env::var_os("EVENSTEP_TRACES").map_or_else(
        || concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/traces").into(),
        PathBuf::from,
    );
    let files = list.lines().skip(1).filter_map(|line| line.split(',').next());
    files
        .map(|file| folder.join(file).to_str().unwrap().to_owned())
        .collect()
}

/// The standard output of a run that succeeds.
pub(crate) fn stdout(program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).output().unwrap();
    assert!(
        output.status.success(),
        "{args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}
