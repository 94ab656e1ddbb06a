//! What a run is shown as: data on standard output and in files, progress on standard error.

use std::io::{self, Write};

use crate::failure::Failure;

pub(crate) mod charts;
pub(crate) mod csv;
pub(crate) mod document;
pub(crate) mod file;
pub(crate) mod map;
pub(crate) mod measured;
#[cfg(test)]
pub(crate) mod picture;
pub(crate) mod progress;
pub(crate) mod report;
pub(crate) mod screen;
pub(crate) mod summary;
pub(crate) mod table;
#[cfg(feature = "parquet")]
pub(crate) mod tables;
pub(crate) mod terminal;

/// Anything as JSON, to be said.
pub(crate) fn json(value: &impl serde::Serialize) -> Result<String, Failure> {
    let json = serde_json::to_string_pretty(value).map_err(|error| Failure::Run(error.to_string()))?;
    Ok(json + "\n")
}

/// Writes to standard output.
pub(crate) fn say(text: &str) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    said(output.write_all(text.as_bytes()).and_then(|()| output.flush()))
}

/// What came of writing to standard output. A reader that has seen enough is no failure.
pub(crate) fn said(written: io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Run(format!(
            "standard output: cannot be written: {}; send it somewhere else",
            error.kind()
        ))),
        _ => Ok(()),
    }
}
