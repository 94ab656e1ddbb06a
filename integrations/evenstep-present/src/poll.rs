//! Waiting for input on file descriptors with a timeout.

use std::io;
use std::os::fd::BorrowedFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// How long a compositor or server may neither send nor accept anything, while a request is pending, before the adapter gives up.
pub(crate) const SERVER_TIMEOUT: Duration = Duration::from_secs(5);

/// Waits until one of the descriptors is ready as requested. Returns which can be read; a closed connection can be, to its end.
#[cfg(feature = "proxy")]
pub(crate) fn readable<const N: usize>(wanted: [(BorrowedFd<'_>, PollFlags); N]) -> io::Result<[bool; N]> {
    let mut on = wanted.map(|(descriptor, flags)| PollFd::from_borrowed_fd(descriptor, flags));
    match poll(&mut on, None) {
        Ok(_) | Err(rustix::io::Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(on.map(|on| on.revents().intersects(PollFlags::IN | PollFlags::HUP | PollFlags::ERR)))
}

/// Waits until one of the descriptors is readable or writable, as requested, at most for this long. Returns what is possible; a closed
/// connection or an error counts as both.
pub(crate) fn wait_for(on: &[BorrowedFd<'_>], what: PollFlags, at_most: Duration) -> io::Result<PollFlags> {
    let timeout = Timespec {
        tv_sec: i64::try_from(at_most.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: at_most.subsec_nanos().into(),
    };
    let mut on: Vec<PollFd<'_>> = on.iter().map(|on| PollFd::new(on, what)).collect();
    match poll(&mut on, Some(&timeout)) {
        Ok(_) => {}
        Err(rustix::io::Errno::INTR) => return Ok(PollFlags::empty()),
        Err(error) => return Err(error.into()),
    }
    let ready = on.iter().fold(PollFlags::empty(), |all, on| all | on.revents());
    Ok(if (ready - what).is_empty() { ready } else { what | ready })
}
