//! The project's own commands: `cargo ci`, `cargo lab` and `cargo xtask …`.

use anyhow::Result;
use clap::Parser;
use xshell::Shell;

mod ci;
mod lab;

/// Commands for those who work on evenstep.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Command {
    /// Run everything that must pass before a change lands: formatting, lints, tests, documentation, fuzzing.
    Ci(ci::Options),
    /// Run the default scene and write its report.
    Lab,
}

fn main() -> Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    match Command::parse() {
        Command::Ci(options) => ci::run(&shell, &options),
        Command::Lab => lab::run(&shell),
    }
}
