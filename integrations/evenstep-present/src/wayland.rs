//! Wayland: the protocol `presentation-time`, which all common compositors support.
//!
//! ```no_run
//! use evenstep::filter::{DeltaFilter, PresentClock};
//! use evenstep::{Clock, MonotonicClock};
//! use evenstep_present::wayland::{PresentationFeedback, WaylandError};
//! # fn draw(_: std::time::Duration) {}
//! # fn frame(connection: wayland_client::Connection, surface: wayland_client::protocol::wl_surface::WlSurface) -> Result<(), WaylandError> {
//! let mut feedback = PresentationFeedback::new(&connection)?;
//! let (mut clock, mut filter) = (MonotonicClock::new(), PresentClock::new());
//! loop {
//!     for report in feedback.poll(&clock)? {
//!         filter.observe(report, clock.now());
//!     }
//!     draw(filter.apply(clock.delta()));
//!     feedback.request(&surface, filter.frame()); // before the frame is committed
//!     surface.commit();
//! }
//! # }
//! ```

mod answers;
mod presentation;
mod window;

pub use crate::clock::PresentationClock;
pub use crate::error::WaylandError;
pub use presentation::PresentationFeedback;
pub use window::Window;
