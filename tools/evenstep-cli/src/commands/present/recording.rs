//! Shows frames in a window, with a progress bar.

use std::time::Duration;

use evenstep_present::{Desktop, DesktopError, FrameStart, Session, WindowSystem};

use crate::failure::Failure;
use crate::interrupt;
use crate::output::progress;

#[cfg(feature = "x11")]
pub(super) const NEEDED: &str =
    "this needs a Wayland desktop that WAYLAND_DISPLAY names, or an X server that DISPLAY names";
#[cfg(not(feature = "x11"))]
pub(super) const NEEDED: &str = "this needs a Wayland desktop that WAYLAND_DISPLAY names; what an X server reports is compiled in with: \
                                 cargo install --path tools/evenstep-cli --features x11";

/// Opens a window. Meanwhile a request to stop ends the command at once, because the desktop may never answer.
pub(super) fn open(system: WindowSystem) -> Result<Desktop, Failure> {
    Desktop::open(system, "evenstep present").map_err(refused)
}

/// Shows frames until the time is over or the user stops the command. The frames shown until then are kept.
pub(super) fn record(
    desktop: &mut Desktop,
    begin: FrameStart,
    cost: Duration,
    seconds: Duration,
) -> Result<Session, Failure> {
    let _held = interrupt::take_stop_requests().map_err(Failure::signal_handler)?;
    let bar = progress::bar(seconds);
    let session = desktop.record(begin, cost, seconds, |now| {
        progress::show(&bar, now);
        !interrupt::is_stop_requested()
    });
    bar.finish_and_clear();
    session.map_err(refused)
}

fn refused(error: DesktopError) -> Failure {
    Failure::Run(format!("{error}; {NEEDED}"))
}
