//! Keys and buttons from an X server, with the server's times.

use std::time::Duration;

use evenstep::MonotonicClock;
use evenstep::input::InputEvent;
use x11rb::connection::{Connection as _, RequestConnection as _};
use x11rb::protocol::Event;
use x11rb::protocol::xinput::{ConnectionExt as _, Device, EventMask, X11_EXTENSION_NAME, XIEventMask};
use x11rb::protocol::xproto::{self, ChangeWindowAttributesAux, ConnectionExt as _, NotifyDetail, NotifyMode};
use x11rb::rust_connection::{RustConnection, Stream};

use crate::error::X11Error;
use crate::input::{EventClock, Received};
use crate::x11::patient::{self, PatientStream};

/// Key codes of X servers are those of Linux, plus this.
const FIRST_KEY: u32 = 8;

/// Buttons of the mouse by their number, and their codes in Linux. Numbers 4 to 7 are turns of the wheel.
const BUTTONS: [(u32, u32); 5] = [(1, 0x110), (2, 0x112), (3, 0x111), (8, 0x113), (9, 0x114)];

/// Receives keys and buttons with the time at which the server received them, which window libraries do not pass on.
///
/// It has its own connection, so it takes no events away from the program, and any library can own the window. It never waits. Events can
/// be read once a frame: their times do not depend on it.
///
/// ```no_run
/// use evenstep::input::{Controls, InputBuffer};
/// use evenstep::{FixedTimestep, FrameClock, MonotonicClock, Rate};
/// use evenstep_present::x11::{RawInput, X11Error};
///
/// const SPACE: u32 = 57; // `KEY_SPACE` in Linux's `input-event-codes.h`
///
/// # fn jump() {}
/// # fn play(window: u32) -> Result<(), X11Error> {
/// let mut keys = RawInput::connect(window)?; // the X11 id of any window of the program
/// let (clock, mut frames) = (MonotonicClock::new(), FrameClock::new(()));
/// let mut timestep = FixedTimestep::new(Rate::hz(60));
/// let (mut input, mut controls) = (InputBuffer::new(256), Controls::new());
/// loop {
///     for (at, event) in keys.poll(&clock)? {
///         let _ = input.push(at, event); // in a full buffer the state of the key remains
///     }
///     let time = frames.begin_frame(clock.now());
///     let frame = timestep.advance(time.delta);
///     input.begin_frame(&time, &frame);
///     for step in frame.steps() {
///         controls.take(&mut input, &step);
///         if controls.was_pressed(&SPACE) {
///             jump();
///         }
///     }
///     // draw, and let the window library handle all other events
/// }
/// # }
/// ```
///
/// # Keys and the focus
///
/// Keys and buttons have the codes of Linux (`input-event-codes.h`), by their place on the keyboard; `PhysicalKey::from_scancode` of
/// winit converts them. There are no repetitions, no motion, no wheel and no text. The events are the raw events of the extension XInput 2.1.
/// They ignore grabs, so they also arrive where the program or a library has grabbed the keyboard or the pointer.
///
/// A server sends raw events whether or not the window has the focus. Events that happened without the focus are left out. Losing the focus is
/// [`ReleaseAll`](InputEvent::ReleaseAll), except in a grab by the program itself. A button counts also if the pointer is not in the window, for example on another window, as
/// long as the window has the focus: take buttons from here only where the program has grabbed the pointer.
///
/// # Times
///
/// A server states milliseconds of 32 bits, in its own time. Servers on Linux use `CLOCK_MONOTONIC`, and then a time is converted with an
/// error of at most half a millisecond. The offset of another clock, such as that of another machine, is estimated by the event with the
/// least delay so far: times are then too late, at worst by the time that an event waited for the call of [`poll`](Self::poll). Times never
/// decrease. The focus is lost at the time of the last event or of the last call, whichever was later.
///
/// A server of this kind does not report when the kernel received a key; a busy server is late. Events that XTEST generates are not
/// different.
#[derive(Debug)]
pub struct RawInput<S: Stream = PatientStream> {
    connection: RustConnection<S>,
    is_focused: bool,
    times: EventClock,
}

impl RawInput {
    /// Receives the input of a window of the server that the environment names. Each answer is waited for up to five seconds.
    ///
    /// # Errors
    ///
    /// If there is no server, no such window or no extension XInput 2.1, or the server does not answer.
    pub fn connect(window: u32) -> Result<Self, X11Error> {
        let (connection, _) = patient::connect(None)?;
        Self::on(connection, window)
    }
}

