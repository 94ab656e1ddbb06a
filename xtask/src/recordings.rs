//! Runs tests on recordings made by others, which are not part of the project.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use xshell::Shell;

use crate::programs::workspace;

/// The environment variable that names the folder of the recordings.
const VARIABLE: &str = "EVENSTEP_TRACES";

/// The default folder of the recordings.
const USUAL: &str = "../shared/traces";

/// The list of files that must be in the folder, in its first column.
const LIST: &str = "crates/evenstep-trace/tests/recordings.csv";

/// Part of the names of these tests.
pub(crate) const TESTS: &str = "recordings_by_others::";

/// Whether the recordings are where `cargo ci --all` looks for them: they are no part of a clone.
pub(crate) fn are_here(shell: &Shell) -> bool {
    folder(shell).is_dir()
}

fn folder(shell: &Shell) -> PathBuf {
    let named = std::env::var_os(VARIABLE).map(PathBuf::from);
    named.unwrap_or_else(|| shell.current_dir().join(USUAL))
}

/// Runs the tests. Fails if a recording is missing.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    let folder = std::path::absolute(folder(shell))?;
    if !folder.is_dir() {
        bail!("no recordings: {VARIABLE} names a folder of them, {LIST} lists its files");
    }
    let missing = missing(&shell.read_file(LIST)?, &folder);
    if !missing.is_empty() {
        bail!("{} lacks {}", folder.display(), missing.join(", "));
    }
    workspace(shell, "test")
        .args(["--test", "recordings", "--", "--ignored", TESTS])
        .env(VARIABLE, &folder)
        .run()
        .context("the tests on recordings failed")
}

/// The files of a list that a folder lacks.
fn missing(list: &str, folder: &Path) -> Vec<String> {
    let files = list.lines().skip(1).filter_map(|line| line.split(',').next());
    files
        .filter(|file| !folder.join(file).is_file())
        .map(str::to_owned)
        .collect()
}
