//! The documentation of the libraries, and the public API of the crates with semantic versioning, as text: a change of the API is a diff of
//! `stored/api`.

use std::path::Path;

use anyhow::{Context, Result};
use xshell::{Cmd, Shell, cmd};

use crate::built::built;
use crate::programs::{self, workspace};

/// The crates in `crates/`.
const CRATES: [&str; 4] = ["evenstep", "evenstep-derive", "evenstep-physics", "evenstep-trace"];

/// The stored API.
const STORED: &str = "stored/api";

/// Stores the current API.
pub(crate) fn store(shell: &Shell) -> Result<()> {
    write(shell, Path::new(STORED))
}

/// A step of `cargo ci`: fails if the documentation of a library has a warning or an example that fails, or if the API differs from the
/// stored one.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    let current = built("api/current")?;
    write(shell, &current)?;
    let compare = cmd!(shell, "git --no-pager diff --no-index --exit-code {STORED} {current}").quiet();
    let is_stored = compare.run();
    is_stored.with_context(|| format!("{STORED} is out of date; to accept the change: cargo xtask bless --only api"))
}

/// Tests the documentation of the libraries that a `cargo test` names, and fails if it has a warning. `evenstep-api` must be built.
pub(crate) fn document(test: Cmd<'_>) -> Result<()> {
    let (program, out) = (built("debug/evenstep-api")?, built("api")?);
    let test = test.arg("--doc").env("RUSTDOC", program).env("EVENSTEP_API", out);
    Ok(test.run()?)
}

/// Tests the documentation of the workspace's libraries, and writes the API of each crate into a folder, which then has nothing else.
fn write(shell: &Shell, folder: &Path) -> Result<()> {
    programs::build(shell)?;
    document(workspace(shell, "test"))?;
    let (program, out) = (built("debug/evenstep-api")?, built("api")?);
    shell.remove_path(folder)?;
    for name in CRATES {
        let json = out.join(name.replace('-', "_") + ".json");
        let text = cmd!(shell, "{program} {json}").quiet().read()?;
        shell.write_file(folder.join(format!("{name}.txt")), text + "\n")?;
    }
    Ok(())
}
