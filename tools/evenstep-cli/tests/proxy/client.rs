//! A program with surfaces and buffers, which may request presentation feedback of its own.

use std::fs::File;
use std::os::fd::AsFd as _;
use std::os::unix::fs::FileExt as _;
use std::os::unix::net::UnixStream;
use std::path::Path;

use rustix::fs::{MemfdFlags, memfd_create};
use wayland_client::globals::{GlobalListContents, registry_queue_init};
use wayland_client::protocol::wl_buffer::WlBuffer;
use wayland_client::protocol::wl_callback::{self, WlCallback};
use wayland_client::protocol::wl_compositor::WlCompositor;
use wayland_client::protocol::wl_registry::{self, WlRegistry};
use wayland_client::protocol::wl_shm::{Format, WlShm};
use wayland_client::protocol::wl_shm_pool::WlShmPool;
use wayland_client::protocol::wl_surface::WlSurface;
use wayland_client::{Connection, Dispatch, EventQueue, QueueHandle, delegate_noop};
use wayland_protocols::wp::commit_timing::v1::client::wp_commit_timer_v1::WpCommitTimerV1;
use wayland_protocols::wp::commit_timing::v1::client::wp_commit_timing_manager_v1::WpCommitTimingManagerV1;
use wayland_protocols::wp::fifo::v1::client::wp_fifo_manager_v1::WpFifoManagerV1;
use wayland_protocols::wp::fifo::v1::client::wp_fifo_v1::WpFifoV1;
use wayland_protocols::wp::presentation_time::client::wp_presentation::WpPresentation;
use wayland_protocols::wp::presentation_time::client::wp_presentation_feedback::{self, WpPresentationFeedback};
use wayland_protocols::xdg::shell::client::xdg_surface::{self, XdgSurface};
use wayland_protocols::xdg::shell::client::xdg_toplevel::XdgToplevel;
use wayland_protocols::xdg::shell::client::xdg_wm_base::XdgWmBase;

pub(crate) struct Client {
    pub(crate) connection: Connection,
    pub(crate) queue: EventQueue<Events>,
    pub(crate) events: Events,
    pub(crate) surfaces: Vec<Option<WlSurface>>,
    compositor: WlCompositor,
    shm: WlShm,
    shell: XdgWmBase,
    presentation: Option<WpPresentation>,
    timing: Option<WpCommitTimingManagerV1>,
    fifo: Option<WpFifoManagerV1>,
}

#[derive(Default)]
pub(crate) struct Events {
    /// The answers to its own requests for feedback: the time in nanoseconds, or none if discarded.
    pub(crate) answers: Vec<Option<u64>>,
    /// Callbacks of frames that have come.
    pub(crate) callbacks: usize,
    is_configured: bool,
}

impl Client {
    pub(crate) fn connect(path: &Path) -> Self {
        let connection = Connection::from_socket(UnixStream::connect(path).unwrap()).unwrap();
        let (globals, queue) = registry_queue_init::<Events>(&connection).unwrap();
        let handle = queue.handle();
        let mut client = Self {
            compositor: globals.bind(&handle, 1..=6, ()).unwrap(),
            shm: globals.bind(&handle, 1..=1, ()).unwrap(),
            shell: globals.bind(&handle, 1..=1, ()).unwrap(),
            presentation: globals.bind(&handle, 1..=2, ()).ok(),
            timing: globals.bind(&handle, 1..=1, ()).ok(),
            fifo: globals.bind(&handle, 1..=1, ()).ok(),
            connection,
            queue,
            events: Events::default(),
            surfaces: Vec::new(),
        };
        client.roundtrip();
        client
    }

    pub(crate) fn roundtrip(&mut self) {
        self.queue.roundtrip(&mut self.events).unwrap();
    }

    pub(crate) fn create_surface(&mut self) -> WlSurface {
        let surface = self.compositor.create_surface(&self.queue.handle(), ());
        self.surfaces.push(Some(surface.clone()));
        surface
    }

    /// Commits a frame, and waits until the compositor has processed it.
    pub(crate) fn show(&mut self, surface: &WlSurface) {
        self.attach(surface, 4);
        surface.commit();
        self.roundtrip();
    }

