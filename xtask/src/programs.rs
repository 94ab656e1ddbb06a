//! Builds the programs of the workspace.

use anyhow::Result;
use xshell::{Shell, cmd};

use crate::setup;

/// A package with third-party plugins for Bevy.
pub(crate) const PARTNERS: &str = "bevy_evenstep-partners";

/// A package with Bevy games in windows.
pub(crate) const WINDOWS: &str = "bevy_evenstep-windows";

/// Options that leave out packages that take minutes to compile. Only their own steps of `cargo ci` compile them.
pub(crate) const EXCLUDE: [&str; 4] = ["--exclude", PARTNERS, "--exclude", WINDOWS];

/// Builds every program with the features of the tests, so that little is left to compile after them. For a single package or
/// without examples, cargo would give dependencies other features and compile them again.
pub(crate) fn build(shell: &Shell) -> Result<()> {
    install_headers(shell);
    Ok(cmd!(
        shell,
        "cargo build --workspace {EXCLUDE...} --all-features --bins --examples"
    )
    .run()?)
}

/// Installs the libraries that the workspace needs to compile with all features, on Debian. On other systems cargo reports missing ones.
pub(crate) fn install_headers(shell: &Shell) {
    // On Linux, gamepads need libudev.
    if cfg!(target_os = "linux") && setup::debian(shell, &["libudev-dev", "pkg-config"]).is_err() {
        println!("libudev-dev and pkg-config cannot be installed here; a libudev that is installed already is used");
    }
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
