use wayland_client::globals::{BindError, GlobalError};
use wayland_client::{ConnectError, DispatchError};

/// Why there is no feedback.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WaylandError {
    /// There is no compositor.
    #[error("no Wayland compositor to connect to: {0}")]
    Connect(#[from] ConnectError),
    /// The compositor's list of globals could not be read.
    #[error("the compositor does not say what it can do: {0}")]
    Globals(#[from] GlobalError),
    /// The compositor does not speak a protocol: `wp_presentation`, or for a window one of the usual.
    #[error("the compositor lacks a protocol that is needed: {0}")]
    Unsupported(#[from] BindError),
    /// The connection broke, or an event was none.
    #[error("the connection to the compositor broke: {0}")]
    Broken(#[from] DispatchError),
    /// There is no memory for pictures, or waiting for the compositor failed.
    #[error("no memory for the window's pictures, or no waiting for the compositor: {0}")]
    Memory(#[from] std::io::Error),
}
