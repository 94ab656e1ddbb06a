//! Presentation feedback: when the system presented each frame.
//!
//! The adapters fill the [`PresentFeedback`](evenstep::present::PresentFeedback) from which a
//! [`PresentClock`](evenstep::filter::PresentClock) computes even deltas and a [`Pacer`](evenstep::pace::Pacer) schedules frames.
//! There is one for Wayland and, with feature `x11`, one for X11. For other systems the book explains how to fill the values: only
//! adapters that could be tested are included. A [`Session`] measures how good the feedback of a desktop is. On Linux the module
//! `proxy` reports the same of programs that know nothing of it.
#![forbid(unsafe_code)]

#[cfg(target_os = "linux")]
mod clock;
#[cfg(target_os = "linux")]
mod desktop;
#[cfg(target_os = "linux")]
mod error;
#[cfg(target_os = "linux")]
mod poll;
#[cfg(target_os = "linux")]
pub mod proxy;
#[cfg(target_os = "linux")]
mod record;
mod session;
mod statistics;
mod timing;
#[cfg(target_os = "linux")]
pub mod wayland;
#[cfg(all(target_os = "linux", feature = "x11"))]
pub mod x11;

#[cfg(target_os = "linux")]
pub use desktop::{Desktop, WindowSystem};
#[cfg(target_os = "linux")]
pub use error::DesktopError;
#[cfg(target_os = "linux")]
pub use record::FrameStart;
pub use session::{AnimatedBy, AnimationErrors, FeedbackQuality, Session};
pub use timing::FrameTiming;
