//! A program with an empty surface.

use wayland_client::globals::{GlobalListContents, registry_queue_init};
use wayland_client::protocol::wl_compositor::WlCompositor;
use wayland_client::protocol::wl_registry::{self, WlRegistry};
use wayland_client::protocol::wl_surface::WlSurface;
use wayland_client::{Connection, Dispatch, EventQueue, QueueHandle, delegate_noop};

use crate::compositor::{Compositor, Running};

pub(crate) struct Client {
    pub(crate) connection: Connection,
    pub(crate) surface: WlSurface,
    queue: EventQueue<Deaf>,
    _running: Running,
}

/// Events of the surface are ignored.
struct Deaf;

impl Client {
    pub(crate) fn connect(compositor: Compositor) -> Self {
        let (running, stream) = compositor.start();
        let connection = Connection::from_socket(stream).unwrap();
        let (globals, queue) = registry_queue_init::<Deaf>(&connection).unwrap();
        let compositor: WlCompositor = globals.bind(&queue.handle(), 1..=4, ()).unwrap();
        let surface = compositor.create_surface(&queue.handle(), ());
        Self {
            connection,
            surface,
            queue,
            _running: running,
        }
    }

    /// Commits a frame and waits until the compositor has processed it.
    pub(crate) fn commit(&mut self) {
        self.surface.commit();
        self.queue.roundtrip(&mut Deaf).unwrap();
    }
}

impl Dispatch<WlRegistry, GlobalListContents> for Deaf {
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

delegate_noop!(Deaf: ignore WlCompositor);
delegate_noop!(Deaf: ignore WlSurface);
