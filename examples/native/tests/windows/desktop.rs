//! A program in a window on an X server of its own, and the player and window manager who act on it as another client of that server.

use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConfigureWindowAux, ConnectionExt as _, EventMask, ImageFormat, InputFocus, MapState,
    PropMode,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

use crate::xvfb_server::Xvfb;

/// Any X11 error ends the test.
type Done<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// The longest wait for a state, on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(180);

/// A key, with its key code in X servers for Linux.
#[derive(Clone, Copy)]
pub(crate) enum Key {
    Escape = 9,
    R = 27,
    P = 33,
    S = 39,
    L = 46,
    Space = 65,
    Left = 113,
    Right = 114,
    Down = 116,
}

/// The event types of XTEST.
const PRESS: u8 = 2;
const RELEASE: u8 = 3;

/// The content of the window: the red, green and blue of each pixel, row by row from the top.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Picture {
    pub(crate) width: usize,
    pub(crate) pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// The column and row of each pixel with a colour.
    pub(crate) fn find(&self, colour: impl Fn([u8; 3]) -> bool) -> impl Iterator<Item = (usize, usize)> {
        let found = self.pixels.iter().enumerate().filter(move |(_, pixel)| colour(**pixel));
        found.map(|(index, _)| (index % self.width, index / self.width))
    }

    /// With `KEEP_PICTURES=1`, stores the picture for the book.
    pub(crate) fn keep(&self, name: &str) {
        if std::env::var_os("KEEP_PICTURES").is_none() {
            return;
        }
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pages");
        let file = std::fs::File::create(folder.join(name)).unwrap();
        let rows = self.pixels.len() / self.width;
        let mut encoder = png::Encoder::new(file, self.width as u32, rows as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_compression(png::Compression::High);
        let bytes = self.pixels.as_flattened();
        encoder.write_header().unwrap().write_image_data(bytes).unwrap();
    }
}

/// A program in a window. Dropping it ends the program.
pub(crate) struct Desktop {
    connection: RustConnection,
    root: u32,
    window: u32,
    program: Child,
    _server: Xvfb,
}

impl Desktop {
    /// Starts a program, waits for its window, and gives it the focus.
    pub(crate) fn start(program: &str) -> Self {
        let server = Xvfb::start("1280x800", &[]);
        let mut command = Command::new(program);
        command.env("DISPLAY", server.name()).env_remove("WAYLAND_DISPLAY");
        let program = command.env("LIBGL_ALWAYS_SOFTWARE", "1").spawn().unwrap();
        let (connection, screen) = RustConnection::connect(Some(server.name())).unwrap();
        let root = connection.setup().roots[screen].root;
        let window = wait_for("the window", || visible_window(&connection, root).ok().flatten());
        let desktop = Self {
            connection,
            root,
            window,
            program,
            _server: server,
        };
        desktop.focus().unwrap();
        desktop
    }

    fn focus(&self) -> Done {
        let cookie = self
            .connection
            .set_input_focus(InputFocus::PARENT, self.window, x11rb::CURRENT_TIME)?;
        Ok(cookie.check()?)
    }

    fn key(&self, what: u8, key: Key) {
        let (now, device) = (x11rb::CURRENT_TIME, 0);
        let cookie = self
            .connection
            .xtest_fake_input(what, key as u8, now, self.root, 0, 0, device);
        cookie.unwrap().check().unwrap();
    }

    pub(crate) fn press(&self, key: Key) {
        self.key(PRESS, key);
    }

    pub(crate) fn release(&self, key: Key) {
        self.key(RELEASE, key);
    }

    pub(crate) fn tap(&self, key: Key) {
        self.press(key);
        self.release(key);
    }

    /// Waits until the window shows a picture that meets a condition.
    pub(crate) fn until<T>(&self, what: &str, find: impl Fn(&Picture) -> Option<T>) -> T {
        wait_for(what, || find(&self.picture().ok()?))
    }

    /// Resizes the window.
    pub(crate) fn resize(&self, width: u32, height: u32) -> Done {
        let size = ConfigureWindowAux::new().width(width).height(height);
        Ok(self.connection.configure_window(self.window, &size)?.check()?)
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
            .change_property32(mode, self.window, state, kind, states)?
            .check()?;
        if is_minimised {
            return Ok(self.connection.unmap_window(self.window)?.check()?);
        }
        self.connection.map_window(self.window)?.check()?;
        self.focus()
    }

    /// Presses the button that closes the window.
    pub(crate) fn close(&self) -> Done {
        let (protocols, delete) = (self.atom("WM_PROTOCOLS")?, self.atom("WM_DELETE_WINDOW")?);
        let message = ClientMessageEvent::new(32, self.window, protocols, [delete, 0, 0, 0, 0]);
        let sent = self
            .connection
            .send_event(false, self.window, EventMask::NO_EVENT, message)?;
        Ok(sent.check()?)
    }

    /// Destroys the program's window.
    pub(crate) fn destroy(&self) -> Done {
        Ok(self.connection.destroy_window(self.window)?.check()?)
    }

    /// Waits until the program has ended.
    pub(crate) fn end(mut self) -> ExitStatus {
        wait_for("the end", || self.program.try_wait().unwrap())
    }

    fn picture(&self) -> Done<Picture> {
        let size = self.connection.get_geometry(self.window)?.reply()?;
        let (width, height) = (size.width, size.height);
        let format = ImageFormat::Z_PIXMAP;
        let image = self
            .connection
            .get_image(format, self.window, 0, 0, width, height, u32::MAX)?
            .reply()?;
        let pixels = image.data.as_chunks::<4>().0.iter();
        Ok(Picture {
            width: width.into(),
            pixels: pixels.map(|[blue, green, red, _]| [*red, *green, *blue]).collect(),
        })
    }
}

impl Drop for Desktop {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// The only window, once it is visible.
fn visible_window(connection: &RustConnection, root: u32) -> Done<Option<u32>> {
    for window in connection.query_tree(root)?.reply()?.children {
        let attributes = connection.get_window_attributes(window)?.reply()?;
        let size = connection.get_geometry(window)?.reply()?;
        if attributes.map_state == MapState::VIEWABLE && size.width > 100 {
            return Ok(Some(window));
        }
    }
    Ok(None)
}

fn wait_for<T>(what: &str, mut find: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        if let Some(found) = find() {
            return found;
        }
        assert!(Instant::now() < deadline, "{what} did not come");
        std::thread::sleep(Duration::from_millis(5));
    }
}
