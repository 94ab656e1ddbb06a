//! Keys and buttons from a Wayland compositor, with the compositor's times.

use std::time::Duration;

use evenstep::MonotonicClock;
use evenstep::input::InputEvent;
use wayland_client::protocol::wl_callback::{self, WlCallback};
use wayland_client::protocol::wl_keyboard::{self, KeyState, WlKeyboard};
use wayland_client::protocol::wl_pointer::{self, ButtonState, WlPointer};
use wayland_client::protocol::wl_seat::{self, Capability, WlSeat};
use wayland_client::{Connection, Dispatch, EventQueue, Proxy as _, QueueHandle, WEnum};

use crate::error::WaylandError;
use crate::input::{EventClock, Received};
use crate::wayland::answers::{Globals, must_answer, send};

/// Receives keys and buttons with the time that the compositor states, which window libraries do not pass on.
///
/// A compositor sends the input of a window to all keyboards and pointers of the connection that owns the window. This has its own keyboard
/// and pointer on the connection of the program, and its own event queue, so it takes no events away. It never waits: the program's event
/// loop must read from the connection. Events can be taken once a frame: their times do not depend on it.
///
/// # The connection
///
/// It must be that of the window. A connection of one's own receives no keys. Of a window library that uses `libwayland`, as winit does, a
/// program gets a pointer to the `wl_display`. From it, `Backend::from_foreign_display` of wayland-backend (feature `client_system`) makes
/// a connection. That call is `unsafe`, because the pointer must remain valid. It was not tried with winit.
///
/// # Keys and times
///
/// Keys and buttons have the codes of Linux (`input-event-codes.h`), by their place on the keyboard; `PhysicalKey::from_scancode` of
/// winit converts them. There are no repetitions, no motion, no wheel and no text. If a window loses the focus that is
/// [`ReleaseAll`](InputEvent::ReleaseAll). Only the first seat of the compositor is used.
///
/// A compositor states milliseconds of 32 bits, on a clock that the protocol leaves open. Where that is `CLOCK_MONOTONIC`, as it is of
/// events that libinput has read, a time is converted with an error of at most half a millisecond. The offset of another clock is estimated
/// by the event with the least delay so far: times are then too late, at worst by the time that an event waited for the call of
/// [`poll`](Self::poll). Times never decrease. The focus is lost at the time of the last event or of the last call, whichever was later.
#[derive(Debug)]
pub struct SeatInput {
    queue: EventQueue<Devices>,
    seat: WlSeat,
    devices: Devices,
    times: EventClock,
}

/// The keyboard and the pointer, and what was received from them.
#[derive(Debug, Default)]
struct Devices {
    /// Whether the compositor has announced the devices.
    is_complete: bool,
    keyboard: Option<WlKeyboard>,
    pointer: Option<WlPointer>,
    received: Vec<Received>,
}

impl SeatInput {
    /// Takes the first seat of the compositor; this waits for the answers of the compositor, for five seconds at most each.
    ///
    /// # Errors
    ///
    /// If the compositor has no seat of version 5 or does not answer, or the connection breaks.
    pub fn new(connection: &Connection) -> Result<Self, WaylandError> {
        let globals = Globals::read(connection)?;
        let mut queue = connection.new_event_queue();
        let seat = globals.bind(&queue.handle(), 5..=5)?;
        let mut devices = Devices::default();
        connection.display().sync(&queue.handle(), ());
        must_answer(connection, &mut queue, &mut devices, |devices| devices.is_complete)?;
        send(connection)?;
        Ok(Self {
            queue,
            seat,
            devices,
            times: EventClock::default(),
        })
    }

    /// The events that have arrived since the last call, in order, with times on the clock of [`MonotonicClock::now`]. Always pass the same
    /// clock.
    ///
    /// # Errors
    ///
    /// If the connection broke.
    pub fn poll(&mut self, clock: &MonotonicClock) -> Result<Vec<(Duration, InputEvent<u32>)>, WaylandError> {
        self.queue.dispatch_pending(&mut self.devices)?;
        let events = self.times.convert(&self.devices.received, clock);
        self.devices.received.clear();
        Ok(events)
    }
}

impl Devices {
    fn lose_focus(&mut self) {
        self.received.push((None, InputEvent::ReleaseAll));
    }

    fn lose_keyboard(&mut self) {
        if let Some(keyboard) = self.keyboard.take() {
            keyboard.release();
            self.lose_focus();
        }
    }

    fn lose_pointer(&mut self) {
        if let Some(pointer) = self.pointer.take() {
            pointer.release();
        }
    }
}

impl Drop for SeatInput {
    fn drop(&mut self) {
        if self.seat.is_alive() {
            self.devices.lose_keyboard();
            self.devices.lose_pointer();
            self.seat.release();
        }
    }
}

impl Dispatch<WlCallback, ()> for Devices {
    fn event(
        devices: &mut Self,
        _: &WlCallback,
        event: wl_callback::Event,
        (): &(),
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        devices.is_complete |= matches!(event, wl_callback::Event::Done { .. });
    }
}

impl Dispatch<WlSeat, ()> for Devices {
    fn event(
        devices: &mut Self,
        seat: &WlSeat,
        event: wl_seat::Event,
        (): &(),
        _: &Connection,
        handle: &QueueHandle<Self>,
    ) {
        let wl_seat::Event::Capabilities { capabilities } = event else {
            return;
        };
        let capabilities = match capabilities {
            WEnum::Value(capabilities) => capabilities,
            WEnum::Unknown(bits) => Capability::from_bits_truncate(bits),
        };
        if !capabilities.contains(Capability::Keyboard) {
            devices.lose_keyboard();
        } else if devices.keyboard.is_none() {
            devices.keyboard = Some(seat.get_keyboard(handle, ()));
        }
        if !capabilities.contains(Capability::Pointer) {
            devices.lose_pointer();
        } else if devices.pointer.is_none() {
            devices.pointer = Some(seat.get_pointer(handle, ()));
        }
    }
}

impl Dispatch<WlKeyboard, ()> for Devices {
    fn event(
        devices: &mut Self,
        _: &WlKeyboard,
        event: wl_keyboard::Event,
        (): &(),
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        match event {
            wl_keyboard::Event::Key { time, key, state, .. } => {
                let change = match state {
                    WEnum::Value(KeyState::Pressed) => InputEvent::Press(key),
                    WEnum::Value(KeyState::Released) => InputEvent::Release(key),
                    _ => return,
                };
                devices.received.push((Some(time), change));
            }
            wl_keyboard::Event::Leave { .. } => devices.lose_focus(),
            _ => {}
        }
    }
}

impl Dispatch<WlPointer, ()> for Devices {
    fn event(
        devices: &mut Self,
        _: &WlPointer,
        event: wl_pointer::Event,
        (): &(),
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        if let wl_pointer::Event::Button {
            time, button, state, ..
        } = event
        {
            let change = match state {
                WEnum::Value(ButtonState::Pressed) => InputEvent::Press(button),
                WEnum::Value(ButtonState::Released) => InputEvent::Release(button),
                _ => return,
            };
            devices.received.push((Some(time), change));
        }
    }
}
