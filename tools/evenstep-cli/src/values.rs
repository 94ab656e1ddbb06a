//! Parsers of argument values that several commands share.

use std::time::Duration;

use evenstep_trace::BadRows;

/// The handling of unreadable rows that `--lenient` selects.
pub(crate) fn rows(lenient: bool) -> BadRows {
    if lenient { BadRows::Skip } else { BadRows::Fail }
}

/// A time in seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let time = text
        .parse()
        .ok()
        .and_then(|number| Duration::try_from_secs_f64(number).ok());
    time.ok_or_else(|| "is not a number of seconds".to_owned())
}

/// A time in seconds that is not zero.
pub(crate) fn seconds_above_zero(text: &str) -> Result<Duration, String> {
    let time = seconds(text).ok().filter(|time| !time.is_zero());
    time.ok_or_else(|| "is not a number of seconds above zero".to_owned())
}
