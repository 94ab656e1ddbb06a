//! Builds the workspace. Clippy's driver compiles our own packages: any warning is an error, and no dependency is checked a second time, as
//! by `cargo clippy`.

use anyhow::Result;
use serde_json::Value;
use xshell::{Cmd, Shell, cmd};

use crate::packages;

/// The package that the steps of Python compile, with features of its own.
const PYTHON: &str = "evenstep-py";

/// The package whose only feature is left out: with it Bevy's renderer would be compiled.
const DRAWN: &str = "bevy_evenstep-windows";

/// A command of cargo, such as `test`, for the workspace with all features but that of [`DRAWN`]. Every step names the same packages and
/// features, so that each dependency is compiled once: for fewer packages, cargo would give dependencies other features.
pub(crate) fn workspace<'a>(shell: &'a Shell, subcommand: &str) -> Result<Cmd<'a>> {
    let features = features(&packages::of_workspace(shell)?);
    Ok(linted(cmd!(
        shell,
        "cargo {subcommand} --workspace --exclude {PYTHON} --no-default-features --features {features}"
    )))
}

/// Such a command for some packages of the workspace, in the form of `cargo metadata`; without any, `None`.
pub(crate) fn of_packages<'a>(shell: &'a Shell, subcommand: &str, packages: &[Value]) -> Option<Cmd<'a>> {
    let names = packages.iter().filter_map(|package| package["name"].as_str());
    let names: Vec<_> = names.filter(|name| *name != PYTHON).collect();
    let packages_of = names.iter().flat_map(|name| ["--package", name]);
    let features = features(packages);
    let command = linted(cmd!(
        shell,
        "cargo {subcommand} {packages_of...} --no-default-features --features {features}"
    ));
    (!names.is_empty()).then_some(command)
}

/// The features of packages, as `--features` takes them.
fn features(packages: &[Value]) -> String {
    let mut features = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        let own = package["features"].as_object().into_iter().flat_map(|own| own.keys());
        let own = own.filter(|_| ![PYTHON, DRAWN].contains(&name));
        features.extend(own.map(|feature| format!("{name}/{feature}")));
    }
    features.join(",")
}

/// The command with Clippy's driver in place of the compiler of our own packages, and with `-D warnings`, as `cargo clippy` would set it.
pub(crate) fn linted(command: Cmd<'_>) -> Cmd<'_> {
    command
        .env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver")
        .env("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings")
}

/// Builds every program, benchmarks included.
pub(crate) fn build(shell: &Shell) -> Result<()> {
    Ok(workspace(shell, "build")?
        .args(["--bins", "--examples", "--bench", "*"])
        .run()?)
}

/// Builds only the program that writes the JavaScript of a module.
pub(crate) fn build_bindings(shell: &Shell) -> Result<()> {
    Ok(cmd!(shell, "cargo build --quiet --package evenstep-bindings")
        .quiet()
        .run()?)
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
