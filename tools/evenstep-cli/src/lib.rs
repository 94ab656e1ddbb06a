//! The `evenstep` command: reads, measures and compares recordings of frame times.
//!
//! A library only so that the lab's command can use the same output, errors and signals; it makes no promise to others. It
//! knows no engine and no scene.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::Parser;

pub mod command_line;
mod commands;
pub mod failure;
pub mod interrupt;
pub mod live_loop;
pub mod output;
pub mod values;

/// Measures and compares recordings of frame times.
#[derive(Parser)]
#[command(name = "evenstep", version, arg_required_else_help = true)]
struct CommandLine {
    #[command(subcommand)]
    command: commands::Command,
}

/// The command, from its command line to its exit code.
#[must_use]
pub fn main() -> ExitCode {
    command_line::run(|line: CommandLine| line.command.run())
}
