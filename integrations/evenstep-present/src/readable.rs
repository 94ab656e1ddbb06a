use std::io;
use std::os::fd::BorrowedFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// A compositor or server that neither says nor takes anything for so long, though something is asked of it, is given up.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// Waits until something can be read, but no longer than this.
pub(crate) fn wait_to_read(from: &[BorrowedFd<'_>], at_most: Duration) -> io::Result<()> {
    wait_for(from, PollFlags::IN, at_most).map(drop)
}

/// Waits until something can be read or written, but no longer than this. Answers with what can; an end or an error can be read.
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
