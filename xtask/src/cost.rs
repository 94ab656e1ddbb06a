//! How costs grow with work.

use std::path::Path;

use anyhow::Result;
use xshell::{Shell, cmd};

use crate::page;

/// Where the page's figures go, and where the bench looks for them.
const OF_PAGE: &str = "target/cost/page.csv";

/// Measures the page, then what is native, and draws all of it.
pub(crate) fn measure(shell: &Shell) -> Result<()> {
    page::measure_cost(shell, Path::new(OF_PAGE))?;
    Ok(cmd!(shell, "cargo bench --quiet -p evenstep-benches --bench cost").run()?)
}
