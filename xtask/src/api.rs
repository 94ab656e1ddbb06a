//! The documentation of the libraries, and the public API of the crates with semantic versioning, as text: a change of the API is a diff of
//! `stored/api`.

use std::path::Path;

use anyhow::{Context, Result};
use xshell::{Shell, cmd};

use crate::built::built;
use crate::programs::{self, workspace};

/// The crates in `crates/`, and the plugin.
const CRATES: [&str; 5] = [
    "evenstep",
    "evenstep-derive",
    "evenstep-physics",
    "evenstep-trace",
    PLUGIN,
];

/// It is stored without what is derived: Bevy's derives implement much.
const PLUGIN: &str = "bevy_evenstep";

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

/// Tests the documentation of the workspace's libraries, fails if it has a warning, and writes the API of each crate into a folder, which then
/// has nothing else.
fn write(shell: &Shell, folder: &Path) -> Result<()> {
    programs::build(shell)?;
    let (program, out) = (built("debug/evenstep-api")?, built("api")?);
    let test = workspace(shell, "test")?.args(["--no-fail-fast", "--doc"]);
    test.env("RUSTDOC", &program).env("EVENSTEP_API", &out).run()?;
    shell.remove_path(folder)?;
    for name in CRATES {
        let json = out.join(name.replace('-', "_") + ".json");
        let derived = (name == PLUGIN).then_some("--without-derived");
        let text = cmd!(shell, "{program} {derived...} {json}").quiet().read()?;
        shell.write_file(folder.join(format!("{name}.txt")), text + "\n")?;
    }
    Ok(())
}
