//! Wayland: the protocol `presentation-time`, which all common compositors support.
//!
//! ```no_run
//! use evenstep::{FrameClock, MonotonicClock};
//! use evenstep_present::wayland::{PresentationFeedback, WaylandError};
//! use evenstep_present::{FrameClockExt as _, PresentClock};
//! # fn draw(_: std::time::Duration) {}
//! # fn frame(connection: wayland_client::Connection, surface: wayland_client::protocol::wl_surface::WlSurface) -> Result<(), WaylandError> {
//! let mut feedback = PresentationFeedback::new(&connection)?;
//! let (clock, mut frames) = (MonotonicClock::new(), FrameClock::with_filter(PresentClock::new()));
//! loop {
//!     for report in feedback.poll(&clock)? {
//!         frames.observe(report, clock.now());
//!     }
//!     draw(frames.begin_frame(clock.now()).delta);
//!     feedback.request(&surface, frames.filter().frame()); // before the frame is committed
//!     surface.commit();
//! }
//! # }
//! ```

mod presentation;

pub use crate::clock::PresentationClock;
pub use crate::error::WaylandError;
pub use presentation::PresentationFeedback;
