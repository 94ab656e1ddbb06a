use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar on standard error for work that takes `total` of real time.
pub(crate) fn bar(total: Duration) -> ProgressBar {
    let millis = u64::try_from(total.as_millis()).unwrap_or(u64::MAX);
    let style = ProgressStyle::with_template("{wide_bar} {elapsed}").unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(millis).with_style(style)
}

/// Shows how much of it has passed.
pub(crate) fn show(bar: &ProgressBar, elapsed: Duration) {
    bar.set_position(u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX));
}