impl<S: Stream> RawInput<S> {
    /// Receives the input of a window on a connection that is used for nothing else. Its stream decides how long answers of the server are
    /// waited for.
    ///
    /// # Errors
    ///
    /// If there is no such window or no extension XInput 2.1.
    pub fn on(connection: RustConnection<S>, window: u32) -> Result<Self, X11Error> {
        if connection.extension_information(X11_EXTENSION_NAME)?.is_none() {
            return Err(X11Error::Unsupported(X11_EXTENSION_NAME));
        }
        // Before version 2.1 raw events are not sent during grabs.
        let version = connection.xinput_xi_query_version(2, 1)?.reply()?;
        if (version.major_version, version.minor_version) < (2, 1) {
            return Err(X11Error::Unsupported(X11_EXTENSION_NAME));
        }
        let focus = ChangeWindowAttributesAux::new().event_mask(xproto::EventMask::FOCUS_CHANGE);
        connection.change_window_attributes(window, &focus)?.check()?;
        let root = connection.query_tree(window)?.reply()?.root;
        let wanted = EventMask {
            deviceid: Device::ALL_MASTER.into(),
            mask: vec![
                XIEventMask::RAW_KEY_PRESS
                    | XIEventMask::RAW_KEY_RELEASE
                    | XIEventMask::RAW_BUTTON_PRESS
                    | XIEventMask::RAW_BUTTON_RELEASE,
            ],
        };
        connection.xinput_xi_select_events(root, &[wanted])?.check()?;
        let mut focused = connection.get_input_focus()?.reply()?.focus;
        // A window within it may have the focus. Zero and one are no windows.
        while focused > 1 && focused != window {
            focused = connection.query_tree(focused)?.reply()?.parent;
        }
        Ok(Self {
            connection,
            is_focused: focused == window,
            times: EventClock::default(),
        })
    }

    /// The events that have arrived since the last call, in order, with times on the clock of [`MonotonicClock::now`]. Always pass the same
    /// clock.
    ///
    /// # Errors
    ///
    /// If the connection broke.
    pub fn poll(&mut self, clock: &MonotonicClock) -> Result<Vec<(Duration, InputEvent<u32>)>, X11Error> {
        let mut received = Vec::new();
        while let Some(event) = self.connection.poll_for_event()? {
            self.receive(&event, &mut received);
        }
        Ok(self.times.convert(&received, clock))
    }

    /// Whether the window has the focus, as of the last [`poll`](Self::poll).
    #[must_use]
    pub const fn is_focused(&self) -> bool {
        self.is_focused
    }

    fn receive(&mut self, event: &Event, received: &mut Vec<Received>) {
        match event {
            // The focus goes to a window within it.
            Event::FocusOut(event) if event.detail == NotifyDetail::INFERIOR => {}
            Event::FocusOut(_) => {
                if std::mem::replace(&mut self.is_focused, false) {
                    received.push((None, InputEvent::ReleaseAll));
                }
            }
            Event::FocusIn(event) => {
                // A program that grabs the keyboard for its window loses the focus and has it again at once: nothing was released.
                if matches!(event.mode, NotifyMode::GRAB | NotifyMode::UNGRAB) && !self.is_focused {
                    received.pop_if(|(_, change)| *change == InputEvent::ReleaseAll);
                }
                self.is_focused = true;
            }
            event => received.extend(change(event).filter(|_| self.is_focused)),
        }
    }
}

/// A change of a key or button, with its time.
fn change(event: &Event) -> Option<Received> {
    let (time, change) = match event {
        Event::XinputRawKeyPress(event) => (event.time, InputEvent::Press(key(event.detail)?)),
        Event::XinputRawKeyRelease(event) => (event.time, InputEvent::Release(key(event.detail)?)),
        Event::XinputRawButtonPress(event) => (event.time, InputEvent::Press(button(event.detail)?)),
        Event::XinputRawButtonRelease(event) => (event.time, InputEvent::Release(button(event.detail)?)),
        _ => return None,
    };
    Some((Some(time), change))
}

fn key(detail: u32) -> Option<u32> {
    detail.checked_sub(FIRST_KEY)
}

fn button(detail: u32) -> Option<u32> {
    let mut buttons = BUTTONS.iter();
    buttons.find(|(number, _)| *number == detail).map(|(_, code)| *code)
}
