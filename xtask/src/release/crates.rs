//! The published crates of the workspace.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;
use xshell::{Shell, cmd};

use crate::built::built;
use crate::packages;

/// The version of all packages, also of this one.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The names of the published crates: each after those that it needs.
pub(super) fn published(shell: &Shell) -> Result<Vec<String>> {
    let mut left = packages(shell)?;
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

/// The folders of the published crates.
pub(super) fn folders(shell: &Shell) -> Result<Vec<PathBuf>> {
    let packages = packages(shell)?;
    let folders = packages.iter().filter_map(packages::folder_of);
    Ok(folders.map(Path::to_owned).collect())
}

/// What cargo tells about the published crates.
fn packages(shell: &Shell) -> Result<Vec<Value>> {
    let mut packages = packages::of_workspace(shell)?;
    packages.retain(|package| package["publish"].is_null());
    Ok(packages)
}

/// Makes cargo forget the crates that it packed before: it takes a version for one that never changes, and would compile a crate with an older
/// package of another.
pub(super) fn forget(shell: &Shell) -> Result<()> {
    let home = shell.var("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|_| anyhow::Ok(PathBuf::from(shell.var("HOME")?).join(".cargo")))?;
    let names = published(shell)?;
    let entries = |folder: &Path| shell.read_dir(folder).unwrap_or_default();
    // The folder of a registry in a folder begins with a dash, because it has no host.
    let sources = entries(&home.join("registry/src")).into_iter();
    for source in sources.filter(|folder| has_name(folder, |name| name.starts_with('-'))) {
        for name in &names {
            shell.remove_path(source.join(format!("{name}-{VERSION}")))?;
        }
    }
    for unit in entries(&built("debug/.fingerprint")?) {
        let is_ours = |unit: &str| {
            names
                .iter()
                .any(|name| unit.rsplit_once('-').is_some_and(|(of, _)| of == name))
        };
        if has_name(&unit, is_ours) {
            shell.remove_path(unit)?;
        }
    }
    Ok(())
}

fn has_name(path: &Path, is_it: impl Fn(&str) -> bool) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(is_it)
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
