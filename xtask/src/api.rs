//! The documentation of the libraries, and the public API of the crates with semantic versioning, as text: a change of the API is a diff of
//! `stored/api`.

use std::path::Path;

use anyhow::{Context, Result};
use xshell::{Cmd, Shell, cmd};

use crate::built::built;
use crate::programs::{self, workspace};

/// The crates in `crates/`.
const CRATES: [&str; 4] = ["evenstep", "evenstep-derive", "evenstep-physics", "evenstep-trace"];

/// The plugin, whose documentation is tested with the packages with Bevy.
pub(crate) const PLUGIN: &str = "bevy_evenstep";

/// The stored API.
const STORED: &str = "stored/api";

/// Stores the current API.
pub(crate) fn store(shell: &Shell) -> Result<()> {
    programs::build(shell)?;
    document(workspace(shell, "test"))?;
    document(programs::test_bevy(shell))?;
    shell.remove_path(STORED)?;
    for name in CRATES.into_iter().chain([PLUGIN]) {
        write(shell, name, Path::new(STORED))?;
    }
    Ok(())
}

/// A step of `cargo ci`: fails if the documentation of a library has a warning or an example that fails, or if the API differs from the
/// stored one.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    programs::build(shell)?;
    document(workspace(shell, "test"))?;
    CRATES.into_iter().try_for_each(|name| compare(shell, name))
}

/// Fails if the API of a crate differs from the stored one. Its documentation must have been tested.
pub(crate) fn compare(shell: &Shell, name: &str) -> Result<()> {
    let current = built("api/current")?;
    write(shell, name, &current)?;
    let (stored, current) = (format!("{STORED}/{name}.txt"), current.join(format!("{name}.txt")));
    let compare = cmd!(shell, "git --no-pager diff --no-index --exit-code {stored} {current}").quiet();
    let is_stored = compare.run();
    is_stored.with_context(|| format!("{stored} is out of date; to accept the change: cargo xtask bless --only api"))
}

/// Tests the documentation of the libraries that a `cargo test` names, and fails if it has a warning. `evenstep-api` must be built.
pub(crate) fn document(test: Cmd<'_>) -> Result<()> {
    let (program, out) = (built("debug/evenstep-api")?, built("api")?);
    let test = test.arg("--doc").env("RUSTDOC", program).env("EVENSTEP_API", out);
    Ok(test.run()?)
}

/// Writes the API of a crate into a folder. Bevy's derives implement so much that the plugin's is stored without what is derived.
fn write(shell: &Shell, name: &str, folder: &Path) -> Result<()> {
    let json = built("api")?.join(name.replace('-', "_") + ".json");
    let (program, derived) = (
        built("debug/evenstep-api")?,
        (name == PLUGIN).then_some("--without-derived"),
    );
    let text = cmd!(shell, "{program} {derived...} {json}").quiet().read()?;
    Ok(shell.write_file(folder.join(format!("{name}.txt")), text + "\n")?)
}
