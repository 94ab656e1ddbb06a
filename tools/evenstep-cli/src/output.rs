//! Data on standard output and in files, progress on standard error.

use std::io::{self, Write};
use std::time::Duration;

use indicatif::ProgressBar;

use crate::failure::{Failure, printable};

pub(crate) mod analysis;
pub(crate) mod charts;
pub(crate) mod html;
pub mod output_file;
pub(crate) mod terminal;
#[cfg(test)]
pub(crate) mod terminal_svg;
pub(crate) mod watch_screen;

/// A value as JSON text.
pub fn json(value: &impl serde::Serialize) -> Result<String, Failure> {
    let json = serde_json::to_string_pretty(value).map_err(|error| Failure::Run(error.to_string()))?;
    // Those that JSON escapes in any case are escaped already.
    let escape = |char: char| match char.is_control() && char != '\n' {
        true => format!("\\u{:04x}", u32::from(char)),
        false => char.to_string(),
    };
    Ok(json.chars().map(escape).collect::<String>() + "\n")
}

/// Writes to standard output, without control characters.
pub fn print(text: &str) -> Result<(), Failure> {
    let (text, mut output) = (printable(text), io::stdout().lock());
    check_written(output.write_all(text.as_bytes()).and_then(|()| output.flush()))
}

/// Shows on a terminal that the command works, until the returned value is dropped.
pub(crate) fn working(what: &'static str) -> impl Drop {
    /// How often the sign changes.
    const INTERVAL: Duration = Duration::from_millis(200);
    struct Shown(ProgressBar);
    impl Drop for Shown {
        fn drop(&mut self) {
            self.0.finish_and_clear();
        }
    }
    let bar = ProgressBar::new_spinner().with_message(what);
    bar.enable_steady_tick(INTERVAL);
    Shown(bar)
}

/// Turns a failure to write to standard output into an error. A closed pipe is no failure.
pub fn check_written(written: io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Run(format!(
            "standard output: cannot be written: {}; send it somewhere else",
            error.kind()
        ))),
        _ => Ok(()),
    }
}

/// Unwraps the operating system's error from a CSV error, so that its kind is known.
pub fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        kind => io::Error::other(format!("{kind:?}")),
    }
}
