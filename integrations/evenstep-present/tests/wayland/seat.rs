//! A compositor with a seat, whose hands follow a test.

use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use wayland_server::backend::ClientData;
use wayland_server::protocol::wl_compositor::{self, WlCompositor};
use wayland_server::protocol::wl_keyboard::{self, KeyState, WlKeyboard};
use wayland_server::protocol::wl_pointer::{self, ButtonState, WlPointer};
use wayland_server::protocol::wl_seat::{self, Capability, WlSeat};
use wayland_server::protocol::wl_surface::{self, WlSurface};
use wayland_server::{Client, DataInit, Dispatch, Display, DisplayHandle, GlobalDispatch, New};

/// What happens at the seat.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Act {
    /// Which devices there are.
    Plug(Capability),
    /// The window gets or loses the focus.
    Focus(bool),
    /// A key with its time in milliseconds, and whether it goes down.
    Key(u32, u32, bool),
    /// A button of the mouse.
    Button(u32, u32, bool),
}

/// The compositor on its thread, which ends when this is dropped.
pub(crate) struct Hands {
    acts: Option<Sender<Act>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Desk {
    seats: Vec<WlSeat>,
    keyboards: Vec<WlKeyboard>,
    pointers: Vec<WlPointer>,
    surface: Option<WlSurface>,
    plugged: Option<Capability>,
    serial: u32,
}

impl Hands {
    /// Starts a compositor with these devices, with a client at the other end of a socket.
    pub(crate) fn start(plugged: Capability) -> (Self, UnixStream) {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let (acts, received) = channel();
        let thread = std::thread::spawn(move || {
            let mut display = Display::<Desk>::new().unwrap();
            let mut handle = display.handle();
            handle.create_global::<Desk, WlCompositor, ()>(4, ());
            handle.create_global::<Desk, WlSeat, ()>(7, ());
            handle.insert_client(ours, Arc::new(Nothing)).unwrap();
            let mut desk = Desk {
                plugged: Some(plugged),
                ..Desk::default()
            };
            while desk.act(&received) {
                display.dispatch_clients(&mut desk).unwrap();
                display.flush_clients().unwrap();
                std::thread::sleep(Duration::from_micros(50));
            }
        });
        let hands = Self {
            acts: Some(acts),
            thread: Some(thread),
        };
        (hands, theirs)
    }

    pub(crate) fn act(&self, act: Act) {
        self.acts.as_ref().unwrap().send(act).unwrap();
    }

    /// For another thread. The compositor runs until it is dropped, too.
    pub(crate) fn hand(&self) -> Sender<Act> {
        self.acts.clone().unwrap()
    }
}

impl Drop for Hands {
    fn drop(&mut self) {
        self.acts = None;
        let ended = self.thread.take().unwrap().join();
        assert!(ended.is_ok() || std::thread::panicking(), "the compositor panicked");
    }
}

impl Desk {
    /// Does what the test wants. Returns whether the test still runs.
    fn act(&mut self, received: &Receiver<Act>) -> bool {
        loop {
            let act = match received.try_recv() {
                Ok(act) => act,
                Err(error) => return error == TryRecvError::Empty,
            };
            self.serial += 1;
            let serial = self.serial;
            match act {
                Act::Plug(plugged) => {
                    self.plugged = Some(plugged);
                    self.seats.iter().for_each(|seat| seat.capabilities(plugged));
                }
                Act::Focus(is_focused) => {
                    let surface = self.surface.as_ref().unwrap();
                    for keyboard in &self.keyboards {
                        if is_focused {
                            keyboard.enter(serial, surface, Vec::new());
                        } else {
                            keyboard.leave(serial, surface);
                        }
                    }
                }
                Act::Key(time, key, is_down) => {
                    let state = if is_down { KeyState::Pressed } else { KeyState::Released };
                    self.keyboards
                        .iter()
                        .for_each(|keyboard| keyboard.key(serial, time, key, state));
                }
                Act::Button(time, button, is_down) => {
                    let state = if is_down {
                        ButtonState::Pressed
                    } else {
                        ButtonState::Released
                    };
                    self.pointers
                        .iter()
                        .for_each(|pointer| pointer.button(serial, time, button, state));
                }
            }
        }
    }
}

struct Nothing;

impl ClientData for Nothing {}

impl GlobalDispatch<WlCompositor, ()> for Desk {
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

impl GlobalDispatch<WlSeat, ()> for Desk {
    fn bind(desk: &mut Self, _: &DisplayHandle, _: &Client, new: New<WlSeat>, (): &(), init: &mut DataInit<'_, Self>) {
        let seat = init.init(new, ());
        seat.capabilities(desk.plugged.unwrap());
        desk.seats.push(seat);
    }
}

impl Dispatch<WlCompositor, ()> for Desk {
    fn request(
        desk: &mut Self,
        _: &Client,
        _: &WlCompositor,
        request: wl_compositor::Request,
        (): &(),
        _: &DisplayHandle,
        init: &mut DataInit<'_, Self>,
    ) {
        if let wl_compositor::Request::CreateSurface { id } = request {
            desk.surface = Some(init.init(id, ()));
        }
    }
}

impl Dispatch<WlSeat, ()> for Desk {
    fn request(
        desk: &mut Self,
        _: &Client,
        seat: &WlSeat,
        request: wl_seat::Request,
        (): &(),
        _: &DisplayHandle,
        init: &mut DataInit<'_, Self>,
    ) {
        match request {
            wl_seat::Request::GetKeyboard { id } => desk.keyboards.push(init.init(id, ())),
            wl_seat::Request::GetPointer { id } => desk.pointers.push(init.init(id, ())),
            wl_seat::Request::Release => desk.seats.retain(|other| other != seat),
            _ => {}
        }
    }
}

impl Dispatch<WlKeyboard, ()> for Desk {
    fn request(
        desk: &mut Self,
        _: &Client,
        keyboard: &WlKeyboard,
        _: wl_keyboard::Request,
        (): &(),
        _: &DisplayHandle,
        _: &mut DataInit<'_, Self>,
    ) {
        desk.keyboards.retain(|other| other != keyboard); // its only request is to release it
    }
}

impl Dispatch<WlPointer, ()> for Desk {
    fn request(
        desk: &mut Self,
        _: &Client,
        pointer: &WlPointer,
        request: wl_pointer::Request,
        (): &(),
        _: &DisplayHandle,
        _: &mut DataInit<'_, Self>,
    ) {
        if let wl_pointer::Request::Release = request {
            desk.pointers.retain(|other| other != pointer);
        }
    }
}

impl Dispatch<WlSurface, ()> for Desk {
    fn request(
        _: &mut Self,
        _: &Client,
        _: &WlSurface,
        _: wl_surface::Request,
        (): &(),
        _: &DisplayHandle,
        _: &mut DataInit<'_, Self>,
    ) {
    }
}
