//! The lab's command: plays the demonstration scenes, and evaluates evenstep's own rules.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::Parser;
use evenstep_cli::command_line;

mod commands;
mod duel;
mod run_output;
mod scene_failure;
mod simulation;
#[cfg(test)]
#[path = "../../../tools/evenstep-cli/src/output/terminal_svg.rs"]
mod terminal_svg;

/// Plays the demonstration scenes, and evaluates evenstep's own rules.
#[derive(Parser)]
#[command(name = "evenstep-lab", version, arg_required_else_help = true)]
struct CommandLine {
    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> ExitCode {
    command_line::run(|line: CommandLine| line.command.run())
}
