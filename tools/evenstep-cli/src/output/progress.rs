//! Progress bars on standard error.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use evenstep_trace::TraceError;
use indicatif::{ProgressBar, ProgressStyle};

/// The smallest file that gets a progress bar, in bytes.
const LONG_FILE: u64 = 16 << 20;

/// Opens a file. Reading a large file shows a progress bar on standard error.
pub(crate) fn open(path: &Path) -> Result<Box<dyn Read>, TraceError> {
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
