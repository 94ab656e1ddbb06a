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
use wayland_client::{Connection, Dispatch, EventQueue, Proxy, QueueHandle};
use wayland_protocols::xdg::shell::client::xdg_surface::{self, XdgSurface};
use wayland_protocols::xdg::shell::client::xdg_toplevel::{self, XdgToplevel};
use wayland_protocols::xdg::shell::client::xdg_wm_base::{self, XdgWmBase};

use crate::wayland::answers::{Globals, must_answer, send, wait_until};
use crate::wayland::error::WaylandError;

/// Pixels in a row and in a column.
const SIZE: (i32, i32) = (320, 240);

const BYTES: i32 = 4 * SIZE.0 * SIZE.1;

/// Shades of grey that frames have in turn.
const SHADES: [u8; 2] = [0x60, 0x70];

/// A small window of even grey, whose frames cost next to nothing: to see what a compositor reports of them.
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
    /// Whether the compositor wants a frame.
    is_wanted: bool,
    is_closed: bool,
}

impl Window {
    /// Opens it at the compositor that the environment names, whose answers are waited for up to five seconds each.
    ///
    /// # Errors
    ///
    /// If there is none, it cannot show windows, or it does not answer.
    pub fn open(title: &str) -> Result<Self, WaylandError> {
        Self::open_on(Connection::connect_to_env()?, title)
    }

    /// Opens it on a connection that is there.
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

    /// The connection on which it is.
    #[must_use]
    pub const fn connection(&self) -> &Connection {
        &self.connection
    }

    /// What it shows.
    #[must_use]
    pub const fn surface(&self) -> &WlSurface {
        &self.surface
    }

    /// Whether somebody has closed it.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        self.events.is_closed
    }

    /// Hands a frame over.
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

    /// Waits until the compositor wants the next frame, but no longer than this: it wants none of a window that nobody sees.
    /// Answers with whether it does.
    ///
    /// # Errors
    ///
    /// If the connection broke.
    pub fn wait(&mut self, at_most: Duration) -> Result<bool, WaylandError> {
        let (queue, events) = (&mut self.queue, &mut self.events);
        wait_until(&self.connection, queue, events, at_most, |events| events.is_wanted)
    }

    /// Reads what arrives for so long, whatever that is.
    ///
    /// # Errors
    ///
    /// If the connection broke.
    pub fn listen(&mut self, time: Duration) -> Result<(), WaylandError> {
        let (queue, events) = (&mut self.queue, &mut self.events);
        wait_until(&self.connection, queue, events, time, |_| false).map(drop)
    }
}

/// Two pictures of even grey.
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

/// Events that change nothing here.
macro_rules! ignore {
    ($($interface:ty, $data:ty;)*) => {$(
        impl Dispatch<$interface, $data> for Events {
            fn event(
                _: &mut Self,
                _: &$interface,
                _: <$interface as Proxy>::Event,
                _: &$data,
                _: &Connection,
                _: &QueueHandle<Self>,
            ) {
            }
        }
    )*};
}

ignore! {
    WlCompositor, ();
    WlSurface, ();
    WlShm, ();
    WlShmPool, ();
    WlBuffer, ();
}
