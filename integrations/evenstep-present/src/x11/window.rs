//! A small test window on X11.

use std::os::fd::AsFd as _;
use std::time::{Duration, Instant};

use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::present::ConnectionExt as _;
use x11rb::protocol::xproto::{
    AtomEnum, ConnectionExt as _, CreateGCAux, CreateWindowAux, PropMode, Rectangle, Screen, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

use crate::error::X11Error;
use crate::poll::wait_until_readable;
use crate::x11::patient::{self, PatientStream};
use crate::x11::presentation::PresentationFeedback;

/// Width and height in pixels.
const SIZE: (u16, u16) = (320, 240);

/// Colours of alternate frames.
const SHADES: [u32; 2] = [0x60_60_60, 0x70_70_70];

/// A small plain grey window whose frames cost almost nothing, to measure the presentation feedback of a server.
#[derive(Debug)]
pub struct Window {
    connection: RustConnection<PatientStream>,
    feedback: PresentationFeedback,
    id: u32,
    pixmaps: Vec<u32>,
    /// The protocol atom by which a window manager asks to close the window.
    close: u32,
    newest: u64,
    is_closed: bool,
}

impl Window {
    /// Opens a window on the server that the environment names. Each answer is waited for up to five seconds.
    ///
    /// # Errors
    ///
    /// If there is no server, it lacks the extension `Present`, or it does not answer.
    pub fn open(title: &str) -> Result<Self, X11Error> {
        Self::open_at(None, title)
    }

    /// Opens a window on a server by its name, for example `:1`.
    ///
    /// # Errors
    ///
    /// If there is no such server, it lacks the extension `Present`, or it does not answer.
    pub fn open_at(server: Option<&str>, title: &str) -> Result<Self, X11Error> {
        let (connection, screen) = patient::connect(server)?;
        let screen = &connection.setup().roots[screen];
        let id = window(&connection, screen)?;
        let pixmaps = pixmaps(&connection, screen, id)?;
        connection.change_property8(
            PropMode::REPLACE,
            id,
            AtomEnum::WM_NAME,
            AtomEnum::STRING,
            title.as_bytes(),
        )?;
        let close = connection.intern_atom(false, b"WM_DELETE_WINDOW")?.reply()?.atom;
        let protocols = connection.intern_atom(false, b"WM_PROTOCOLS")?.reply()?.atom;
        connection.change_property32(PropMode::REPLACE, id, protocols, AtomEnum::ATOM, &[close])?;
        connection.map_window(id)?.check()?;
        let feedback = PresentationFeedback::on(patient::connect(server)?.0, id)?;
        Ok(Self {
            connection,
            feedback,
            id,
            pixmaps,
            close,
            newest: 0,
            is_closed: false,
        })
    }

    /// The id of the window.
    #[must_use]
    pub const fn id(&self) -> u32 {
        self.id
    }

    /// The presentation feedback of the window.
    pub const fn feedback(&mut self) -> &mut PresentationFeedback {
        &mut self.feedback
    }

    /// Whether the window was closed.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Submits a frame, to be presented at the next refresh. Frames are numbered from one.
    ///
    /// # Errors
    ///
    /// If the connection broke, or the server has taken nothing for five seconds.
    pub fn present(&mut self, frame: u64) -> Result<(), X11Error> {
        let pixmap = self.pixmaps[frame as usize % SHADES.len()];
        let serial = frame as u32;
        // The whole pixmap, on no particular CRTC, without a fence, as soon as the display can.
        self.connection
            .present_pixmap(self.id, pixmap, serial, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, &[])?;
        self.connection.flush()?;
        self.newest = frame;
        Ok(())
    }

    /// Waits until the last frame is reported, at most for this long: a window that is not visible may get no reports. Returns whether it
    /// is. Reports of skipped frames may follow.
    ///
    /// # Errors
    ///
    /// If the connection broke.
    pub fn wait(&mut self, at_most: Duration) -> Result<bool, X11Error> {
        self.read(at_most, |window| window.feedback.newest() >= Some(window.newest))
    }

    /// Reads events for this long.
    ///
    /// # Errors
    ///
    /// If the connection broke.
    pub fn listen(&mut self, time: Duration) -> Result<(), X11Error> {
        self.read(time, |_| false).map(|_| ())
    }

    fn read(&mut self, at_most: Duration, is_over: impl Fn(&Self) -> bool) -> Result<bool, X11Error> {
        let start = Instant::now();
        loop {
            self.feedback.read()?;
            while let Some(event) = self.connection.poll_for_event()? {
                let asked = |message: &[u32; 5]| message[0] == self.close;
                self.is_closed |= matches!(&event, Event::ClientMessage(message) if asked(&message.data.as_data32()));
                self.is_closed |= matches!(&event, Event::DestroyNotify(_));
            }
            let left = at_most.saturating_sub(start.elapsed());
            if is_over(self) || self.is_closed || left.is_zero() {
                return Ok(is_over(self));
            }
            let streams = [&self.connection, self.feedback.connection()].map(|connection| connection.stream().as_fd());
            wait_until_readable(&streams, left)?;
        }
    }
}

fn window(connection: &RustConnection<PatientStream>, screen: &Screen) -> Result<u32, X11Error> {
    use x11rb::protocol::xproto::EventMask;

    let id = connection.generate_id()?;
    let (width, height) = SIZE;
    let settings = CreateWindowAux::new().event_mask(EventMask::STRUCTURE_NOTIFY);
    let class = WindowClass::INPUT_OUTPUT;
    connection.create_window(
        screen.root_depth,
        id,
        screen.root,
        0,
        0,
        width,
        height,
        0,
        class,
        screen.root_visual,
        &settings,
    )?;
    Ok(id)
}

/// Two plain grey pixmaps.
fn pixmaps(connection: &RustConnection<PatientStream>, screen: &Screen, window: u32) -> Result<Vec<u32>, X11Error> {
    let (width, height) = SIZE;
    let mut pixmaps = Vec::new();
    for shade in SHADES {
        let (pixmap, brush) = (connection.generate_id()?, connection.generate_id()?);
        connection.create_pixmap(screen.root_depth, pixmap, window, width, height)?;
        connection.create_gc(brush, pixmap, &CreateGCAux::new().foreground(shade))?;
        let whole = Rectangle {
            x: 0,
            y: 0,
            width,
            height,
        };
        connection.poly_fill_rectangle(pixmap, brush, &[whole])?;
        connection.free_gc(brush)?;
        pixmaps.push(pixmap);
    }
    Ok(pixmaps)
}
