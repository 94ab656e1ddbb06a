//! A connection to the X server whose reads and writes have a time limit.

use std::io;
use std::os::fd::AsFd as _;
use std::time::Instant;

use rustix::event::PollFlags;
use x11rb::errors::{ConnectError, DisplayParsingError};
use x11rb::reexports::x11rb_protocol::{parse_display::parse_display, xauth::get_auth};
use x11rb::rust_connection::{DefaultStream, PollMode, RustConnection, Stream};
use x11rb::utils::RawFdContainer;

use crate::poll::{SERVER_TIMEOUT, wait_for};

/// A connection to a server that is waited for five seconds at most: a read or write takes no longer, or is an error.
#[derive(Debug)]
pub struct TimeoutStream(DefaultStream);

/// Connects to a server by its name, or to the one that the environment names.
pub(super) fn connect(server: Option<&str>) -> Result<RustConnection<TimeoutStream>, ConnectError> {
    let display = parse_display(server)?;
    let screen = display.screen.into();
    let mut refused = ConnectError::DisplayParsingError(DisplayParsingError::Unknown);
    for address in display.connect_instruction() {
        match DefaultStream::connect(&address) {
            Ok((stream, (family, peer))) => {
                // A server may want no name.
                let (name, data) = get_auth(family, &peer, display.display)
                    .ok()
                    .flatten()
                    .unwrap_or_default();
                let stream = TimeoutStream(stream);
                return RustConnection::connect_to_stream_with_auth_info(stream, screen, name, data);
            }
            Err(error) => refused = error.into(),
        }
    }
    Err(refused)
}

impl Stream for TimeoutStream {
    fn poll(&self, mode: PollMode) -> io::Result<()> {
        let mut wanted = PollFlags::empty();
        wanted.set(PollFlags::IN, mode.readable());
        wanted.set(PollFlags::OUT, mode.writable());
        let start = Instant::now();
        // A signal ends a wait early.
        while wait_for(
            &[self.0.as_fd()],
            wanted,
            SERVER_TIMEOUT.saturating_sub(start.elapsed()),
        )?
        .is_empty()
        {
            if start.elapsed() >= SERVER_TIMEOUT {
                let seconds = SERVER_TIMEOUT.as_secs();
                let why = format!("no answer for {seconds} s; see whether it was stopped or hangs");
                return Err(io::Error::new(io::ErrorKind::TimedOut, why));
            }
        }
        Ok(())
    }

    fn read(&self, buffer: &mut [u8], descriptors: &mut Vec<RawFdContainer>) -> io::Result<usize> {
        self.0.read(buffer, descriptors)
    }

    fn write(&self, buffer: &[u8], descriptors: &mut Vec<RawFdContainer>) -> io::Result<usize> {
        self.0.write(buffer, descriptors)
    }
}