    /// Makes a surface that of a window.
    pub(crate) fn make_window(&self, surface: &WlSurface) -> XdgSurface {
        self.shell.get_xdg_surface(surface, &self.queue.handle(), ())
    }

    /// Makes a surface that of a window, and waits until frames of it may be shown.
    pub(crate) fn open_window(&mut self, surface: &WlSurface) {
        self.make_window(surface).get_toplevel(&self.queue.handle(), ());
        surface.commit();
        while !self.events.is_configured {
            self.queue.blocking_dispatch(&mut self.events).unwrap();
        }
    }

    /// What sets times of presentation, and barriers, of a surface.
    pub(crate) fn pace(&self, surface: &WlSurface) -> (WpCommitTimerV1, WpFifoV1) {
        let handle = self.queue.handle();
        let (timing, fifo) = (self.timing.as_ref().unwrap(), self.fifo.as_ref().unwrap());
        (
            timing.get_timer(surface, &handle, ()),
            fifo.get_fifo(surface, &handle, ()),
        )
    }

    /// A pool of shared memory whose file begins with this word.
    pub(crate) fn create_pool(&self, word: u64, size: i32) -> WlShmPool {
        let file = File::from(memfd_create("pool", MemfdFlags::CLOEXEC).unwrap());
        file.set_len(size as u64).unwrap();
        file.write_all_at(&word.to_ne_bytes(), 0).unwrap();
        self.shm.create_pool(file.as_fd(), size, &self.queue.handle(), ())
    }

    /// Attaches a new buffer of a width.
    pub(crate) fn attach(&self, surface: &WlSurface, width: i32) {
        let pool = self.create_pool(0, 4 * width);
        let buffer = pool.create_buffer(0, width, 1, 4 * width, Format::Xrgb8888, &self.queue.handle(), ());
        surface.attach(Some(&buffer), 0, 0);
        pool.destroy();
        buffer.destroy();
    }

    /// Requests feedback of its own for the next commit.
    pub(crate) fn ask(&self, surface: &WlSurface) {
        if let Some(presentation) = &self.presentation {
            presentation.feedback(surface, &self.queue.handle(), ());
        }
    }
}

impl Dispatch<WpPresentationFeedback, ()> for Events {
    fn event(
        events: &mut Self,
        _: &WpPresentationFeedback,
        event: wp_presentation_feedback::Event,
        (): &(),
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        match event {
            wp_presentation_feedback::Event::Presented { tv_sec_lo, tv_nsec, .. } => {
                let nanos = u64::from(tv_sec_lo) * 1_000_000_000 + u64::from(tv_nsec);
                events.answers.push(Some(nanos));
            }
            wp_presentation_feedback::Event::Discarded => events.answers.push(None),
            _ => {}
        }
    }
}

impl Dispatch<WlCallback, ()> for Events {
    fn event(events: &mut Self, _: &WlCallback, _: wl_callback::Event, (): &(), _: &Connection, _: &QueueHandle<Self>) {
        events.callbacks += 1;
    }
}

impl Dispatch<XdgSurface, ()> for Events {
    fn event(
        events: &mut Self,
        role: &XdgSurface,
        event: xdg_surface::Event,
        (): &(),
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        if let xdg_surface::Event::Configure { serial } = event {
            role.ack_configure(serial);
            events.is_configured = true;
        }
    }
}

impl Dispatch<WlRegistry, GlobalListContents> for Events {
    fn event(
        _: &mut Self,
        _: &WlRegistry,
        _: wl_registry::Event,
        _: &GlobalListContents,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
    }
}

delegate_noop!(Events: ignore WlCompositor);
delegate_noop!(Events: ignore WlSurface);
delegate_noop!(Events: ignore WlShm);
delegate_noop!(Events: ignore WlShmPool);
delegate_noop!(Events: ignore WlBuffer);
delegate_noop!(Events: ignore WpPresentation);
delegate_noop!(Events: ignore WpCommitTimingManagerV1);
delegate_noop!(Events: ignore WpCommitTimerV1);
delegate_noop!(Events: ignore WpFifoManagerV1);
delegate_noop!(Events: ignore WpFifoV1);
delegate_noop!(Events: ignore XdgWmBase);
delegate_noop!(Events: ignore XdgToplevel);
