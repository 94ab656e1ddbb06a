//! Checks that the packages for other systems compile for them. They are not run.

use anyhow::Result;
use xshell::{Shell, cmd};

use crate::setup;

const TARGETS: [&str; 2] = ["x86_64-pc-windows-gnu", "aarch64-apple-darwin"];

/// The published packages with code for single systems, and the command, which builds on them. No line of the others depends on the system, and
/// neither does the conversion of winit's events, which is left out.
const PACKAGES: [&str; 2] = ["--package=evenstep", "--package=evenstep-cli"];

const FEATURES: &str =
    "evenstep/derive,evenstep/desync,evenstep/follow,evenstep/glam,evenstep/history,evenstep/serde,evenstep/thread";

/// A step of `cargo ci`: fails if a package does not compile.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    for target in TARGETS {
        setup::rust_target(shell, target)?;
    }
    let targets = TARGETS.iter().flat_map(|target| ["--target", target]);
    Ok(cmd!(shell, "cargo check {targets...} {PACKAGES...} --features {FEATURES}").run()?)
}
