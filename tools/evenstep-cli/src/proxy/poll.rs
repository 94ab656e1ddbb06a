//! Waits for input on several file descriptors.

use std::io;
use std::os::fd::BorrowedFd;

use rustix::event::{PollFd, PollFlags, poll};

/// Waits until one of the descriptors is ready as requested. Returns which can be read; a closed connection can be, to its end.
pub(super) fn readable<const N: usize>(wanted: [(BorrowedFd<'_>, PollFlags); N]) -> io::Result<[bool; N]> {
    let mut on = wanted.map(|(descriptor, flags)| PollFd::from_borrowed_fd(descriptor, flags));
    match poll(&mut on, None) {
        Ok(_) | Err(rustix::io::Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(on.map(|on| on.revents().intersects(PollFlags::IN | PollFlags::HUP | PollFlags::ERR)))
}
