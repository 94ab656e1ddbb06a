//! The project's own commands: `cargo ci`, `cargo lab` and `cargo xtask …`.

use anyhow::Result;
use clap::Parser;
use xshell::Shell;

mod api;
mod bless;
mod book;
mod built;
mod c;
mod ci;
mod commands;
mod ggrs;
mod instructions;
mod links;
mod lua;
mod npm;
mod oldest_rust;
mod packages;
mod page;
mod page_code;
mod platforms;
mod processor;
mod programs;
mod python;
mod recordings;
mod release;
mod same_bits;
mod setup;
mod snippets;
mod wasm;
mod workflows;

/// Commands for contributors to evenstep.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Command {
    /// Run the checks of a change: the quick tier, or with --all everything that must pass before it lands.
    Ci(ci::Options),
    /// Install what `cargo ci --all` needs: the Debian packages of .ci/packages, and by rustup the oldest compiler that a package names.
    Setup,
    /// Regenerate the stored figures and texts: the folder stored/ and the terminal figures of the book.
    Bless(bless::Options),
    /// Build the page and the book, serve them and print the address.
    Lab,
    /// Write the page and the book as static files, for any web server.
    Page(page::Options),
    /// Write the book alone, into target/book.
    Book,
    /// Count the instructions of the work of a frame and compare them with stored counts.
    Instructions,
    /// Install the oldest Rust that the manifest of each package for users names, and compile a project with the package by it.
    OldestRust,
    /// Pack what is published, and compare or rewrite it.
    Release(release::Options),
    /// Measure the page for docs/pages/benchmarks.md, and take the picture of its first view.
    MeasurePage,
}

fn main() -> Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    match Command::parse() {
        Command::Ci(options) => ci::run(&shell, &options),
        Command::Setup => setup::run(&shell),
        Command::Bless(options) => bless::run(&shell, &options),
        Command::Lab => page::lab(&shell),
        Command::Page(options) => page::run(&shell, &options),
        Command::Book => book::run(&shell),
        Command::Instructions => instructions::check(&shell),
        Command::OldestRust => {
            setup::compilers(&shell, usize::MAX)?;
            oldest_rust::run(&shell)
        }
        Command::Release(options) => release::run(&shell, &options),
        Command::MeasurePage => page::measure(&shell),
    }
}
