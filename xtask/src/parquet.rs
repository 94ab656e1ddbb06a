//! The tables of `evenstep analyze --parquet`, read by programs that are not ours.

use anyhow::{Context, Result};
use xshell::{Shell, cmd};

use crate::{programs, setup};

/// Where Python's packages for it are installed.
const VENV: &str = "target/parquet/venv";

/// What reads the tables, and which packages it needs.
const CHECK: &str = "crates/evenstep-cli/tests/tables";

/// The page of the book with the queries.
const PAGE: &str = "docs/pages/tables.md";

/// Asks DuckDB, DataFusion, Polars and pyarrow what is in the tables, and compares the answers with the command's own.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    let make = || cmd!(shell, "python3 -m venv --clear {VENV}").quiet().run();
    if make().is_err() {
        setup::debian(shell, &["python3", "python3-venv"]).context("Python is missing; install python3 with venv")?;
        make()?;
    }
    cmd!(
        shell,
        "{VENV}/bin/python -m pip install --quiet --disable-pip-version-check --requirement {CHECK}/requirements.txt"
    )
    .run()?;
    programs::build(shell)?;
    Ok(cmd!(shell, "{VENV}/bin/python {CHECK}/check.py target/debug/evenstep {PAGE}").run()?)
}
