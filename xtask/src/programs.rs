//! The programs of the workspace, built.

use anyhow::Result;
use xshell::{Shell, cmd};

/// A package with plugins for Bevy by others.
pub(crate) const PARTNERS: &str = "bevy_evenstep-partners";

/// A package with games in windows of Bevy's.
pub(crate) const WINDOWS: &str = "bevy_evenstep-windows";

/// Leaves out packages that take minutes to compile: only their own steps of `cargo ci` do so.
pub(crate) const EXCLUDE: [&str; 4] = ["--exclude", PARTNERS, "--exclude", WINDOWS];

/// Builds every program, with the features that the tests have: after them there is little to do. Cargo gives dependencies
/// other features, and so compiles them again, for a single package or without examples.
pub(crate) fn build(shell: &Shell) -> Result<()> {
    Ok(cmd!(
        shell,
        "cargo build --workspace {EXCLUDE...} --all-features --bins --examples"
    )
    .run()?)
}

/// Builds only what writes the page and the book: much less to compile, where nothing is compiled yet.
pub(crate) fn build_writers(shell: &Shell) -> Result<()> {
    Ok(cmd!(
        shell,
        "cargo build --quiet --package evenstep-bindings --package evenstep-mdbook"
    )
    .quiet()
    .run()?)
}
