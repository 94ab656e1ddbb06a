//! Acts as the player and as the window manager, as another client of the X server.

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConfigureWindowAux, ConnectionExt as _, CreateWindowAux, EventMask, ImageFormat,
    InputFocus, MapState, PropMode, WindowClass,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

use crate::pictures::Picture;

/// Any X11 error ends the test.
type Done<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// A key, with its key code in X servers for Linux.
#[derive(Clone, Copy)]
pub(crate) enum Key {
    Escape = 9,
    One = 10,
    Two = 11,
    Three = 12,
    Four = 13,
    Five = 14,
    Tab = 23,
    W = 25,
    I = 31,
    P = 33,
    Enter = 36,
    H = 43,
    L = 46,
    C = 54,
    Space = 65,
    Up = 111,
    Left = 113,
    Right = 114,
}

/// The event types of XTEST.
const PRESS: u8 = 2;
const RELEASE: u8 = 3;
const BUTTON_PRESS: u8 = 4;
const BUTTON_RELEASE: u8 = 5;
const MOTION: u8 = 6;

pub(crate) struct Desktop {
    connection: RustConnection,
    root: u32,
    game: u32,
    cover: Option<u32>,
}

impl Desktop {
    /// Connects to the display, and gives the focus to its only window, which must be visible already.
    pub(crate) fn connect(display: &str) -> Done<Self> {
        let (connection, screen) = RustConnection::connect(Some(display))?;
        let root = connection.setup().roots[screen].root;
        let windows = connection.query_tree(root)?.reply()?.children;
        let is_seen = |window: &u32| -> Done<bool> {
            let attributes = connection.get_window_attributes(*window)?.reply()?;
            let size = connection.get_geometry(*window)?.reply()?;
            Ok(attributes.map_state == MapState::VIEWABLE && size.width > 100)
        };
        let game = windows.into_iter().find(|window| is_seen(window).unwrap_or(false));
        let game = game.ok_or("no window is visible")?;
        connection
            .set_input_focus(InputFocus::PARENT, game, x11rb::CURRENT_TIME)?
            .check()?;
        Ok(Self {
            connection,
            root,
            game,
            cover: None,
        })
    }

    fn act(&self, what: u8, detail: u8, [x, y]: [i16; 2]) -> Done {
        let (now, device) = (x11rb::CURRENT_TIME, 0);
        // With the detail 1, the motion is relative.
        Ok(self
            .connection
            .xtest_fake_input(what, detail, now, self.root, x, y, device)?
            .check()?)
    }

    pub(crate) fn press(&self, key: Key) -> Done {
        self.act(PRESS, key as u8, [0; 2])
    }

    pub(crate) fn release(&self, key: Key) -> Done {
        self.act(RELEASE, key as u8, [0; 2])
    }

    pub(crate) fn set_button(&self, is_down: bool) -> Done {
        self.act(if is_down { BUTTON_PRESS } else { BUTTON_RELEASE }, 1, [0; 2])
    }

    /// Moves the mouse by a distance in pixels.
    pub(crate) fn move_by(&self, way: [i16; 2]) -> Done {
        self.act(MOTION, 1, way)
    }

    /// Moves the mouse to a pixel of the screen.
    pub(crate) fn move_to(&self, place: [i16; 2]) -> Done {
        self.act(MOTION, 0, place)
    }

    /// Resizes the window.
    pub(crate) fn resize(&self, width: u32, height: u32) -> Done {
        let size = ConfigureWindowAux::new().width(width).height(height);
        Ok(self.connection.configure_window(self.game, &size)?.check()?)
    }

    fn atom(&self, name: &str) -> Done<u32> {
        Ok(self.connection.intern_atom(false, name.as_bytes())?.reply()?.atom)
    }

    /// Does what a window manager does when a window is minimised: sets the window's state, and unmaps the window.
    pub(crate) fn set_minimised(&self, is_minimised: bool) -> Done {
        let (state, hidden) = (self.atom("_NET_WM_STATE")?, self.atom("_NET_WM_STATE_HIDDEN")?);
        let states: &[u32] = if is_minimised { &[hidden] } else { &[] };
        let (mode, kind) = (PropMode::REPLACE, AtomEnum::ATOM);
        self.connection
            .change_property32(mode, self.game, state, kind, states)?
            .check()?;
        if is_minimised {
            return Ok(self.connection.unmap_window(self.game)?.check()?);
        }
        self.connection.map_window(self.game)?.check()?;
        let focus = self
            .connection
            .set_input_focus(InputFocus::PARENT, self.game, x11rb::CURRENT_TIME)?;
        Ok(focus.check()?)
    }

    /// Opens another window that covers the whole screen.
    pub(crate) fn cover(&mut self) -> Done {
        let (cover, depth) = (self.connection.generate_id()?, x11rb::COPY_DEPTH_FROM_PARENT);
        let values = CreateWindowAux::new().background_pixel(0).override_redirect(1);
        let (class, visual) = (WindowClass::INPUT_OUTPUT, 0);
        self.connection
            .create_window(depth, cover, self.root, 0, 0, 2_000, 2_000, 0, class, visual, &values)?
            .check()?;
        self.connection.map_window(cover)?.check()?;
        self.cover = Some(cover);
        Ok(())
    }

    /// Closes the covering window.
    pub(crate) fn uncover(&mut self) -> Done {
        if let Some(cover) = self.cover.take() {
            self.connection.destroy_window(cover)?.check()?;
        }
        Ok(())
    }

    /// Presses the button that closes the window.
    pub(crate) fn close(&self) -> Done {
        let (protocols, delete) = (self.atom("WM_PROTOCOLS")?, self.atom("WM_DELETE_WINDOW")?);
        let message = ClientMessageEvent::new(32, self.game, protocols, [delete, 0, 0, 0, 0]);
        let sent = self
            .connection
            .send_event(false, self.game, EventMask::NO_EVENT, message)?;
        Ok(sent.check()?)
    }

    /// Destroys the program's window.
    pub(crate) fn destroy(&self) -> Done {
        Ok(self.connection.destroy_window(self.game)?.check()?)
    }

    /// A screenshot of the window.
    pub(crate) fn picture(&self) -> Done<Picture> {
        let size = self.connection.get_geometry(self.game)?.reply()?;
        let (width, height) = (size.width, size.height);
        let format = ImageFormat::Z_PIXMAP;
        let image = self
            .connection
            .get_image(format, self.game, 0, 0, width, height, u32::MAX)?
            .reply()?;
        let pixels = image.data.as_chunks::<4>().0.iter();
        Ok(Picture {
            size: [width.into(), height.into()],
            bytes: pixels.flat_map(|[blue, green, red, _]| [*red, *green, *blue]).collect(),
        })
    }
}
