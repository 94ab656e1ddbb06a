//! `cargo lab`: the page, built and served.

use std::path::Path;

use anyhow::Result;
use xshell::{Shell, cmd};

use crate::page;

/// Builds the page and the book and serves them until it is interrupted.
pub(crate) fn run(shell: &Shell) -> Result<()> {
    println!("lab: builds the page and the book, then serves them here.");
    println!("lab: the first time takes four to eight minutes on two cores, later ones seconds.");
    page::build(shell, Path::new(page::OUT))?;
    println!("lab: building the server");
    // Without engines, which take long to compile: it has only to serve.
    cmd!(
        shell,
        "cargo build --package evenstep-cli --no-default-features --features lab"
    )
    .run()?;
    println!("lab: open the address below; the book is at /book/. Ctrl-C stops the lab.");
    let page = page::OUT;
    Ok(cmd!(shell, "target/debug/evenstep lab {page}").quiet().run()?)
}
