//! The lab's command: plays the demonstration scenes, and compares delta filters.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use evenstep_cli::command_line;

mod filters;
mod run;
mod scenes;

/// Plays the demonstration scenes, and compares delta filters.
#[derive(Parser)]
#[command(name = "evenstep-lab", version, arg_required_else_help = true)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a scene on the frames of a display; measure how even its steps and how smooth its drawn frames are.
    Run(Box<run::Arguments>),
    /// List the scenes and their settings.
    Scenes,
    /// Compare delta filters on displays whose true frame times are known.
    Filters(filters::Arguments),
}

fn main() -> ExitCode {
    command_line::run(|line: CommandLine| match line.command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Scenes => scenes::list(),
        Command::Filters(arguments) => filters::filters(&arguments),
    })
}
