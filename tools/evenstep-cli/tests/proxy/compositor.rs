//! A compositor with a socket, which decides by rule what becomes of each frame and remembers it.

use std::collections::HashMap;
use std::fs::File;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt as _;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use wayland_protocols::wp::commit_timing::v1::server::wp_commit_timer_v1::{self, WpCommitTimerV1};
use wayland_protocols::wp::commit_timing::v1::server::wp_commit_timing_manager_v1::{self, WpCommitTimingManagerV1};
use wayland_protocols::wp::fifo::v1::server::wp_fifo_manager_v1::{self, WpFifoManagerV1};
use wayland_protocols::wp::fifo::v1::server::wp_fifo_v1::{self, WpFifoV1};
use wayland_protocols::wp::presentation_time::server::wp_presentation::{self, WpPresentation};
use wayland_protocols::wp::presentation_time::server::wp_presentation_feedback::{self, Kind, WpPresentationFeedback};
use wayland_protocols::xdg::shell::server::xdg_surface::{self, XdgSurface};
use wayland_protocols::xdg::shell::server::xdg_wm_base::{self, XdgWmBase};
use wayland_server::backend::{ClientData, ClientId, DisconnectReason, ObjectId};
use wayland_server::protocol::wl_buffer::{self, WlBuffer};
use wayland_server::protocol::wl_callback::{self, WlCallback};
use wayland_server::protocol::wl_compositor::{self, WlCompositor};
use wayland_server::protocol::wl_shm::{self, WlShm};
use wayland_server::protocol::wl_shm_pool::{self, WlShmPool};
use wayland_server::protocol::wl_surface::{self, WlSurface};
use wayland_server::{Client, DataInit, Dispatch, Display, DisplayHandle, GlobalDispatch, New, Resource as _};

pub(crate) const VSYNC: u32 = 1;
/// 59.94 Hz.
pub(crate) const REFRESH: Duration = Duration::from_nanos(16_683_350);

/// When and how a frame is presented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Presentation {
    pub(crate) at: Duration,
    pub(crate) refresh: Duration,
    pub(crate) flags: u32,
    /// It is reported after this many further commits to any surface.
    pub(crate) late: u32,
}

impl Presentation {
    /// At a time, as by a display whose clock is not that of the hardware.
    pub(crate) const fn new(at: Duration) -> Self {
        Self {
            at,
            refresh: REFRESH,
            flags: VSYNC,
            late: 0,
        }
    }
}

/// What becomes of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Presented(Presentation),
    Discarded,
    Never,
}

impl From<Presentation> for Fate {
    fn from(presentation: Presentation) -> Self {
        Self::Presented(presentation)
    }
}

/// A frame, as the compositor knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Truth {
    /// The number of the client, from 1 on, and of its surface in the order of creation.
    pub(crate) client: u64,
    pub(crate) surface: u64,
    pub(crate) fate: Fate,
}

/// The time after which the compositor looks whether it is over, if no program sends anything.
const UNTIL_OVER: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 5_000_000,
};

type Rule = Box<dyn FnMut(u64) -> Fate + Send>;

