//! `cargo lab`: the page, built and served.

use std::path::Path;

use anyhow::Result;
use xshell::{Shell, cmd};

use crate::page;

/// Builds the page and serves it until it is interrupted.
pub(crate) fn run(shell: &Shell) -> Result<()> {
    page::build(shell, Path::new(page::OUT))?;
    let page = page::OUT;
    cmd!(shell, "cargo run --release --quiet -p evenstep-cli -- lab {page}").run()?;
    Ok(())
}
