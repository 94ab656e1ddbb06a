//! Runs tests on recordings made by others, which are not part of the project.

use std::path::PathBuf;

use anyhow::{Result, bail};
use xshell::Shell;

use crate::programs::workspace;

/// The environment variable that names the folder of the recordings.
const VARIABLE: &str = "EVENSTEP_TRACES";

/// The default folder of the recordings.
const DEFAULT_FOLDER: &str = "../shared/traces";

/// Part of the names of these tests.
pub(crate) const TESTS: &str = "recordings_by_others::";

/// Whether the recordings are where `cargo ci --all` looks for them: they are no part of a clone.
pub(crate) fn are_here(shell: &Shell) -> bool {
    folder(shell).is_dir()
}

fn folder(shell: &Shell) -> PathBuf {
    let named = std::env::var_os(VARIABLE).map(PathBuf::from);
    named.unwrap_or_else(|| shell.current_dir().join(DEFAULT_FOLDER))
}

/// Runs the tests. A missing recording fails the one that reads it.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    if !are_here(shell) {
        bail!(
            "no recordings: {VARIABLE} names a folder of them, crates/evenstep-trace/tests/recordings.csv lists its files"
        );
    }
    let folder = std::path::absolute(folder(shell))?;
    Ok(workspace(shell, "test")?
        .args([
            "--no-fail-fast",
            "--lib",
            "--test",
            "recordings",
            "--",
            "--ignored",
            TESTS,
        ])
        .env(VARIABLE, &folder)
        .run()?)
}
