//! From the command line to the exit code.

use std::process::ExitCode;

use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::failure::{self, Failure};

/// The commands of the lab's program, so that whoever looks for them here is told where they are.
const OF_THE_LAB: [&str; 11] = [
    "bisect",
    "cameras",
    "duel",
    "filters",
    "replay",
    "run",
    "scenes",
    "serve",
    "smoothing",
    "ticks",
    "verify",
];

/// Reads the command line and carries it out; says on standard error, in one line, why that failed.
pub fn run<Line: Parser>(carry_out: impl FnOnce(Line) -> Result<ExitCode, Failure>) -> ExitCode {
    failure::set_program(Line::command().get_name());
    parse().and_then(carry_out).unwrap_or_else(Failure::report)
}

/// Reads the command line. Where it asks for help, that is printed and the command ends.
fn parse<Line: Parser>() -> Result<Line, Failure> {
    Line::try_parse().map_err(|error| {
        let is_help = error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
        if error.use_stderr() && error.exit_code() == 2 && !is_help {
            one_line(&error)
        } else {
            error.exit()
        }
    })
}

/// What clap says in several lines.
fn one_line(error: &clap::Error) -> Failure {
    let text = error.to_string();
    let words = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let said: Vec<&str> = words.take_while(|line| !line.starts_with("Usage:")).collect();
    let said = said.join(" ");
    let said = said.strip_prefix("error: ").unwrap_or(&said);
    let said = said.trim_end_matches("For more information, try '--help'.").trim_end();
    let program = failure::program();
    let lab = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(name)) if program == "evenstep" && OF_THE_LAB.contains(&name.as_str()) => {
            format!("; the lab has it: cargo run --release -p evenstep-lab -- {name}")
        }
        _ => String::new(),
    };
    Failure::Usage(format!("{said}{lab}; see {program} --help"))
}
