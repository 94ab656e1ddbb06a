//! A plain grey window whose frames cost almost nothing, and the presentation feedback of its frames.

use std::fs::File;
use std::os::fd::AsFd as _;
use std::time::Duration;

use evenstep::MonotonicClock;
use evenstep_present::PresentFeedback;
use evenstep_present::wayland::PresentationFeedback;
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
use wayland_protocols::xdg::shell::client::xdg_surface::{self, XdgSurface};
use wayland_protocols::xdg::shell::client::xdg_toplevel::XdgToplevel;
use wayland_protocols::xdg::shell::client::xdg_wm_base::{self, XdgWmBase};

/// Width and height in pixels.
const SIZE: (i32, i32) = (320, 240);

pub(crate) struct Window {
    queue: EventQueue<Events>,
    events: Events,
    surface: WlSurface,
    buffer: WlBuffer,
    pub(crate) feedback: PresentationFeedback,
    pub(crate) clock: MonotonicClock,
    /// When each frame was submitted.
    pub(crate) submitted: Vec<Duration>,
    /// The reports, with the times at which they arrived.
    pub(crate) reports: Vec<(PresentFeedback, Duration)>,
}

#[derive(Default)]
struct Events {
    is_configured: bool,
    /// Whether the compositor has requested a frame.
    is_wanted: bool,
}

impl Window {
    pub(crate) fn open(connection: &Connection) -> Self {
        let (globals, mut queue) = registry_queue_init::<Events>(connection).unwrap();
        let handle = queue.handle();
        let compositor: WlCompositor = globals.bind(&handle, 4..=6, ()).unwrap();
        let shell: XdgWmBase = globals.bind(&handle, 1..=2, ()).unwrap();
        let memory: WlShm = globals.bind(&handle, 1..=1, ()).unwrap();
        let ((width, height), bytes) = (SIZE, 4 * SIZE.0 * SIZE.1);
        let file = File::from(memfd_create("window", MemfdFlags::CLOEXEC).unwrap());
        file.set_len(bytes as u64).unwrap();
        let pool = memory.create_pool(file.as_fd(), bytes, &handle, ());
        let buffer = pool.create_buffer(0, width, height, 4 * width, Format::Xrgb8888, &handle, ());
        let surface = compositor.create_surface(&handle, ());
        shell.get_xdg_surface(&surface, &handle, ()).get_toplevel(&handle, ());
        surface.commit();
        let mut events = Events::default();
        while !events.is_configured {
            queue.blocking_dispatch(&mut events).unwrap();
        }
        Self {
            queue,
            events,
            surface,
            buffer,
            feedback: PresentationFeedback::new(connection).unwrap(),
            clock: MonotonicClock::new(),
            submitted: Vec::new(),
            reports: Vec::new(),
        }
    }

    /// Submits this number of frames, each when the compositor requests it, and collects the reports that have arrived by then.
    pub(crate) fn show(&mut self, frames: usize) {
        for _ in 0..frames {
            self.submitted.push(self.clock.now());
            self.feedback.request(&self.surface, self.submitted.len() as u64);
            self.surface.attach(Some(&self.buffer), 0, 0);
            self.surface.damage_buffer(0, 0, SIZE.0, SIZE.1);
            self.surface.frame(&self.queue.handle(), ());
            self.surface.commit();
            self.events.is_wanted = false;
            while !self.events.is_wanted {
                self.queue.blocking_dispatch(&mut self.events).unwrap();
            }
            let reports = self.feedback.poll(&self.clock).unwrap();
            let arrived = self.clock.now();
            self.reports.extend(reports.into_iter().map(|report| (report, arrived)));
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

impl Dispatch<WlCallback, ()> for Events {
    fn event(
        events: &mut Self,
        _: &WlCallback,
        event: wl_callback::Event,
        (): &(),
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        events.is_wanted |= matches!(event, wl_callback::Event::Done { .. });
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

impl Dispatch<XdgWmBase, ()> for Events {
    fn event(
        _: &mut Self,
        shell: &XdgWmBase,
        event: xdg_wm_base::Event,
        (): &(),
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        if let xdg_wm_base::Event::Ping { serial } = event {
            shell.pong(serial);
        }
    }
}

delegate_noop!(Events: ignore WlBuffer);
delegate_noop!(Events: ignore WlCompositor);
delegate_noop!(Events: ignore WlShm);
delegate_noop!(Events: ignore WlShmPool);
delegate_noop!(Events: ignore WlSurface);
delegate_noop!(Events: ignore XdgToplevel);
