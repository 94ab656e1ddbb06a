//! When frames were presented: reports of the system, and a clock and a pacer that follow them.
//!
//! A compositor or a driver can report when a frame was presented: `wp_presentation` on Wayland, the extension Present on X11,
//! `VK_EXT_present_timing`, DXGI frame statistics, Metal's presented handler. Each report is a [`PresentFeedback`].
//!
//! | to | use |
//! |---|---|
//! | predict when a frame will be presented | [`RefreshGrid`] |
//! | animate to when frames are presented | [`PresentClock`], in a [`FrameClock`](evenstep::FrameClock) with [`FrameClockExt`] |
//! | begin frames at the right moment | [`Pacer`] |
//! | receive reports | `wayland::PresentationFeedback`, `x11::PresentationFeedback`; for other systems fill the values yourself, as the book explains: only adapters that could be tested are included |
//!
//! ```
//! use evenstep::{FixedTimestep, FrameClock, Rate};
//! use evenstep_present::{FrameClockExt as _, PresentClock, PresentFeedback};
//! use std::time::Duration;
//!
//! let mut frames = FrameClock::with_filter(PresentClock::new());
//! let mut timestep = FixedTimestep::new(Rate::hz(60));
//! for n in 0..300_u64 {
//!     let now = Duration::from_nanos(n * 16_666_667); // in a game: MonotonicClock::now
//!     if n > 2 {
//!         // What the system has reported since the last frame; here that frame n − 1 was presented now.
//!         frames.observe(PresentFeedback::new(n - 1, now).with_reliable(true), now);
//!     }
//!     let frame = timestep.advance(frames.begin_frame(now).delta);
//!     for _step in frame.steps() {
//!         // simulate
//!     }
//!     // draw at `frame.alpha()`, and submit it as frame `frames.filter().frame()`
//! }
//! ```
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `std` (default) | `std` of the core; the grid, the clock and the pacer need only `core` |
//! | `thread` | `Pacer::wait` |
//! | `wayland` | reports of Wayland compositors, on Linux |
//! | `x11` | reports of X servers, on Linux |
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

#[cfg(all(target_os = "linux", any(feature = "wayland", feature = "x11")))]
mod clock;
#[cfg(all(target_os = "linux", any(feature = "wayland", feature = "x11")))]
mod error;
mod feedback;
mod numeric;
mod pacer;
mod prediction;
mod present_clock;
mod refresh_grid;
#[cfg(all(target_os = "linux", feature = "wayland"))]
pub mod wayland;
#[cfg(all(target_os = "linux", feature = "x11"))]
pub mod x11;

pub use feedback::PresentFeedback;
pub use pacer::{FramePlan, Pacer};
pub use prediction::Prediction;
pub use present_clock::{FrameClockExt, PresentClock};
pub use refresh_grid::RefreshGrid;
