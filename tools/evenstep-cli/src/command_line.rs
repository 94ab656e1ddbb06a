//! Help, and the errors of the command line.

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::error::ErrorKind;

use crate::failure::Failure;
use crate::output;

/// Prints the requested help, or returns the error of the command line.
pub(crate) fn help(error: &clap::Error) -> Result<ExitCode, Failure> {
    let is_help = error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if error.use_stderr() && !is_help {
        return Err(one_line(error));
    }
    let printed = error.print().and_then(|()| io::stdout().flush());
    // A failure to write to standard error cannot be reported there.
    if !error.use_stderr() {
        output::check_written(printed)?;
    }
    Ok(u8::try_from(error.exit_code()).unwrap_or(2).into())
}

/// Joins the lines of Clap's message into one.
fn one_line(error: &clap::Error) -> Failure {
    let text = error.to_string();
    let words = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let message: Vec<&str> = words.take_while(|line| !line.starts_with("Usage:")).collect();
    let message = message.join(" ");
    let message = message.strip_prefix("error: ").unwrap_or(&message);
    let message = message
        .trim_end_matches("For more information, try '--help'.")
        .trim_end();
    Failure::Usage(format!("{message}; see evenstep --help"))
}
