//! When frames were really seen, as the system reports it.
//!
//! The adapters here fill the [`PresentFeedback`](evenstep::present::PresentFeedback) from which a
//! [`PresentClock`](evenstep::filter::PresentClock) makes even deltas and a [`Pacer`](evenstep::pace::Pacer) begins frames just in
//! time. There is one for Wayland. For other systems the book says how to fill the values; what nobody could test does not
//! ship. A [`Session`] says how good a desktop's reports are.
#![forbid(unsafe_code)]

mod session;
#[cfg(target_os = "linux")]
pub mod wayland;

pub use session::{AnimatedBy, AnimationErrors, FeedbackQuality, Session};
