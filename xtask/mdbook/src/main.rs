//! Writes a book with mdBook: `evenstep-mdbook SOURCE OUT`. It uses mdBook's library, which shares its dependencies with our other
//! programs. Installed as a program, mdBook would compile them a second time.

use std::io;

use anyhow::{Context, Result, bail};
use mdbook_driver::MDBook;
use tracing_subscriber::filter::LevelFilter;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [source, out] = &arguments[..] else {
        bail!("usage: evenstep-mdbook SOURCE OUT");
    };
    // mdBook logs its complaints.
    tracing_subscriber::fmt()
        .with_max_level(LevelFilter::WARN)
        .without_time()
        .with_writer(io::stderr)
        .init();
    let mut book = MDBook::load(source)?;
    book.config.build.build_dir = std::path::absolute(out)?;
    book.build()
        .with_context(|| format!("cannot write the book of {source}"))
}
