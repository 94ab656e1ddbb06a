//! Checks that what is written for single systems compiles for Windows. On it and on macOS the forge runs the quick tier.

use anyhow::Result;
use xshell::{Shell, cmd};

use crate::setup;

const TARGET: &str = "x86_64-pc-windows-gnu";

/// The published packages with code for single systems, and the command, which builds on them. No line of the others depends on the system, and
/// neither does the conversion of winit's events, which is left out.
const PACKAGES: [&str; 2] = ["--package=evenstep", "--package=evenstep-cli"];

/// A step of `cargo ci`: fails if a package does not compile.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    setup::rust_target(shell, TARGET)?;
    Ok(cmd!(
        shell,
        "cargo check --target {TARGET} {PACKAGES...} --features evenstep/thread"
    )
    .run()?)
}
