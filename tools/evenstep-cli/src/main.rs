//! The `evenstep` command.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::Parser;

mod commands;
mod duel;
mod failure;
mod interrupt;
mod output;
mod simulation;

use commands::Command;
use failure::Failure;

/// Fixed-timestep simulation: real frame times in, even steps and smooth pictures out.
#[derive(Parser)]
#[command(name = "evenstep", version, arg_required_else_help = true)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    parse().and_then(Command::run).unwrap_or_else(Failure::report)
}

/// Reads the command line. Where it asks for help, that is printed and the command ends.
fn parse() -> Result<Command, Failure> {
    match CommandLine::try_parse() {
        Ok(line) => Ok(line.command),
        Err(error) if error.use_stderr() && error.exit_code() == 2 && !is_help(&error) => Err(one_line(&error)),
        Err(error) => error.exit(),
    }
}

fn is_help(error: &clap::Error) -> bool {
    error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
}

/// What clap says in several lines.
fn one_line(error: &clap::Error) -> Failure {
    let text = error.to_string();
    let words = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let said: Vec<&str> = words.take_while(|line| !line.starts_with("Usage:")).collect();
    let said = said.join(" ");
    let said = said.strip_prefix("error: ").unwrap_or(&said);
    let said = said.trim_end_matches("For more information, try '--help'.").trim_end();
    Failure::Usage(format!("{said}; see evenstep --help"))
}
