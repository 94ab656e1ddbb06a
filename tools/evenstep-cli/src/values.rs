//! Parsers of argument values that several commands share.

use std::time::Duration;

use evenstep_trace::BadRows;

/// The handling of unreadable rows that `--lenient` selects.
pub(crate) fn rows(lenient: bool) -> BadRows {
    if lenient { BadRows::Skip } else { BadRows::Fail }
}

/// A time in seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    positive(text, 1.0, "seconds")
}

/// A time in milliseconds.
pub fn milliseconds(text: &str) -> Result<Duration, String> {
    positive(text, 1e-3, "milliseconds")
}

fn positive(text: &str, unit: f64, name: &str) -> Result<Duration, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number > 0.0);
    number
        .and_then(|number| Duration::try_from_secs_f64(number * unit).ok())
        .ok_or_else(|| format!("is not a number of {name} above zero"))
}
