//! The same bits elsewhere: the hashes of `lab/determinism` in WebAssembly. Its test compares those of a processor, emulated ones among them,
//! with the stored ones: docs/pages/determinism.md.

use anyhow::{Result, bail, ensure};
use xshell::{Shell, cmd};

use crate::{programs, setup, wasm};

const PACKAGE: &str = "evenstep-determinism";

/// The stored table, which the book includes.
const TABLE: &str = "stored/same-bits.md";

/// The page that says when the hashes were compared on emulated processors.
const PAGE: &str = "docs/pages/determinism.md";

/// The folder of the module and its JavaScript.
const FOLDER: &str = "target/same-bits";

/// Fails if hashes changed since they were compared on one of the three processors.
pub(crate) fn check_fresh(shell: &Shell) -> Result<()> {
    let digest = cmd!(shell, "git hash-object {TABLE}").quiet().read()?;
    let compared = shell.read_file(PAGE)?.matches(&digest[..8]).count();
    ensure!(
        compared == 3,
        "{PAGE}: only {compared} of three processors have the present hashes, of the digest {}; compare them as it says",
        &digest[..8]
    );
    Ok(())
}

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