pub(crate) struct Compositor {
    /// The number of its clock.
    clock: u32,
    rule: Rule,
    clients: HashMap<ClientId, (u64, u64)>,
    surfaces: HashMap<ObjectId, Surface>,
    waiting: Vec<(Presentation, Vec<WpPresentationFeedback>)>,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Surface {
    number: (u64, u64),
    has_new_buffer: bool,
    asked: Vec<WpPresentationFeedback>,
    callbacks: Vec<WlCallback>,
}

#[derive(Default)]
pub(crate) struct Shared {
    is_over: AtomicBool,
    pub(crate) truth: Mutex<Vec<Truth>>,
    /// What was in the files of the pools of shared memory, in their order.
    pub(crate) pools: Mutex<Vec<u64>>,
}

pub(crate) struct Running {
    pub(crate) path: PathBuf,
    pub(crate) shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Compositor {
    /// Starts it with a socket in a folder. Without a rule it has no presentation feedback.
    pub(crate) fn start(folder: &Path, clock: u32, rule: Option<Rule>) -> Running {
        let path = folder.join("compositor");
        let listener = UnixListener::bind(&path).unwrap();
        listener.set_nonblocking(true).unwrap();
        let shared = Arc::new(Shared::default());
        let mut display = Display::<Self>::new().unwrap();
        let mut handle = display.handle();
        handle.create_global::<Self, WlCompositor, ()>(6, ());
        handle.create_global::<Self, WlShm, ()>(1, ());
        handle.create_global::<Self, XdgWmBase, ()>(1, ());
        handle.create_global::<Self, WpCommitTimingManagerV1, ()>(1, ());
        handle.create_global::<Self, WpFifoManagerV1, ()>(1, ());
        if rule.is_some() {
            handle.create_global::<Self, WpPresentation, ()>(2, ());
        }
        let mut compositor = Self {
            clock,
            rule: rule.unwrap_or_else(|| Box::new(|_| Fate::Never)),
            clients: HashMap::new(),
            surfaces: HashMap::new(),
            waiting: Vec::new(),
            shared: Arc::clone(&shared),
        };
        let thread = std::thread::spawn(move || {
            // The first client is the proxy itself, which asks for the clock.
            let mut number = 0;
            while !compositor.shared.is_over.load(Ordering::Relaxed) {
                while let Ok((stream, _)) = listener.accept() {
                    let client = handle.insert_client(stream, Arc::new(Nothing)).unwrap();
                    compositor.clients.insert(client.id(), (number, 0));
                    number += 1;
                }
                display.dispatch_clients(&mut compositor).unwrap();
                display.flush_clients().unwrap();
                let mut on = [
                    PollFd::new(&listener, PollFlags::IN),
                    PollFd::new(&display, PollFlags::IN),
                ];
                poll(&mut on, Some(&UNTIL_OVER)).unwrap();
            }
        });
        Running {
            path,
            shared,
            thread: Some(thread),
        }
    }

    fn commit(&mut self, id: &ObjectId) {
        let Some(surface) = self.surfaces.get_mut(id) else {
            return;
        };
        let asked = std::mem::take(&mut surface.asked);
        surface.callbacks.drain(..).for_each(|callback| callback.done(0));
        if std::mem::take(&mut surface.has_new_buffer) {
            let mut truth = self.shared.truth.lock().unwrap();
            let fate = (self.rule)(truth.len() as u64);
            let (client, surface) = surface.number;
            truth.push(Truth { client, surface, fate });
            match fate {
                Fate::Presented(presentation) => self.waiting.push((presentation, asked)),
                Fate::Discarded => asked.iter().for_each(WpPresentationFeedback::discarded),
                Fate::Never => {}
            }
        }
        self.waiting.retain_mut(|(presentation, asked)| {
            let is_due = presentation.late == 0;
            presentation.late = presentation.late.saturating_sub(1);
            if is_due {
                asked.iter().for_each(|feedback| tell(feedback, *presentation));
            }
            !is_due
        });
    }
}

fn tell(feedback: &WpPresentationFeedback, what: Presentation) {
    let (secs, nanos) = (what.at.as_secs(), what.at.subsec_nanos());
    let (refresh, flags) = (what.refresh.as_nanos() as u32, Kind::from_bits_retain(what.flags));
    feedback.presented((secs >> 32) as u32, secs as u32, nanos, refresh, 0, 0, flags);
}

impl Drop for Running {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            assert!(
                thread.join().is_ok() || std::thread::panicking(),
                "the compositor panicked"
            );
        }
    }
}

struct Nothing;

impl ClientData for Nothing {
    fn disconnected(&self, _: ClientId, _: DisconnectReason) {}
}

macro_rules! global {
    ($($interface:ty;)*) => {$(
        impl GlobalDispatch<$interface, ()> for Compositor {
            fn bind(
                _: &mut Self,
                _: &DisplayHandle,
                _: &Client,
                new: New<$interface>,
                (): &(),
                init: &mut DataInit<'_, Self>,
            ) {
                init.init(new, ());
            }
        }
    )*};
}

