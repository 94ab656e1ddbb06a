//! Errors of the adapters for Wayland and X11.

#[cfg(feature = "wayland")]
use std::time::Duration;

#[cfg(feature = "wayland")]
use wayland_client::globals::BindError;
#[cfg(feature = "wayland")]
use wayland_client::{ConnectError, DispatchError};
#[cfg(feature = "x11")]
use x11rb::errors::{ConnectError as X11ConnectError, ConnectionError, ReplyError, ReplyOrIdError};

#[cfg(feature = "wayland")]
/// Why presentation feedback is not available.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WaylandError {
    /// No compositor to connect to.
    #[error("no Wayland compositor to connect to: {0}")]
    Connect(#[from] ConnectError),
    /// The compositor has neither sent nor accepted anything for this long.
    #[error("the compositor has not answered for {} s; see whether it was stopped or hangs", .0.as_secs())]
    Silent(Duration),
    /// The compositor lacks the protocol `wp_presentation`.
    #[error("the compositor lacks the protocol wp_presentation: {0}")]
    Unsupported(#[from] BindError),
    /// The connection broke, or an event was invalid.
    #[error("the connection to the compositor broke: {0}")]
    Broken(#[from] DispatchError),
    /// Waiting for the compositor failed.
    #[error("cannot wait for the compositor: {0}")]
    Wait(#[from] std::io::Error),
}

/// Why presentation feedback is not available.
#[cfg(feature = "x11")]
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum X11Error {
    /// No server to connect to, or it does not answer.
    #[error("no X server to connect to: {0}")]
    Connect(#[from] X11ConnectError),
    /// The server lacks a required extension.
    #[error("the X server lacks the extension {0}")]
    Unsupported(&'static str),
    /// The server refused a request, for example for a window that does not exist, or did not answer.
    #[error("the X server refused a request: {0}")]
    Refused(#[from] ReplyError),
    /// The server has no resource ids left, or refused a request.
    #[error("the X server cannot allocate a resource: {0}")]
    Full(#[from] ReplyOrIdError),
    /// The connection broke.
    #[error("the connection to the X server broke: {0}")]
    Broken(#[from] ConnectionError),
    /// Waiting for the server failed.
    #[error("cannot wait for the X server: {0}")]
    Wait(#[from] std::io::Error),
}
