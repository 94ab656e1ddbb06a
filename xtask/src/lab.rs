//! `cargo lab`: builds and serves the page.

use std::path::Path;

use anyhow::Result;
use xshell::Shell;

use crate::stages::Stages;
use crate::{page, programs};

/// Builds the page and the book, and serves them until interrupted.
pub(crate) fn run(shell: &Shell) -> Result<()> {
    println!("lab: builds the page and the book, then serves them here.");
    println!("lab: the first time takes about four minutes on two cores, later ones seconds.");
    let stages = Stages::of("lab");
    page::build(shell, Path::new(page::OUT), programs::build_writers, &stages)?;
    stages.print();
    println!("lab: open the address below; the book is at /book/. Ctrl-C stops the lab.");
    page::serve(shell, Path::new(page::OUT))
}
