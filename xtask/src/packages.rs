//! Packs the crates that are published, as `cargo publish` would.

use anyhow::{Result, bail};
use xshell::{Shell, cmd};

/// The crates that are published. Each comes after its dependencies.
const PUBLISHED: &[&str] = &[
    "evenstep-derive",
    "evenstep",
    "evenstep-flat",
    "evenstep-physics",
    "evenstep-present",
    "evenstep-trace",
    "bevy_evenstep",
    "evenstep-ggrs",
    "evenstep-net",
    "evenstep-cli",
];

/// The files that every package must have.
const REQUIRED: &[&str] = &["Cargo.toml", "README.md"];

/// Packages that are also compiled from their archives, because they have almost no dependencies.
const COMPILED: &[&str] = &["evenstep-derive", "evenstep"];

/// Fails if a crate cannot be packed, or lacks a file.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    for name in PUBLISHED {
        let list = cmd!(shell, "cargo package --list --allow-dirty --package {name}")
            .quiet()
            .read()?;
        for file in REQUIRED {
            if !list.lines().any(|line| line == *file) {
                bail!("the package of {name} has no {file}");
            }
        }
    }
    let of = |names: &[&str]| -> Vec<String> { names.iter().map(|name| format!("--package={name}")).collect() };
    let (all, compiled) = (of(PUBLISHED), of(COMPILED));
    cmd!(shell, "cargo package --quiet --allow-dirty --no-verify {all...}").run()?;
    Ok(cmd!(shell, "cargo package --quiet --allow-dirty {compiled...}").run()?)
}
