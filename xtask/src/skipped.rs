//! Steps that cannot run here.

use anyhow::Error;

/// The reason why a step was not run. `cargo ci` distinguishes it from a failure.
#[derive(Debug)]
pub(crate) struct Skipped(String);

impl std::fmt::Display for Skipped {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Skipped {}

/// The error that ends a step because a tool or file is missing. The text names it and says how to get it.
pub(crate) fn skip(reason: impl Into<String>) -> Error {
    Skipped(reason.into()).into()
}
