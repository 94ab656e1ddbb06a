//! What cargo tells about packages.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;
use xshell::{Shell, cmd};

/// The packages of the workspace, in the form of `cargo metadata`.
pub(crate) fn of_workspace(shell: &Shell) -> Result<Vec<Value>> {
    metadata(shell, &["--no-deps"])
}

/// The folder of a dependency of the workspace.
pub(crate) fn folder(shell: &Shell, name: &str) -> Result<PathBuf> {
    let packages = metadata(shell, &[])?;
    let package = packages.iter().find(|package| package["name"] == name);
    Ok(package
        .and_then(folder_of)
        .with_context(|| format!("no package {name} is among the dependencies"))?
        .to_owned())
}

/// The folder of a package.
pub(crate) fn folder_of(package: &Value) -> Option<&Path> {
    Path::new(package["manifest_path"].as_str()?).parent()
}

/// The profiles of the workspace, for the manifest of another one whose dependencies are compiled as here.
pub(crate) fn profiles(shell: &Shell) -> Result<String> {
    let manifest = shell.read_file("Cargo.toml")?;
    let at = manifest.find("[profile.").context("Cargo.toml has profiles")?;
    Ok(manifest[at..].to_owned())
}

fn metadata(shell: &Shell, options: &[&str]) -> Result<Vec<Value>> {
    let metadata = cmd!(shell, "cargo metadata --format-version 1 {options...}")
        .quiet()
        .read()?;
    let mut metadata: Value = serde_json::from_str(&metadata)?;
    serde_json::from_value(metadata["packages"].take()).context("cargo metadata has packages")
}
