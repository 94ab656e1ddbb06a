//! Requests to a compositor whose replies are waited for, with a timeout.

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use rustix::event::PollFlags;
use wayland_client::backend::WaylandError as BackendError;
use wayland_client::globals::BindError;
use wayland_client::protocol::wl_callback::{self, WlCallback};
use wayland_client::protocol::wl_registry::{self, WlRegistry};
use wayland_client::{Connection, Dispatch, DispatchError, EventQueue, Proxy, QueueHandle};

use crate::error::WaylandError;
use crate::poll::{SERVER_TIMEOUT, wait_for};

/// The globals of a compositor.
#[derive(Debug)]
pub(super) struct Globals {
    registry: WlRegistry,
    offered: Vec<Offer>,
}

#[derive(Debug)]
struct Offer {
    name: u32,
    interface: String,
    version: u32,
}

#[derive(Default)]
struct Offers {
    offered: Vec<Offer>,
    is_complete: bool,
}

impl Globals {
    /// Requests them.
    pub(super) fn read(connection: &Connection) -> Result<Self, WaylandError> {
        let mut queue = connection.new_event_queue();
        let handle = queue.handle();
        let registry = connection.display().get_registry(&handle, ());
        connection.display().sync(&handle, ());
        let mut offers = Offers::default();
        wait_for_reply(connection, &mut queue, &mut offers, |offers| offers.is_complete)?;
        let offered = offers.offered;
        Ok(Self { registry, offered })
    }

    /// Takes a part of it, in the newest version that both sides have.
    pub(super) fn bind<I, S>(&self, handle: &QueueHandle<S>, versions: RangeInclusive<u32>) -> Result<I, WaylandError>
    where
        I: Proxy + 'static,
        S: Dispatch<I, ()> + 'static,
    {
        let wanted = I::interface().name;
        let mut offered = self.offered.iter();
        let offer = offered.find(|offer| offer.interface == wanted);
        let offer = offer.ok_or(BindError::NotPresent)?;
        if offer.version < *versions.start() {
            return Err(BindError::UnsupportedVersion.into());
        }
        let version = offer.version.min(*versions.end());
        Ok(self.registry.bind(offer.name, version, handle, ()))
    }
}

/// Waits until the reply to a request has arrived, for [`SERVER_TIMEOUT`] at most.
pub(super) fn wait_for_reply<S>(
    connection: &Connection,
    queue: &mut EventQueue<S>,
    state: &mut S,
    has_arrived: impl Fn(&S) -> bool,
) -> Result<(), WaylandError> {
    let start = Instant::now();
    loop {
        queue.dispatch_pending(state)?;
        if has_arrived(state) {
            return Ok(());
        }
        let left = SERVER_TIMEOUT.saturating_sub(start.elapsed());
        if left.is_zero() {
            return Err(WaylandError::Silent(SERVER_TIMEOUT));
        }
        read(connection, queue, left)?;
    }
}

/// Reads the data that arrives within a time.
fn read<S>(connection: &Connection, queue: &EventQueue<S>, at_most: Duration) -> Result<(), WaylandError> {
    // Data that the compositor does not take yet is sent when there is room.
    let mut awaited = PollFlags::IN;
    awaited.set(PollFlags::OUT, !flush(connection)?);
    let Some(reading) = queue.prepare_read() else {
        return Ok(());
    };
    if !wait_for(&[reading.connection_fd()], awaited, at_most)?.contains(PollFlags::IN) {
        return Ok(());
    }
    match reading.read() {
        Err(BackendError::Io(error)) if error.kind() == std::io::ErrorKind::WouldBlock => Ok(()),
        read => Ok(read.map(drop).map_err(DispatchError::from)?),
    }
}

/// Whether there was room for all.
fn flush(connection: &Connection) -> Result<bool, WaylandError> {
    match connection.flush() {
        Ok(()) => Ok(true),
        Err(BackendError::Io(error)) if error.kind() == std::io::ErrorKind::WouldBlock => Ok(false),
        Err(error) => Err(DispatchError::from(error).into()),
    }
}

impl Dispatch<WlRegistry, ()> for Offers {
    fn event(
        offers: &mut Self,
        _: &WlRegistry,
        event: wl_registry::Event,
        (): &(),
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        match event {
            wl_registry::Event::Global {
                name,
                interface,
                version,
            } => offers.offered.push(Offer {
                name,
                interface,
                version,
            }),
            wl_registry::Event::GlobalRemove { name } => offers.offered.retain(|offer| offer.name != name),
            _ => {}
        }
    }
}

impl Dispatch<WlCallback, ()> for Offers {
    fn event(
        offers: &mut Self,
        _: &WlCallback,
        event: wl_callback::Event,
        (): &(),
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        offers.is_complete |= matches!(event, wl_callback::Event::Done { .. });
    }
}
