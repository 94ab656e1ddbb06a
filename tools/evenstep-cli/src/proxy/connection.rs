//! A program's connection and the proxy's to the compositor, as one.

use std::fs;
use std::io::{self, PipeReader};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, TrySendError};

use rustix::event::PollFlags;
use rustix::net::sockopt::socket_peercred;

use super::objects::Objects;
use super::poll::readable;
use super::report::{CommitTiming, PresentedFrame, Report, Shown};
use super::shared::Shared;
use super::socket::Socket;
use super::wire::{Malformed, Message};

/// Forwards the data of either side until one of them closes the connection, and reports the frames.
pub(super) fn serve(program: UnixStream, number: u64, shared: &Shared, reports: &SyncSender<Report>) {
    let process = socket_peercred(&program).map_or(0, |peer| peer.pid.as_raw_nonzero().get().unsigned_abs());
    let name = fs::read_to_string(format!("/proc/{process}/comm")).unwrap_or_default();
    let name: Arc<str> = name.trim_end().into();
    let (mut lost, mut objects) = (0, Objects::default());
    let mut report = |frame| {
        if let Err(TrySendError::Full(_)) = reports.try_send(Report::Frame(frame)) {
            lost += 1;
        }
    };
    let template = PresentedFrame {
        application: Arc::clone(&name),
        process,
        connection: number,
        surface: 0,
        committed: shared.now(),
        shown: Shown::Unknown,
        simulated: None,
        timing: CommitTiming::default(),
    };
    let end = forward(program, shared, &template, &mut objects, &mut report);
    objects.take_frames(true, &mut report);
    let refused = objects.error.take();
    let refused = refused.map(|error| format!("the compositor refused a request: {error}"));
    let fault = match end {
        Ok(None) => refused,
        Ok(fault) => fault,
        // A program that ends does not read its remaining data.
        Err(error) if matches!(error.kind(), io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe) => refused,
        Err(error) => refused.or_else(|| Some(error.to_string())),
    };
    // The reader may be gone.
    let _ = reports.try_send(Report::Ended {
        application: name,
        process,
        fault,
        lost,
    });
}

/// Forwards the data until one side closes the connection or the proxy ends; otherwise returns what was wrong.
fn forward(
    program: UnixStream,
    shared: &Shared,
    template: &PresentedFrame,
    objects: &mut Objects,
    report: &mut impl FnMut(PresentedFrame),
) -> io::Result<Option<String>> {
    let mut compositor = Socket::new(UnixStream::connect(&shared.compositor)?)?;
    let mut program = Socket::new(program)?;
    while let [from_program, from_compositor, false] = ready(&program, &compositor, &shared.over)? {
        let mut is_open = true;
        if from_program {
            is_open &= program.read(&mut compositor)?;
            let now = shared.now();
            let read = requests(&mut program, &mut compositor, objects, |surface, is_window| {
                PresentedFrame {
                    surface,
                    committed: now,
                    simulated: is_window.then(|| shared.simulated_time()).flatten(),
                    ..template.clone()
                }
            });
            if let Err(malformed) = read {
                return Ok(Some(format!("the program sent {malformed}")));
            }
        }
        if from_compositor {
            is_open &= compositor.read(&mut program)?;
            if let Err(malformed) = events(&mut compositor, &mut program, objects) {
                return Ok(Some(format!("the compositor sent {malformed}")));
            }
        }
        // Data that a side sent before it closed is for the other one; that may be gone as well.
        let written = compositor.write().and(program.write());
        if !is_open {
            break;
        }
        written?;
        objects.take_frames(false, &mut *report);
    }
    Ok(None)
}

/// Waits until a side can be read or written, or the proxy ends. A side is read only if the other one keeps up.
fn ready(program: &Socket, compositor: &Socket, over: &PipeReader) -> io::Result<[bool; 3]> {
    let wanted = |side: &Socket, other: &Socket| {
        let mut flags = PollFlags::empty();
        flags.set(PollFlags::IN, !other.is_full());
        flags.set(PollFlags::OUT, side.has_output());
        flags
    };
    readable([
        (program.as_fd(), wanted(program, compositor)),
        (compositor.as_fd(), wanted(compositor, program)),
        (over.as_fd(), PollFlags::IN),
    ])
}

/// Passes on the program's whole messages.
fn requests(
    program: &mut Socket,
    compositor: &mut Socket,
    objects: &mut Objects,
    frame: impl Fn(u64, bool) -> PresentedFrame,
) -> Result<(), Malformed> {
    let mut taken = 0;
    while let Some(message) = Message::first(&program.input[taken..])? {
        objects.request(message, &mut compositor.output, &frame)?;
        compositor.output.extend(message.bytes);
        taken += message.bytes.len();
    }
    program.input.drain(..taken);
    Ok(())
}

/// Passes on the compositor's whole messages, except those for the proxy.
fn events(compositor: &mut Socket, program: &mut Socket, objects: &mut Objects) -> Result<(), Malformed> {
    let input = std::mem::take(&mut compositor.input);
    let mut left = &input[..];
    while let Some(message) = Message::first(left)? {
        if objects.event(message, &mut compositor.output)? {
            program.output.extend(message.bytes);
        }
        left = &left[message.bytes.len()..];
    }
    compositor.input.extend(left);
    Ok(())
}
