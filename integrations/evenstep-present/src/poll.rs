//! Waiting for input on file descriptors with a timeout.

use std::io;
use std::os::fd::BorrowedFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// Waits until one of the descriptors is readable, at most for this long. Returns whether one is.
pub(crate) fn wait_until_readable(from: &[BorrowedFd<'_>], at_most: Duration) -> io::Result<bool> {
    let timeout = Timespec {
        tv_sec: i64::try_from(at_most.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: at_most.subsec_nanos().into(),
    };
    let mut from: Vec<PollFd<'_>> = from.iter().map(|from| PollFd::new(from, PollFlags::IN)).collect();
    match poll(&mut from, Some(&timeout)) {
        Ok(ready) => Ok(ready > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
