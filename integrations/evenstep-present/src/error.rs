//! Errors of the adapters for Wayland and X11.

#[cfg(feature = "wayland")]
use wayland_client::DispatchError;
#[cfg(feature = "wayland")]
use wayland_client::globals::{BindError, GlobalError};
#[cfg(feature = "x11")]
use x11rb::errors::{ConnectError as X11ConnectError, ConnectionError, ReplyError, ReplyOrIdError};

#[cfg(feature = "wayland")]
/// Why presentation feedback is not available.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WaylandError {
    /// The compositor has not listed its protocols.
    #[error("the compositor does not list its protocols: {0}")]
    NoList(#[from] GlobalError),
    /// The compositor lacks the protocol `wp_presentation`.
    #[error("the compositor lacks the protocol wp_presentation: {0}")]
    Unsupported(#[from] BindError),
    /// The connection broke, or an event was invalid.
    #[error("the connection to the compositor broke: {0}")]
    Broken(#[from] DispatchError),
}

/// Why presentation feedback is not available.
#[cfg(feature = "x11")]
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum X11Error {
    /// No server to connect to.
    #[error("no X server to connect to: {0}")]
    Connect(#[from] X11ConnectError),
    /// The server lacks a required extension.
    #[error("the X server lacks the extension {0}")]
    Unsupported(&'static str),
    /// The server refused a request, for example for a window that does not exist.
    #[error("the X server refused a request: {0}")]
    Refused(#[from] ReplyError),
    /// The server has no resource ids left, or refused a request.
    #[error("the X server cannot allocate a resource: {0}")]
    Full(#[from] ReplyOrIdError),
    /// The connection broke.
    #[error("the connection to the X server broke: {0}")]
    Broken(#[from] ConnectionError),
}
