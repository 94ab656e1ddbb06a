//! Builds the workspace. Clippy's driver compiles our own packages: any warning is an error, and no dependency is checked a second time, as
//! by `cargo clippy`.

use anyhow::Result;
use serde_json::Value;
use xshell::{Cmd, Shell, cmd};

use crate::packages;

/// The package that the steps of Python compile, with features of its own.
pub(crate) const PYTHON: &str = "evenstep-py";

/// The package whose only feature is left out: with it Bevy's renderer would be compiled.
const DRAWN: &str = "bevy_evenstep-windows";

/// A command of cargo, such as `test`, for the workspace without [`PYTHON`]. Every step names the same packages and features, so that each
/// dependency is compiled once: for fewer packages, cargo would give dependencies other features.
pub(crate) fn workspace<'a>(shell: &'a Shell, subcommand: &str) -> Result<Cmd<'a>> {
    let mut packages = packages::of_workspace(shell)?;
    packages.retain(|package| package["name"] != PYTHON);
    Ok(of_packages(shell, subcommand, &packages))
}

/// Such a command for these packages, in the form of `cargo metadata`, with all features but that of [`DRAWN`].
pub(crate) fn of_packages<'a>(shell: &'a Shell, subcommand: &str, packages: &[Value]) -> Cmd<'a> {
    let (mut names, mut features) = (Vec::new(), Vec::new());
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        names.extend(["--package", name]);
        let own = package["features"].as_object().into_iter().flat_map(|own| own.keys());
        let own = own.filter(|_| name != DRAWN);
        features.extend(own.map(|feature| format!("{name}/{feature}")));
    }
    let features = features.join(",");
    linted(cmd!(
        shell,
        "cargo {subcommand} {names...} --no-default-features --features {features}"
    ))
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
