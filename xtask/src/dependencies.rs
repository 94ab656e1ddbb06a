//! Checks the licences and versions of all dependencies with cargo-deny, and finds their folders.

use std::path::PathBuf;

use anyhow::{Context, Result};
use xshell::{Shell, cmd};

use crate::built::built;

const VERSION: &str = "0.20.2";

/// A step of `cargo ci`: fails if a licence is not in `deny.toml`, or if there are two versions of a crate without a reason there.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    let version_of = |program: &str| {
        let version = cmd!(shell, "{program} --version").quiet().ignore_stderr();
        version.read().unwrap_or_default()
    };
    let tools = built("tools")?;
    let own = tools.join("bin/cargo-deny").display().to_string();
    let installed = ["cargo-deny", &own]
        .into_iter()
        .find(|program| version_of(program).starts_with("cargo-deny "));
    let program = match installed {
        Some(program) => program,
        // It runs for a second only, and compiles in half the time without optimisation.
        None => {
            let install = cmd!(
                shell,
                "cargo install cargo-deny --version {VERSION} --locked --no-default-features --debug --root {tools}"
            );
            let install = install.env("CARGO_PROFILE_DEV_DEBUG", "0");
            install.run().context("cargo-deny cannot be installed")?;
            &own
        }
    };
    Ok(cmd!(shell, "{program} --workspace check licenses bans sources").run()?)
}

/// The folder of a dependency of the workspace, which ends with its name and version.
pub(crate) fn folder(shell: &Shell, name: &str) -> Result<PathBuf> {
    let metadata = cmd!(shell, "cargo metadata --format-version 1").quiet().read()?;
    let manifests = metadata.split("\"manifest_path\":\"").skip(1);
    let mut folders = manifests.filter_map(|rest| rest.split("/Cargo.toml\"").next());
    let is_it = |folder: &&str| {
        let version = folder
            .rsplit('/')
            .next()
            .and_then(|last| last.strip_prefix(name)?.strip_prefix('-'));
        version.is_some_and(|version| version.starts_with(|first: char| first.is_ascii_digit()))
    };
    let folder = folders.find(is_it).map(PathBuf::from);
    folder.with_context(|| format!("no package {name} is among the dependencies"))
}
