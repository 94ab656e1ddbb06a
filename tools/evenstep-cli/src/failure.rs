//! Errors of the commands, their messages and exit codes.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use evenstep_trace::TraceError;

/// Text in which control characters are escaped, except line ends: files and their names may hold codes that a terminal obeys.
pub(crate) fn printable(text: &str) -> String {
    let escape = |char: char| match char.is_control() && char != '\n' {
        true => char.escape_default().to_string(),
        false => char.to_string(),
    };
    text.chars().map(escape).collect()
}

/// Prints a message on standard error, in one line. A failure to do so is ignored.
pub(crate) fn warn(text: &str) {
    let line = printable(text).replace('\n', "\\n");
    let _ = writeln!(io::stderr(), "evenstep: {line}");
}

/// A short description of an operating system error.
pub(crate) fn reason(error: &io::Error) -> String {
    let kind = error.kind();
    match kind.to_string().as_str() {
        "uncategorized error" | "other error" => error.to_string(),
        known => known.to_owned(),
    }
}

/// The error of a command. Every message is one line.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The command line is invalid.
    #[error("{0}")]
    Usage(String),
    /// The command line is valid, but the command failed.
    #[error("{0}")]
    Run(String),
}

impl Failure {
    /// The error for an output that cannot be written.
    pub(crate) fn unwritable(path: &Path, option: &str, error: &io::Error) -> Self {
        use io::ErrorKind::{FileTooLarge, InvalidFilename, IsADirectory, QuotaExceeded, StorageFull};
        let (path, kind) = (path.display(), error.kind());
        let mend = match kind {
            StorageFull | QuotaExceeded | FileTooLarge => "make room, or choose a file on another disk",
            IsADirectory => "give the name of a file in it",
            InvalidFilename => "give it a shorter name",
            _ => "choose a file in a folder that exists and is yours",
        };
        let reason = reason(error);
        Self::Run(format!("{path}: {option}: cannot be written: {reason}; {mend}"))
    }

    /// The failure of a command whose exit code 1 is a verdict: what it cannot read is code 2.
    pub(crate) fn into_unreadable(self) -> Self {
        match self {
            Self::Run(text) | Self::Usage(text) => Self::Usage(text),
        }
    }

    /// Prints the message on standard error, and returns the exit code.
    pub(crate) fn report(self) -> ExitCode {
        warn(&self.to_string());
        match self {
            Self::Run(_) => ExitCode::from(1),
            Self::Usage(_) => ExitCode::from(2),
        }
    }
}

impl From<TraceError> for Failure {
    fn from(error: TraceError) -> Self {
        Self::Run(error.to_string())
    }
}
