//! What the arguments of several commands have in common.

use std::path::{Path, PathBuf};
use std::time::Duration;

use evenstep_scenes::hockey::Level;
use evenstep_trace::BadRows;

/// What `--lenient` makes of rows that cannot be read.
pub(crate) fn rows(lenient: bool) -> BadRows {
    if lenient { BadRows::Skip } else { BadRows::Fail }
}

/// The file that a setting of a scene names.
pub(crate) fn level_file(key: &str, value: &str) -> Option<PathBuf> {
    Level::file(value).filter(|_| key == "level").map(Path::to_owned)
}

/// A time in seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    positive(text, 1.0, "seconds")
}

/// A time in milliseconds.
pub(crate) fn milliseconds(text: &str) -> Result<Duration, String> {
    positive(text, 1e-3, "milliseconds")
}

/// So many of a hundred, of which some are left.
pub(crate) fn percent(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| *number <= 90);
    number.ok_or_else(|| "is not a whole number from 0 to 90".to_owned())
}

fn positive(text: &str, unit: f64, name: &str) -> Result<Duration, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number > 0.0);
    number
        .and_then(|number| Duration::try_from_secs_f64(number * unit).ok())
        .ok_or_else(|| format!("is not a number of {name} above zero"))
}
