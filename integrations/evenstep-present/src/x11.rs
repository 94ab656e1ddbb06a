//! X11: the extension `Present`, which all common servers support.
//!
//! ```no_run
//! use evenstep::{FrameClock, MonotonicClock};
//! use evenstep_present::x11::{PresentationFeedback, X11Error};
//! use evenstep_present::{FrameClockExt as _, PresentClock};
//! # fn draw(_: std::time::Duration) {}
//! # fn present(_: u64) {}
//! # fn play(window: u32) -> Result<(), X11Error> {
//! let mut feedback = PresentationFeedback::connect(None, window)?; // the X11 id of any window
//! let (clock, mut frames) = (MonotonicClock::new(), FrameClock::with_filter(PresentClock::new()));
//! loop {
//!     for report in feedback.poll(&clock)? {
//!         frames.observe(report, clock.now());
//!     }
//!     draw(frames.begin_frame(clock.now()).delta);
//!     present(frames.filter().frame()); // as the serial number of the pixmap
//! }
//! # }
//! ```

mod presentation;

pub use crate::error::X11Error;
pub use presentation::PresentationFeedback;
