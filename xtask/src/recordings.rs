//! Runs tests on recordings made by others, which are not part of the project.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use xshell::{Shell, cmd};

use crate::programs::EXCLUDE;
use crate::skipped::skip;

/// The environment variable that names the folder of the recordings.
const VARIABLE: &str = "EVENSTEP_TRACES";

/// The default folder of the recordings.
const USUAL: &str = "../shared/traces";

/// The list of files that must be in the folder, in its first column.
const LIST: &str = "crates/evenstep-trace/tests/recordings.csv";

/// Part of the names of these tests.
pub(crate) const TESTS: &str = "recordings_by_others::";

/// Runs the tests. The step is skipped if there is no folder of recordings, and fails if the folder lacks one of them.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    let named = std::env::var_os(VARIABLE).map(PathBuf::from);
    let folder = std::path::absolute(match &named {
        Some(folder) => folder.clone(),
        None => shell.current_dir().join(USUAL),
    })?;
    if named.is_none() && !folder.is_dir() {
        return Err(skip(format!(
            "no recordings; {VARIABLE} names a folder of them, {LIST} lists its files"
        )));
    }
    let missing = missing(&shell.read_file(LIST)?, &folder);
    if !missing.is_empty() {
        bail!("{} lacks {}", folder.display(), missing.join(", "));
    }
    cmd!(
        shell,
        "cargo test --workspace {EXCLUDE...} --all-features --test recordings -- --ignored {TESTS}"
    )
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
