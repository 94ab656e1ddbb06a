//! The published crates of the workspace.

use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::Value;
use xshell::{Shell, cmd};

use crate::built::built;
use crate::packages;

/// The version of all packages, also of this one.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The names of the published crates: each after those that it needs.
pub(super) fn published(shell: &Shell) -> Result<Vec<String>> {
    let mut left: Vec<_> = packages::of_workspace(shell)?
        .into_iter()
        .filter(|package| package["publish"].is_null())
        .collect();
    let mut order = Vec::new();
    while !left.is_empty() {
        let is_left = |dependency: &Value| {
            dependency["kind"] != "dev" && left.iter().any(|package| package["name"] == dependency["name"])
        };
        let needs = |package: &&Value| {
            package["dependencies"]
                .as_array()
                .is_some_and(|all| all.iter().any(is_left))
        };
        let next = left.iter().position(|package| !needs(&package));
        let next = left.remove(next.context("published crates need each other")?);
        order.push(name(&next)?);
    }
    Ok(order)
}

fn name(package: &Value) -> Result<String> {
    Ok(package["name"].as_str().context("a package has a name")?.to_owned())
}

/// Packs all published crates.
pub(super) fn pack(shell: &Shell, options: &[&str]) -> Result<()> {
    let others = packages::of_workspace(shell)?;
    let others = others.iter().filter(|package| !package["publish"].is_null());
    let others = others.map(name).collect::<Result<Vec<_>>>()?;
    let exclude = others.iter().flat_map(|name| ["--exclude", name]);
    Ok(cmd!(shell, "cargo package --quiet --workspace {exclude...} {options...}").run()?)
}

/// The folder into which cargo has unpacked a packed crate to compile it.
pub(super) fn unpacked(name: &str) -> Result<PathBuf> {
    built(&format!("package/{name}-{VERSION}"))
}
