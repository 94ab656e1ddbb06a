//! Progress bars on standard error.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use evenstep_trace::TraceError;
use indicatif::{ProgressBar, ProgressStyle};

/// A progress bar on standard error for work that takes `total` of real time.
pub fn bar(total: Duration) -> ProgressBar {
    let millis = u64::try_from(total.as_millis()).unwrap_or(u64::MAX);
    let style = ProgressStyle::with_template("{wide_bar} {elapsed}").unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(millis).with_style(style)
}

/// Shows how much of the time has passed.
pub fn show(bar: &ProgressBar, elapsed: Duration) {
    bar.set_position(u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX));
}

/// The smallest file that gets a progress bar, in bytes.
const LONG_FILE: u64 = 16 << 20;

/// Opens a file. Reading a large file shows a progress bar on standard error.
pub fn open(path: &Path) -> Result<Box<dyn Read>, TraceError> {
    let unreadable = |source| TraceError::Unreadable {
        file: path.display().to_string(),
        source,
    };
    let file = File::open(path).map_err(unreadable)?;
    let length = file.metadata().map_err(unreadable)?.len();
    if length < LONG_FILE {
        return Ok(Box::new(file));
    }
    let style = ProgressStyle::with_template("{msg} {wide_bar} {bytes} of {total_bytes}, {eta} left");
    let bar = ProgressBar::new(length).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_message(path.display().to_string());
    Ok(Box::new(bar.wrap_read(file)))
}
