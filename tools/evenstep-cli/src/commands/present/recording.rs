//! Frames in a window, and how much of the time has passed.

use std::time::Duration;

use evenstep_present::{Desktop, DesktopError, FrameStart, Session};

use crate::interrupt;
use crate::output::progress;

/// Shows frames until the time is over or somebody stops it.
pub(super) fn record(
    desktop: &mut Desktop,
    begin: FrameStart,
    cost: Duration,
    seconds: Duration,
) -> Result<Session, DesktopError> {
    let bar = progress::bar(seconds);
    let session = desktop.record(begin, cost, seconds, |now| {
        progress::show(&bar, now);
        !interrupt::is_asked()
    });
    bar.finish_and_clear();
    session
}
