//! The `evenstep` command: reads, measures and compares recordings of frame times.
//!
//! It is a program. The library is that of its tests and benchmarks, and makes no promise.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::Parser;

mod command_line;
mod commands;
mod failure;
mod input;
mod interrupt;
mod output;
#[cfg(target_os = "linux")]
pub mod proxy;
mod values;

/// Measures and compares recordings of frame times.
#[derive(Parser)]
#[command(name = "evenstep", version, arg_required_else_help = true)]
struct CommandLine {
    #[command(subcommand)]
    command: commands::Command,
}

/// Parses the command line, runs the command and returns its exit code. A failure is printed on standard error, in one line.
#[must_use]
pub fn main() -> ExitCode {
    match CommandLine::try_parse() {
        Ok(line) => interrupt::install_handlers().and_then(|()| line.command.run()),
        Err(error) => command_line::help(&error),
    }
    .unwrap_or_else(failure::Failure::report)
}
