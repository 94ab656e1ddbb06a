//! Builds the programs of the workspace.

use anyhow::Result;
use xshell::{Shell, cmd};

/// A package with third-party plugins for Bevy.
pub(crate) const PARTNERS: &str = "bevy_evenstep-partners";

/// A package with Bevy games in windows.
pub(crate) const WINDOWS: &str = "bevy_evenstep-windows";

/// Options that leave out packages that take minutes to compile. Only their own steps of `cargo ci` compile them.
pub(crate) const EXCLUDE: [&str; 4] = ["--exclude", PARTNERS, "--exclude", WINDOWS];

/// Builds every program with the features of the tests, so that little is left to compile after them. For a single package or
/// without examples, cargo would give dependencies other features and compile them again.
pub(crate) fn build(shell: &Shell) -> Result<()> {
    Ok(cmd!(
        shell,
        "cargo build --workspace {EXCLUDE...} --all-features --bins --examples"
    )
    .run()?)
}

/// Builds only the programs that write the page and the book, which is much less to compile if nothing is compiled yet.
pub(crate) fn build_writers(shell: &Shell) -> Result<()> {
    Ok(cmd!(
        shell,
        "cargo build --quiet --package evenstep-bindings --package evenstep-mdbook"
    )
    .quiet()
    .run()?)
}
