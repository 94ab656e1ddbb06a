//! X11: the extension `Present`, which all common servers support.
//!
//! ```no_run
//! use evenstep::filter::PresentClock;
//! use evenstep::{FrameClock, MonotonicClock};
//! use evenstep_present::x11::{Window, X11Error};
//! # fn draw(_: std::time::Duration) {}
//! # fn show() -> Result<(), X11Error> {
//! let mut window = Window::open("game")?; // or PresentationFeedback::connect to an existing window
//! let (clock, mut frames) = (MonotonicClock::new(), FrameClock::new(PresentClock::new()));
//! loop {
//!     for report in window.feedback().poll(&clock)? {
//!         frames.observe(report, clock.now());
//!     }
//!     draw(frames.begin_frame(clock.now()).delta);
//!     window.present(frames.filter().frame())?;
//!     window.wait(std::time::Duration::from_millis(250))?;
//! }
//! # }
//! ```

mod patient;
mod presentation;
#[cfg(feature = "input")]
mod raw_input;
mod window;

pub use crate::error::X11Error;
pub use patient::PatientStream;
pub use presentation::PresentationFeedback;
#[cfg(feature = "input")]
pub use raw_input::RawInput;
pub use window::Window;
