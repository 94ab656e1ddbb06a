use std::time::Duration;

use wayland_client::globals::BindError;
use wayland_client::{ConnectError, DispatchError};

/// Why there is no feedback.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WaylandError {
    /// There is no compositor.
    #[error("no Wayland compositor to connect to: {0}")]
    Connect(#[from] ConnectError),
    /// The compositor has neither said nor taken anything for so long.
    #[error("the compositor has not answered for {} s; see whether it was stopped or hangs", .0.as_secs())]
    Silent(Duration),
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
