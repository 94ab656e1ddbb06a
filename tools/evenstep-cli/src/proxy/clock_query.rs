//! Asks a compositor for the clock of its presentation times.

use std::io::{self, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use rustix::time::ClockId;

use super::wire::{self, DISPLAY, Malformed, Message, PRESENTATION};

/// How long each answer is waited for.
const TIMEOUT: Duration = if cfg!(test) {
    Duration::from_millis(20)
} else {
    Duration::from_secs(5)
};

/// The objects of the query, by their numbers.
const REGISTRY: u32 = 2;
const CALLBACK: u32 = 3;
const PRESENTER: u32 = 4;

/// The clock; none if the compositor has no presentation feedback, or one on a clock that cannot be read.
pub(super) fn ask(compositor: &Path) -> io::Result<Option<ClockId>> {
    let mut stream = UnixStream::connect(compositor)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    let mut requests = Vec::new();
    // wl_display.get_registry, sync: the callback comes after all that is offered.
    wire::push(&mut requests, DISPLAY, 1, &[REGISTRY]);
    wire::push(&mut requests, DISPLAY, 0, &[CALLBACK]);
    let (mut input, mut buffer, mut is_bound) = (Vec::new(), [0; 4096], false);
    loop {
        stream.write_all(&requests)?;
        requests.clear();
        let count = match stream.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            // As the system reports a timeout.
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Err(io::ErrorKind::TimedOut.into()),
            count => count?,
        };
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        input.extend(&buffer[..count]);
        let mut left = &input[..];
        while let Some(message) = Message::first(left).map_err(invalid)? {
            left = &left[message.bytes.len()..];
            let mut arguments = message.arguments();
            match (message.object, message.opcode) {
                // wl_registry.global
                (REGISTRY, 0) => {
                    let (name, interface) = (arguments.word().map_err(invalid)?, arguments.string().map_err(invalid)?);
                    if interface == PRESENTATION && !is_bound {
                        is_bound = true;
                        wire::push_bind(&mut requests, REGISTRY, name, PRESENTATION, 1, PRESENTER);
                    }
                }
                // wp_presentation.clock_id, which follows the binding.
                (PRESENTER, 0) => {
                    let clock = arguments.word().map_err(invalid)?;
                    return Ok(clock_of(clock));
                }
                // wl_callback.done
                (CALLBACK, 0) if !is_bound => return Ok(None),
                _ => {}
            }
        }
        let rest = left.len();
        input.drain(..input.len() - rest);
    }
}

/// The clock that Linux gives this number.
const fn clock_of(number: u32) -> Option<ClockId> {
    match number {
        0 => Some(ClockId::Realtime),
        1 => Some(ClockId::Monotonic),
        4 => Some(ClockId::MonotonicRaw),
        7 => Some(ClockId::Boottime),
        _ => None,
    }
}

fn invalid(_: Malformed) -> io::Error {
    io::ErrorKind::InvalidData.into()
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn a_compositor_that_never_answers_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("desktop");
        let _listener = UnixListener::bind(&path).unwrap();
        assert_eq!(ask(&path).unwrap_err().kind(), io::ErrorKind::TimedOut);
    }
}
