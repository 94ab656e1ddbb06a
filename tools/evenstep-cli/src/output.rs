//! Data on standard output and in files, progress on standard error.

use std::io::{self, Write};

use crate::failure::{Failure, printable};

pub(crate) mod analysis;
pub(crate) mod charts;
pub(crate) mod html;
pub(crate) mod output_file;
pub(crate) mod progress;
pub(crate) mod terminal;
pub(crate) mod watch_screen;

/// A value as JSON text.
pub(crate) fn json(value: &impl serde::Serialize) -> Result<String, Failure> {
    let json = serde_json::to_string_pretty(value).map_err(|error| Failure::Run(error.to_string()))?;
    // Those that JSON escapes in any case are escaped already.
    let escape = |char: char| match char.is_control() && char != '\n' {
        true => format!("\\u{:04x}", u32::from(char)),
        false => char.to_string(),
    };
    Ok(json.chars().map(escape).collect::<String>() + "\n")
}

/// Writes to standard output, without control characters.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let (text, mut output) = (printable(text), io::stdout().lock());
    check_written(output.write_all(text.as_bytes()).and_then(|()| output.flush()))
}

/// Turns a failure to write to standard output into an error. A closed pipe is no failure.
pub(crate) fn check_written(written: io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Run(format!(
            "standard output: cannot be written: {}; send it somewhere else",
            error.kind()
        ))),
        _ => Ok(()),
    }
}