global! {
    WlCompositor;
    WlShm;
    XdgWmBase;
    WpCommitTimingManagerV1;
    WpFifoManagerV1;
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

macro_rules! requests {
    ($($interface:ty, $request:ty, |$compositor:ident, $client:ident, $object:ident, $message:ident, $init:ident| $body:block)*) => {$(
        impl Dispatch<$interface, ()> for Compositor {
            fn request(
                $compositor: &mut Self,
                $client: &Client,
                $object: &$interface,
                $message: $request,
                (): &(),
                _: &DisplayHandle,
                $init: &mut DataInit<'_, Self>,
            ) $body
        }
    )*};
}

requests! {
    WlCompositor, wl_compositor::Request, |compositor, client, _object, request, init| {
        if let wl_compositor::Request::CreateSurface { id } = request {
            let surface = init.init(id, ());
            let (number, surfaces) = compositor.clients.get_mut(&client.id()).unwrap();
            *surfaces += 1;
            let number = (*number, *surfaces);
            compositor.surfaces.insert(surface.id(), Surface { number, ..Surface::default() });
        }
    }
    WlSurface, wl_surface::Request, |compositor, _client, object, request, init| {
        let id = object.id();
        let surface = compositor.surfaces.get_mut(&id).unwrap();
        match request {
            wl_surface::Request::Attach { buffer, .. } => surface.has_new_buffer = buffer.is_some(),
            wl_surface::Request::Frame { callback } => surface.callbacks.push(init.init(callback, ())),
            wl_surface::Request::Commit => compositor.commit(&id),
            wl_surface::Request::Destroy => drop(compositor.surfaces.remove(&id)),
            _ => {}
        }
    }
    WpPresentation, wp_presentation::Request, |compositor, _client, _object, request, init| {
        if let wp_presentation::Request::Feedback { surface, callback } = request {
            let callback = init.init(callback, ());
            compositor.surfaces.get_mut(&surface.id()).unwrap().asked.push(callback);
        }
    }
    WlShm, wl_shm::Request, |compositor, _client, _object, request, init| {
        if let wl_shm::Request::CreatePool { id, fd, .. } = request {
            init.init(id, ());
            compositor.shared.pools.lock().unwrap().push(first_word(fd));
        }
    }
    WlShmPool, wl_shm_pool::Request, |_compositor, _client, _object, request, init| {
        if let wl_shm_pool::Request::CreateBuffer { id, .. } = request {
            init.init(id, ());
        }
    }
    XdgWmBase, xdg_wm_base::Request, |_compositor, _client, _object, request, init| {
        if let xdg_wm_base::Request::GetXdgSurface { id, .. } = request {
            init.init(id, ());
        }
    }
    XdgSurface, xdg_surface::Request, |_compositor, _client, _object, _request, _init| {}
    WpCommitTimingManagerV1, wp_commit_timing_manager_v1::Request, |_compositor, _client, _object, request, init| {
        if let wp_commit_timing_manager_v1::Request::GetTimer { id, .. } = request {
            init.init(id, ());
        }
    }
    WpFifoManagerV1, wp_fifo_manager_v1::Request, |_compositor, _client, _object, request, init| {
        if let wp_fifo_manager_v1::Request::GetFifo { id, .. } = request {
            init.init(id, ());
        }
    }
    WpCommitTimerV1, wp_commit_timer_v1::Request, |_compositor, _client, _object, _request, _init| {}
    WpFifoV1, wp_fifo_v1::Request, |_compositor, _client, _object, _request, _init| {}
    WlBuffer, wl_buffer::Request, |_compositor, _client, _object, _request, _init| {}
    WlCallback, wl_callback::Request, |_compositor, _client, _object, _request, _init| {}
    WpPresentationFeedback, wp_presentation_feedback::Request, |_compositor, _client, _object, _request, _init| {}
}

fn first_word(file: OwnedFd) -> u64 {
    let mut bytes = [0; 8];
    File::from(file).read_exact_at(&mut bytes, 0).unwrap();
    u64::from_ne_bytes(bytes)
}
