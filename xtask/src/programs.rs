//! The programs of the workspace, built.

use anyhow::Result;
use xshell::{Shell, cmd};

use crate::setup;

/// A package with plugins for Bevy by others.
pub(crate) const PARTNERS: &str = "bevy_evenstep-partners";

/// A package with games in windows of Bevy's.
pub(crate) const WINDOWS: &str = "bevy_evenstep-windows";

/// Leaves out packages that take minutes to compile: only their own steps of `cargo ci` do so.
pub(crate) const EXCLUDE: [&str; 4] = ["--exclude", PARTNERS, "--exclude", WINDOWS];

/// Builds every program, with the features that the tests have: after them there is little to do. Cargo gives dependencies
/// other features, and so compiles them again, for a single package or without examples.
pub(crate) fn build(shell: &Shell) -> Result<()> {
    install_headers(shell);
    Ok(cmd!(
        shell,
        "cargo build --workspace {EXCLUDE...} --all-features --bins --examples"
    )
    .run()?)
}

/// What the workspace needs to compile with all features. Other systems than Debian have it elsewhere, and cargo says if it is missing.
pub(crate) fn install_headers(shell: &Shell) {
    // Gamepads on Linux are read by libudev.
    if cfg!(target_os = "linux") && setup::debian(shell, &["libudev-dev", "pkg-config"]).is_err() {
        println!("libudev-dev and pkg-config cannot be installed here; whatever libudev there is must do");
    }
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
