//! Measures how costs grow with work.

use std::path::Path;

use anyhow::Result;
use xshell::{Shell, cmd};

use crate::page;

/// The file with the page's figures, which the bench reads.
const OF_PAGE: &str = "target/cost/page.csv";

/// Measures the page, then the native code, and draws charts of both.
pub(crate) fn measure(shell: &Shell) -> Result<()> {
    page::measure_cost(shell, Path::new(OF_PAGE))?;
    Ok(cmd!(shell, "cargo bench --quiet -p evenstep-benches --bench cost").run()?)
}
