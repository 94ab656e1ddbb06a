//! X11: the extension `Present`, which all common servers support.
//!
//! ```no_run
//! use evenstep::filter::{DeltaFilter, PresentClock};
//! use evenstep::{Clock, MonotonicClock};
//! use evenstep_present::x11::{Window, X11Error};
//! # fn draw(_: std::time::Duration) {}
//! # fn show() -> Result<(), X11Error> {
//! let mut window = Window::open("game")?; // or PresentationFeedback::connect to an existing window
//! let (mut clock, mut filter) = (MonotonicClock::new(), PresentClock::new());
//! loop {
//!     for report in window.feedback().poll(&clock)? {
//!         filter.observe(report, clock.now());
//!     }
//!     draw(filter.apply(clock.delta()));
//!     window.present(filter.frame())?;
//!     window.wait(std::time::Duration::from_millis(250))?;
//! }
//! # }
//! ```

mod patient;
mod presentation;
mod window;

pub use crate::error::X11Error;
pub use patient::PatientStream;
pub use presentation::PresentationFeedback;
pub use window::Window;
