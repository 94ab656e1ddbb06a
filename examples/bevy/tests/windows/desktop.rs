//! Actions of the user and of the desktop on a window, by X11.

use bevy::prelude::*;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConfigureWindowAux, ConnectionExt, CreateWindowAux, EventMask, WindowClass,
};
use x11rb::rust_connection::RustConnection;

/// The title of the game's window.
pub(crate) const TITLE: &str = "evenstep, played by a script";

/// An X client besides the game.
#[derive(Resource)]
pub(crate) struct Desktop {
    connection: RustConnection,
    root: u32,
    cover: Option<u32>,
}

/// Any X11 error ends the test.
type Done<T = ()> = Result<T, Box<dyn std::error::Error>>;

impl Desktop {
    pub(crate) fn connect() -> Done<Self> {
        let (connection, screen) = x11rb::connect(None)?;
        let root = connection.setup().roots[screen].root;
        Ok(Self {
            connection,
            root,
            cover: None,
        })
    }

    fn game(&self) -> Done<u32> {
        let windows = self.connection.query_tree(self.root)?.reply()?.children;
        for window in windows {
            let (name, any) = (AtomEnum::WM_NAME, AtomEnum::ANY);
            let title = self.connection.get_property(false, window, name, any, 0, 64)?.reply()?;
            if title.value == TITLE.as_bytes() {
                return Ok(window);
            }
        }
        Err("the game has no window".into())
    }

    /// Resizes the window.
    pub(crate) fn resize(&self, width: u32, height: u32) -> Done {
        let size = ConfigureWindowAux::new().width(width).height(height);
        Ok(self.connection.configure_window(self.game()?, &size)?.check()?)
    }

    /// Unmaps the window, as window managers do when it is minimised.
    pub(crate) fn minimise(&self) -> Done {
        Ok(self.connection.unmap_window(self.game()?)?.check()?)
    }

    /// Maps the window again.
    pub(crate) fn put_back(&self) -> Done {
        Ok(self.connection.map_window(self.game()?)?.check()?)
    }

    /// Opens another window that covers the whole screen.
    pub(crate) fn cover(&mut self) -> Done {
        let (cover, connection) = (self.connection.generate_id()?, &self.connection);
        let (depth, class, size) = (x11rb::COPY_DEPTH_FROM_PARENT, WindowClass::INPUT_OUTPUT, (2_000, 2_000));
        let values = CreateWindowAux::new().background_pixel(0).override_redirect(1);
        connection
            .create_window(depth, cover, self.root, 0, 0, size.0, size.1, 0, class, 0, &values)?
            .check()?;
        connection.map_window(cover)?.check()?;
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
        let atom = |name: &[u8]| self.connection.intern_atom(false, name);
        let (protocols, delete) = (
            atom(b"WM_PROTOCOLS")?.reply()?.atom,
            atom(b"WM_DELETE_WINDOW")?.reply()?.atom,
        );
        let game = self.game()?;
        let message = ClientMessageEvent::new(32, game, protocols, [delete, 0, 0, 0, 0]);
        let sent = self.connection.send_event(false, game, EventMask::NO_EVENT, message)?;
        Ok(sent.check()?)
    }
}
