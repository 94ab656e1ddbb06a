//! The `evenstep` command: reads, measures and compares recordings of frame times.
//!
//! This is a library only so that the lab's command can use the same output and errors. Its interface may change at any
//! time. It depends on no physics engine and has no scenes.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::Parser;

pub mod command_line;
mod commands;
pub mod failure;
mod input;
mod interrupt;
pub mod output;
pub mod values;

/// Measures and compares recordings of frame times.
#[derive(Parser)]
#[command(name = "evenstep", version, arg_required_else_help = true)]
struct CommandLine {
    #[command(subcommand)]
    command: commands::Command,
}

/// Parses the command line, runs the command and returns its exit code.
#[must_use]
pub fn main() -> ExitCode {
    command_line::run(|line: CommandLine| line.command.run())
}
