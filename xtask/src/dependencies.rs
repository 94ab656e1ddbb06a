//! Checks the licences and versions of all dependencies with cargo-deny.

use anyhow::Result;
use xshell::{Shell, cmd};

use crate::setup;

/// A step of `cargo ci`: fails if a licence is not in `deny.toml`, or if there are two versions of a crate without a reason there.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    let program = setup::cargo_tool(shell, "cargo-deny", "0.20.2")?;
    Ok(cmd!(shell, "{program} --workspace check licenses bans sources").run()?)
}
