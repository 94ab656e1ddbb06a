//! Builds the workspace. Clippy's driver compiles our own packages: any warning is an error, and no dependency is checked a second time, as
//! by `cargo clippy`.

use anyhow::Result;
use xshell::{Cmd, Shell, cmd};

/// The packages with Bevy: the plugin, plugins by others beside it, its programs in windows, and benchmarks beside one of those plugins.
pub(crate) const BEVY: [&str; 4] = [
    "bevy_evenstep",
    "bevy_evenstep-partners",
    "bevy_evenstep-windows",
    "evenstep-benches",
];

/// The options with which [`BEVY`] is compiled: the same in every command, so that Bevy is compiled once, without its renderer.
pub(crate) const BEVYS_FEATURES: [&str; 3] = [
    "--no-default-features",
    "--features",
    "bevy_evenstep/diagnostics,bevy_evenstep/trace",
];

/// A command of cargo, such as `test`, for the workspace with all features, without what other steps of `cargo ci` compile: [`BEVY`] takes
/// minutes, and Python's package has features of its own. Every step names the same packages: for fewer, cargo would give dependencies other
/// features and compile them again.
pub(crate) fn workspace<'a>(shell: &'a Shell, subcommand: &str) -> Cmd<'a> {
    let others = BEVY.iter().chain(&["evenstep-py"]);
    let exclude = others.flat_map(|name| ["--exclude", name]);
    linted(cmd!(
        shell,
        "cargo {subcommand} --workspace {exclude...} --all-features"
    ))
}

/// A command that tests [`BEVY`].
pub(crate) fn test_bevy(shell: &Shell) -> Cmd<'_> {
    let packages = BEVY.iter().flat_map(|name| ["--package", name]).chain(BEVYS_FEATURES);
    linted(cmd!(shell, "cargo test --no-fail-fast {packages...}"))
}

/// The command with Clippy's driver in place of the compiler of our own packages, and with `-D warnings`, as `cargo clippy` would set it.
pub(crate) fn linted(command: Cmd<'_>) -> Cmd<'_> {
    command
        .env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver")
        .env("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings")
}

/// Builds every program, benchmarks included.
pub(crate) fn build(shell: &Shell) -> Result<()> {
    Ok(workspace(shell, "build")
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
