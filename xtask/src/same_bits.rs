//! The same bits in WebAssembly: runs `lab/determinism` there, and compares its hashes with the stored ones. A test of that package compares
//! this machine's.

use anyhow::{Result, bail};
use xshell::{Shell, cmd};

use crate::{programs, setup, wasm};

const PACKAGE: &str = "evenstep-determinism";

/// The stored table, which the book includes.
const TABLE: &str = "stored/same-bits.md";

/// The folder of the module and its JavaScript.
const FOLDER: &str = "target/same-bits";

/// Stores the hashes of this machine.
pub(crate) fn store(shell: &Shell) -> Result<()> {
    let table = cmd!(shell, "cargo run --quiet --package {PACKAGE}").read()?;
    Ok(shell.write_file(TABLE, table + "\n")?)
}

/// The step of `cargo ci`, with the engine that is compiled for the page.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    setup::node(shell)?;
    programs::build(shell)?;
    let module = wasm::compile(shell, PACKAGE, "determinism", "rapier2d")?;
    wasm::bind(shell, &module, "determinism", FOLDER)?;
    let table = cmd!(shell, "node lab/determinism/run.mjs {FOLDER}").quiet().read()?;
    let stored = shell.read_file(TABLE)?;
    if let Some(row) = table.lines().find(|row| !stored.contains(row)) {
        bail!("not the same bits: WebAssembly has the row {row}, which {TABLE} has not");
    }
    println!("the {} lines of WebAssembly are the stored ones", table.lines().count());
    Ok(())
}
