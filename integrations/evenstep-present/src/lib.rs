//! When frames were really seen, as the system reports it.
//!
//! The adapters here fill the [`PresentFeedback`](evenstep::present::PresentFeedback) from which a
//! [`PresentClock`](evenstep::filter::PresentClock) makes even deltas and a [`Pacer`](evenstep::pace::Pacer) begins frames just in
//! time. There is one for Wayland and, with feature `x11`, one for X11. For other systems the book says how to fill the values; what nobody could test does not
//! ship. A [`Session`] says how good a desktop's reports are.
#![forbid(unsafe_code)]

#[cfg(target_os = "linux")]
mod clock;
#[cfg(target_os = "linux")]
mod desktop;
mod milliseconds;
#[cfg(target_os = "linux")]
mod readable;
#[cfg(target_os = "linux")]
mod record;
mod session;
mod timing;
#[cfg(target_os = "linux")]
pub mod wayland;
#[cfg(all(target_os = "linux", feature = "x11"))]
pub mod x11;

#[cfg(target_os = "linux")]
pub use desktop::{Desktop, DesktopError, WindowSystem};
#[cfg(target_os = "linux")]
pub use record::Begin;
pub use session::{AnimatedBy, AnimationErrors, FeedbackQuality, Session};
pub use timing::FrameTiming;
