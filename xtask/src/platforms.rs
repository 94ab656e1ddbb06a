//! Checks that the packages for other systems compile for them. They are not run.

use anyhow::{Result, bail};
use xshell::{Shell, cmd};

use crate::compiler::add_library;

const TARGETS: [&str; 2] = ["x86_64-pc-windows-gnu", "aarch64-apple-darwin"];

/// The published packages. The engines are left out: Box2D needs a C compiler for the target, and Rapier takes long to check;
/// [`same_bits`](crate::same_bits) runs it on other processors. So is `bevy_evenstep`: Bevy takes long to check, and no line of the plugin depends
/// on the system.
const PACKAGES: [&str; 8] = [
    "--package=evenstep",
    "--package=evenstep-cli",
    "--package=evenstep-derive",
    "--package=evenstep-ggrs",
    "--package=evenstep-net",
    "--package=evenstep-physics",
    "--package=evenstep-present",
    "--package=evenstep-trace",
];

const FEATURES: &str = "evenstep/derive,evenstep/desync,evenstep/follow,evenstep/glam,evenstep/history,evenstep/mint,evenstep/serde,evenstep/thread,evenstep/winit";

/// A step of `cargo ci`: fails if a package does not compile.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    for target in TARGETS {
        if !add_library(shell, target)? {
            bail!("no standard library for {target}: rustup target add {target}");
        }
        cmd!(
            shell,
            "cargo check --target {target} {PACKAGES...} --features {FEATURES}"
        )
        .run()?;
    }
    Ok(())
}
