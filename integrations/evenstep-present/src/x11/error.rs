use x11rb::errors::{ConnectError, ConnectionError, ReplyError, ReplyOrIdError};

/// Why there is no feedback.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum X11Error {
    /// There is no server, or it does not answer.
    #[error("no X server to connect to: {0}")]
    Connect(#[from] ConnectError),
    /// The server lacks an extension that is needed.
    #[error("the X server lacks the extension {0}")]
    Unsupported(&'static str),
    /// The server refused a request, such as one for a window that is not there, or did not answer.
    #[error("the X server refused a request: {0}")]
    Refused(#[from] ReplyError),
    /// The server has no numbers left for what is made, or refused a request.
    #[error("the X server makes nothing new: {0}")]
    Full(#[from] ReplyOrIdError),
    /// The connection broke.
    #[error("the connection to the X server broke: {0}")]
    Broken(#[from] ConnectionError),
    /// Waiting for the server failed.
    #[error("cannot wait for the X server: {0}")]
    Wait(#[from] std::io::Error),
}
