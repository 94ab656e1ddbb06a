//! A small test window on Wayland.

use std::fs::File;
use std::os::fd::AsFd as _;
use std::os::unix::fs::FileExt as _;
use std::time::Duration;

use rustix::fs::{MemfdFlags, memfd_create};
use wayland_client::protocol::wl_buffer::WlBuffer;
use wayland_client::protocol::wl_callback::{self, WlCallback};
use wayland_client::protocol::wl_compositor::WlCompositor;
use wayland_client::protocol::wl_shm::{Format, WlShm};
use wayland_client::protocol::wl_shm_pool::WlShmPool;
use wayland_client::protocol::wl_surface::WlSurface;
use wayland_client::{Connection, Dispatch, EventQueue, QueueHandle, delegate_noop};
use wayland_protocols::xdg::shell::client::xdg_surface::{self, XdgSurface};
use wayland_protocols::xdg::shell::client::xdg_toplevel::{self, XdgToplevel};
use wayland_protocols::xdg::shell::client::xdg_wm_base::{self, XdgWmBase};

use crate::error::WaylandError;
use crate::wayland::answers::{Globals, must_answer, send, wait_until};

/// Width and height in pixels.
const SIZE: (i32, i32) = (320, 240);

const BYTES: i32 = 4 * SIZE.0 * SIZE.1;

/// Shades of grey of alternate frames.
const SHADES: [u8; 2] = [0x60, 0x70];

/// A small plain grey window whose frames cost almost nothing, to measure the presentation feedback of a compositor.
#[derive(Debug)]
pub struct Window {
    connection: Connection,
    queue: EventQueue<Events>,
    surface: WlSurface,
    buffers: Vec<WlBuffer>,
    events: Events,
    frames: usize,
}

#[derive(Debug, Default)]
struct Events {
    is_configured: bool,
    /// Whether the compositor has requested a frame.
    is_wanted: bool,
    is_closed: bool,
}

impl Window {
    /// Opens a window on the compositor that the environment names. Each answer is waited for up to five seconds.
    ///
    /// # Errors
    ///
    /// If there is no compositor, it cannot show windows, or it does not answer.
    pub fn open(title: &str) -> Result<Self, WaylandError> {
        Self::open_on(Connection::connect_to_env()?, title)
    }

    /// Opens a window on an existing connection.
    ///
    /// # Errors
    ///
    /// If the compositor cannot show windows, or does not answer.
    pub fn open_on(connection: Connection, title: &str) -> Result<Self, WaylandError> {
        let globals = Globals::read(&connection)?;
        let mut queue = connection.new_event_queue();
        let handle = queue.handle();
        let compositor: WlCompositor = globals.bind(&handle, 4..=6)?;
        let shell: XdgWmBase = globals.bind(&handle, 1..=2)?;
        let buffers = buffers(&globals, &handle)?;
        let surface = compositor.create_surface(&handle, ());
        let role = shell.get_xdg_surface(&surface, &handle, ());
        role.get_toplevel(&handle, ()).set_title(title.to_owned());
        surface.commit();
        let mut events = Events::default();
        must_answer(&connection, &mut queue, &mut events, |events| events.is_configured)?;
        Ok(Self {
            connection,
            queue,
            surface,
            buffers,
            events,
            frames: 0,
        })
    }

    /// The connection of the window.
    #[must_use]
    pub const fn connection(&self) -> &Connection {
        &self.connection
    }

    /// The surface of the window.
    #[must_use]
    pub const fn surface(&self) -> &WlSurface {
        &self.surface
    }

    /// Whether the window was closed.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        self.events.is_closed
    }

    /// Submits a frame.
    ///
    /// # Errors
    ///
    /// If the connection broke, or the compositor has taken nothing for five seconds.
    pub fn commit(&mut self) -> Result<(), WaylandError> {
        self.surface.attach(self.buffers.get(self.frames % SHADES.len()), 0, 0);
        self.surface.damage_buffer(0, 0, SIZE.0, SIZE.1);
        self.surface.frame(&self.queue.handle(), ());
        self.surface.commit();
        self.frames += 1;
        self.events.is_wanted = false;
        send(&self.connection)
    }

    /// Waits until the compositor requests the next frame, at most for this long: it requests none for a window that is not visible.
    /// Returns whether it does.
    ///
    /// # Errors
    ///
    /// If the connection broke.
    pub fn wait(&mut self, at_most: Duration) -> Result<bool, WaylandError> {
        let (queue, events) = (&mut self.queue, &mut self.events);
        wait_until(&self.connection, queue, events, at_most, |events| events.is_wanted)
    }

    /// Reads events for this long.
    ///
    /// # Errors
    ///
    /// If the connection broke.
    pub fn listen(&mut self, time: Duration) -> Result<(), WaylandError> {
        let (queue, events) = (&mut self.queue, &mut self.events);
        wait_until(&self.connection, queue, events, time, |_| false).map(drop)
    }
}

/// Two plain grey buffers.
fn buffers(globals: &Globals, handle: &QueueHandle<Events>) -> Result<Vec<WlBuffer>, WaylandError> {
    let memory: WlShm = globals.bind(handle, 1..=1)?;
    let file = File::from(memfd_create("evenstep", MemfdFlags::CLOEXEC).map_err(std::io::Error::from)?);
    let total = BYTES * SHADES.len() as i32;
    file.set_len(total as u64)?;
    let pool = memory.create_pool(file.as_fd(), total, handle, ());
    let mut buffers = Vec::new();
    for (shade, at) in SHADES.into_iter().zip((0..).step_by(BYTES as usize)) {
        file.write_all_at(&vec![shade; BYTES as usize], at as u64)?;
        buffers.push(pool.create_buffer(at, SIZE.0, SIZE.1, 4 * SIZE.0, Format::Xrgb8888, handle, ()));
    }
    pool.destroy();
    Ok(buffers)
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

impl Dispatch<XdgToplevel, ()> for Events {
    fn event(
        events: &mut Self,
        _: &XdgToplevel,
        event: xdg_toplevel::Event,
        (): &(),
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        events.is_closed |= matches!(event, xdg_toplevel::Event::Close);
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

// Events that are ignored.
delegate_noop!(Events: ignore WlCompositor);
delegate_noop!(Events: ignore WlSurface);
delegate_noop!(Events: ignore WlShm);
delegate_noop!(Events: ignore WlShmPool);
delegate_noop!(Events: ignore WlBuffer);
