//! A compositor that follows a script, on its own clock.

use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use wayland_protocols::wp::presentation_time::server::wp_presentation::{self, WpPresentation};
use wayland_protocols::wp::presentation_time::server::wp_presentation_feedback::{self, Kind, WpPresentationFeedback};
use wayland_server::backend::ClientData;
use wayland_server::protocol::wl_compositor::{self, WlCompositor};
use wayland_server::protocol::wl_surface::{self, WlSurface};
use wayland_server::{Client, DataInit, Dispatch, Display, DisplayHandle, GlobalDispatch, New};

pub(crate) const VSYNC: u32 = 1;
/// The flags for time and start measured by the hardware.
pub(crate) const MEASURED: u32 = 2 | 4;

/// The outcome of a frame.
pub(crate) enum Answer {
    Presented {
        at: Duration,
        refresh: Duration,
        flags: u32,
        /// It is reported after this many further commits.
        late: u32,
    },
    Discarded,
    Never,
}

type Script = Box<dyn FnMut(u32) -> Answer + Send>;

/// Answers the `n`-th commit, counted from zero, by its script.
pub(crate) struct Compositor {
    clock: u32,
    script: Option<Script>,
    commits: u32,
    /// Requested before the next commit.
    asked: Vec<WpPresentationFeedback>,
    /// To be reported at these commits.
    waiting: Vec<(u32, WpPresentationFeedback, Duration, Duration, u32)>,
}

impl Compositor {
    pub(crate) fn new(clock: u32, script: impl FnMut(u32) -> Answer + Send + 'static) -> Self {
        Self {
            clock,
            script: Some(Box::new(script)),
            commits: 0,
            asked: Vec::new(),
            waiting: Vec::new(),
        }
    }

    /// Without presentation feedback.
    pub(crate) fn without_feedback() -> Self {
        Self {
            script: None,
            ..Self::new(0, |_| Answer::Never)
        }
    }

    /// Starts the compositor on a thread, with a client at the other end of a socket.
    pub(crate) fn start(mut self) -> (Running, UnixStream) {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let mut display = Display::<Self>::new().unwrap();
        let mut handle = display.handle();
        handle.create_global::<Self, WlCompositor, ()>(4, ());
        if self.script.is_some() {
            handle.create_global::<Self, WpPresentation, ()>(2, ());
        }
        handle.insert_client(ours, Arc::new(Nothing)).unwrap();
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        let thread = std::thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                display.dispatch_clients(&mut self).unwrap();
                display.flush_clients().unwrap();
                std::thread::sleep(Duration::from_micros(50));
            }
        });
        let running = Running {
            is_over,
            thread: Some(thread),
        };
        (running, theirs)
    }

    fn commit(&mut self) {
        let Some(script) = &mut self.script else { return };
        let commit = self.commits;
        self.commits += 1;
        for feedback in self.asked.drain(..) {
            match script(commit) {
                Answer::Presented {
                    at,
                    refresh,
                    flags,
                    late,
                } => self.waiting.push((commit + late, feedback, at, refresh, flags)),
                Answer::Discarded => feedback.discarded(),
                Answer::Never => {}
            }
        }
        self.waiting.retain(|(when, feedback, at, refresh, flags)| {
            if *when <= commit {
                tell(feedback, *at, *refresh, *flags);
            }
            *when > commit
        });
    }
}

fn tell(feedback: &WpPresentationFeedback, at: Duration, refresh: Duration, flags: u32) {
    let secs = at.as_secs();
    let refresh = refresh.as_nanos() as u32;
    let flags = Kind::from_bits_retain(flags);
    feedback.presented(
        (secs >> 32) as u32,
        secs as u32,
        at.subsec_nanos(),
        refresh,
        0,
        0,
        flags,
    );
}

/// A compositor on its thread; dropping it ends the thread.
pub(crate) struct Running {
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || std::thread::panicking(), "the compositor panicked");
        }
    }
}

struct Nothing;

impl ClientData for Nothing {}

impl GlobalDispatch<WlCompositor, ()> for Compositor {
    fn bind(
        _: &mut Self,
        _: &DisplayHandle,
        _: &Client,
        new: New<WlCompositor>,
        (): &(),
        init: &mut DataInit<'_, Self>,
    ) {
        init.init(new, ());
    }
}

impl GlobalDispatch<WpPresentation, ()> for Compositor {
    fn bind(
        compositor: &mut Self,
        _: &DisplayHandle,
        _: &Client,
        new: New<WpPresentation>,
        (): &(),
        init: &mut DataInit<'_, Self>,
    ) {
        init.init(new, ()).clock_id(compositor.clock);
    }
}

impl Dispatch<WlCompositor, ()> for Compositor {
    fn request(
        _: &mut Self,
        _: &Client,
        _: &WlCompositor,
        request: wl_compositor::Request,
        (): &(),
        _: &DisplayHandle,
        init: &mut DataInit<'_, Self>,
    ) {
        if let wl_compositor::Request::CreateSurface { id } = request {
            init.init(id, ());
        }
    }
}

impl Dispatch<WlSurface, ()> for Compositor {
    fn request(
        compositor: &mut Self,
        _: &Client,
        _: &WlSurface,
        request: wl_surface::Request,
        (): &(),
        _: &DisplayHandle,
        _: &mut DataInit<'_, Self>,
    ) {
        if let wl_surface::Request::Commit = request {
            compositor.commit();
        }
    }
}

impl Dispatch<WpPresentation, ()> for Compositor {
    fn request(
        compositor: &mut Self,
        _: &Client,
        _: &WpPresentation,
        request: wp_presentation::Request,
        (): &(),
        _: &DisplayHandle,
        init: &mut DataInit<'_, Self>,
    ) {
        if let wp_presentation::Request::Feedback { callback, .. } = request {
            compositor.asked.push(init.init(callback, ()));
        }
    }
}

impl Dispatch<WpPresentationFeedback, ()> for Compositor {
    fn request(
        _: &mut Self,
        _: &Client,
        _: &WpPresentationFeedback,
        _: wp_presentation_feedback::Request,
        (): &(),
        _: &DisplayHandle,
        _: &mut DataInit<'_, Self>,
    ) {
    }
}
