//! A Wayland socket that passes everything on to the compositor, and reports when the frames of any program were presented.
//!
//! A program that connects to the socket needs no change. Each of its commits with a new buffer is a frame; the proxy requests
//! presentation feedback for it beside whatever the program requests itself. Times are on the clock of the compositor's presentation
//! times, so that none is converted.
//!
//! ```no_run
//! use evenstep_cli::proxy::{self, Proxy};
//!
//! # fn main() -> Result<(), proxy::ProxyError> {
//! let proxy = Proxy::start("evenstep-0".as_ref(), proxy::environment()?)?;
//! let mut program = std::process::Command::new("a-game").env("WAYLAND_DISPLAY", proxy.path()).spawn().unwrap();
//! for report in proxy.reports() {
//!     println!("{report:?}");
//! }
//! # Ok(())
//! # }
//! ```

use std::env;
use std::io::{self, PipeWriter};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::event::PollFlags;
use rustix::time::ClockId;

mod clock_query;
mod connection;
mod objects;
mod poll;
mod report;
mod shared;
mod shown_time_reader;
mod socket;
mod timing_meter;
mod wire;

use poll::readable;
pub use report::{CommitTiming, PresentedFrame, Report, Shown};
use shared::Shared;
pub use shown_time_reader::ShownTimeReader;
pub use timing_meter::{TimingMeter, TimingVerdict};

/// Reports that wait for their reader. Further ones are lost, and counted: a program never waits for a recording.
const MAX_REPORTS: usize = 1 << 16;

/// How long no program is accepted after one could not be, for example because there was no free descriptor.
const PAUSE: Duration = Duration::from_millis(50);

/// Why a proxy cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ProxyError {
    /// The environment names no compositor.
    #[error("no Wayland compositor: {0}")]
    NoCompositor(&'static str),
    /// The compositor cannot be reached or does not answer.
    #[error("{}: no compositor to connect to: {}", .path.display(), .error.kind())]
    Unreachable {
        /// Its socket.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// The proxy's own socket cannot be made.
    #[error("{}: the socket for the program cannot be made: {}", .path.display(), .error.kind())]
    Socket {
        /// The socket.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
}

/// The compositor's socket that `WAYLAND_DISPLAY` and `XDG_RUNTIME_DIR` name.
///
/// # Errors
///
/// If they name none.
pub fn environment() -> Result<PathBuf, ProxyError> {
    let display = env::var_os("WAYLAND_DISPLAY").filter(|name| !name.is_empty());
    let display = display.ok_or(ProxyError::NoCompositor("WAYLAND_DISPLAY is not set"))?;
    in_runtime_folder(display.as_ref())
}

/// The path of a socket: a name is one in `XDG_RUNTIME_DIR`.
fn in_runtime_folder(name: &Path) -> Result<PathBuf, ProxyError> {
    if name.is_absolute() {
        return Ok(name.to_owned());
    }
    let folder = env::var_os("XDG_RUNTIME_DIR").filter(|name| !name.is_empty());
    let folder = folder.ok_or(ProxyError::NoCompositor("XDG_RUNTIME_DIR is not set"))?;
    Ok(Path::new(&folder).join(name))
}

/// A socket for programs, which are served on threads of their own until it is dropped.
#[derive(Debug)]
pub struct Proxy {
    path: PathBuf,
    has_presentation_times: bool,
    shared: Arc<Shared>,
    reports: Receiver<Report>,
    /// Closed when the proxy ends.
    running: Option<PipeWriter>,
    listener: Option<JoinHandle<()>>,
}

impl Proxy {
    /// Makes a socket of this name in `XDG_RUNTIME_DIR`, or of this path, for programs of the compositor at another one. This waits for
    /// replies of the compositor, for five seconds at most each.
    ///
    /// # Errors
    ///
    /// If the compositor cannot be reached, or the socket cannot be made, for example because it is in use.
    pub fn start(name: &Path, compositor: PathBuf) -> Result<Self, ProxyError> {
        let clock = clock_query::ask(&compositor).map_err(|error| ProxyError::Unreachable {
            path: compositor.clone(),
            error,
        })?;
        let path = in_runtime_folder(name)?;
        let unusable = |error| ProxyError::Socket {
            path: path.clone(),
            error,
        };
        let listener = UnixListener::bind(&path).map_err(unusable)?;
        listener.set_nonblocking(true).map_err(unusable)?;
        let (over, running) = io::pipe().map_err(unusable)?;
        let shared = Arc::new(Shared {
            compositor,
            clock: clock.unwrap_or(ClockId::Monotonic),
            over,
            open: AtomicUsize::new(0),
            shown_times: Mutex::new(None),
        });
        let (sender, reports) = sync_channel(MAX_REPORTS);
        let threads = Arc::clone(&shared);
        let spawned = std::thread::Builder::new()
            .name("proxy".to_owned())
            .spawn(move || listen(&listener, &threads, &sender));
        let listener = Some(spawned.map_err(unusable)?);
        Ok(Self {
            path,
            has_presentation_times: clock.is_some(),
            shared,
            reports,
            running: Some(running),
            listener,
        })
    }

    /// The socket, for `WAYLAND_DISPLAY`.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it reports when frames were presented. If not, the compositor has no presentation feedback, or one on a clock that cannot
    /// be read, and only commits are known, on `CLOCK_MONOTONIC`.
    #[must_use]
    pub fn has_presentation_times(&self) -> bool {
        self.has_presentation_times
    }

    /// The time now, on the clock of all times.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.shared.now()
    }

    /// How many connections are open.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.shared.open.load(Ordering::Acquire)
    }

    /// Takes the simulated times of frames from a pipe.
    pub fn read_shown_times(&self, pipe: ShownTimeReader) {
        if let Ok(mut reader) = self.shared.shown_times.lock() {
            *reader = Some(pipe);
        }
    }

    /// The reports. They end with the proxy.
    #[must_use]
    pub fn reports(&self) -> &Receiver<Report> {
        &self.reports
    }

    /// Ends all connections, and hands out the reports that are left.
    pub fn end(mut self) -> impl Iterator<Item = Report> {
        self.stop();
        std::iter::from_fn(move || self.reports.try_recv().ok())
    }

    fn stop(&mut self) {
        self.running = None;
        if let Some(listener) = self.listener.take() {
            // The thread cannot panic; if it did, the connections would have ended with it.
            let _ = listener.join();
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Serves each program that connects on a thread.
fn listen(listener: &UnixListener, shared: &Arc<Shared>, reports: &SyncSender<Report>) {
    let mut connections: Vec<JoinHandle<()>> = Vec::new();
    let mut number = 0;
    while let Ok([false, _]) = readable([(shared.over.as_fd(), PollFlags::IN), (listener.as_fd(), PollFlags::IN)]) {
        connections.retain(|connection| !connection.is_finished());
        match listener.accept() {
            Ok((program, _)) => {
                number += 1;
                shared.open.fetch_add(1, Ordering::AcqRel);
                let (of_thread, reports) = (Arc::clone(shared), reports.clone());
                let thread = std::thread::Builder::new().name("connection".to_owned());
                let spawned = thread.spawn(move || {
                    connection::serve(program, number, &of_thread, &reports);
                    of_thread.open.fetch_sub(1, Ordering::AcqRel);
                });
                match spawned {
                    Ok(thread) => connections.push(thread),
                    // The program sees a closed connection.
                    Err(_) => drop(shared.open.fetch_sub(1, Ordering::AcqRel)),
                }
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            Err(_) => std::thread::sleep(PAUSE),
        }
    }
    for connection in connections {
        let _ = connection.join();
    }
}
