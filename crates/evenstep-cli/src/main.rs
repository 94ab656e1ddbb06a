//! The `evenstep` command.
#![forbid(unsafe_code)]

use std::io::{self, Write as _};
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
    run().unwrap_or_else(Failure::report)
}

/// Carries out the command line. Where it asks for help, that is printed.
fn run() -> Result<ExitCode, Failure> {
    let error = match CommandLine::try_parse() {
        Ok(line) => return line.command.run(),
        Err(error) => error,
    };
    if error.use_stderr() && !is_help(&error) {
        return Err(one_line(&error));
    }
    let printed = error.print().and_then(|()| io::stdout().flush());
    // What cannot be said on standard error cannot be reported there either.
    if !error.use_stderr() {
        output::said(printed)?;
    }
    Ok(u8::try_from(error.exit_code()).unwrap_or(2).into())
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
