//! Presentation feedback: when the system presented each frame.
//!
//! The adapters fill the [`PresentFeedback`](evenstep::present::PresentFeedback) from which a
//! [`PresentClock`](evenstep::filter::PresentClock) computes even deltas and a [`Pacer`](evenstep::pace::Pacer) schedules frames.
//! There is one for Wayland and, with feature `x11`, one for X11. For other systems the book explains how to fill the values: only
//! adapters that could be tested are included. A [`Session`] measures how good the feedback of a desktop is. On Linux the module
//! `proxy` reports the same of programs that know nothing of it.
//!
//! With feature `input`, `wayland::SeatInput` and `x11::RawInput` receive keys and buttons with the times that the compositor or X server
//! states, which window libraries do not pass on.
//!
#![cfg_attr(target_os = "linux", doc = "```no_run")]
#![cfg_attr(not(target_os = "linux"), doc = "```ignore")]
//! use std::time::Duration;
//!
//! use evenstep::filter::PresentClock;
//! use evenstep::{FixedTimestep, FrameClock, MonotonicClock, Rate};
//! use evenstep_present::{Desktop, WindowSystem};
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let system = WindowSystem::of_environment().ok_or("there is no desktop")?;
//!     let mut desktop = Desktop::open(system, "evenstep")?; // a plain grey window
//!     let (clock, mut frames) = (MonotonicClock::new(), FrameClock::new(PresentClock::new()));
//!     let mut timestep = FixedTimestep::new(Rate::hz(60));
//!     while clock.now() < Duration::from_secs(5) {
//!         for feedback in desktop.poll(&clock)? {
//!             frames.observe(feedback, clock.now());
//!         }
//!         let frame = timestep.advance(frames.begin_frame(clock.now()).delta);
//!         for _step in frame.steps() {
//!             // simulate
//!         }
//!         // draw at `frame.alpha()`
//!         desktop.submit(frames.filter().frame())?;
//!         desktop.wait(Duration::from_secs(1))?; // until the next frame is wanted
//!     }
//!     Ok(())
//! }
//! ```
#![forbid(unsafe_code)]

#[cfg(target_os = "linux")]
mod clock;
#[cfg(target_os = "linux")]
mod desktop;
#[cfg(target_os = "linux")]
mod error;
#[cfg(all(target_os = "linux", feature = "input"))]
mod input;
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
