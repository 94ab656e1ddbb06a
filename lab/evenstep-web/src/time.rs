//! Times from the browser.

use std::time::Duration;

/// A time in milliseconds from the browser. An invalid time counts as zero.
pub(crate) fn duration(milliseconds: f64) -> Duration {
    Duration::try_from_secs_f64(milliseconds / 1e3).unwrap_or_default()
}
