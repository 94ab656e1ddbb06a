//! A frame-statistics overlay for the corner of a game: frame times, steps per frame, animation error and lost time.
//!
//! Record every frame in [`FrameStats`](evenstep::FrameStats), and [`draw`] them into a pixel buffer while the panel is visible. Show the
//! buffer as a texture, or copy it into the frame.
//!
//! ```
//! use evenstep::filter::DisplayClock;
//! use evenstep::{FixedTimestep, FrameClock, FrameStats, MonotonicClock, Rate};
//! use evenstep_overlay::{PANEL_SIZE, Pixels, PixelsError, draw};
//!
//! fn main() -> Result<(), PixelsError> {
//!     let (clock, mut frames) = (MonotonicClock::new(), FrameClock::new(DisplayClock::new()));
//!     let mut timestep = FixedTimestep::new(Rate::hz(60));
//!     let mut stats = FrameStats::<240>::new();
//!     for _ in 0..240 {
//!         let time = frames.begin_frame(clock.now());
//!         let frame = timestep.advance(time.delta);
//!         // … the steps, and drawing …
//!         stats.record(time.unfiltered_delta, &frame);
//!     }
//!     let (width, height) = PANEL_SIZE;
//!     let mut bytes = vec![0; (4 * width * height) as usize]; // red, green, blue, alpha
//!     let mut pixels = Pixels::new(&mut bytes, width, height)?;
//!     draw(&stats, Rate::hz(60), frames.filter().refresh_hz(), &mut pixels);
//!     assert!(bytes.iter().any(|byte| *byte > 200));
//!     Ok(())
//! }
//! ```
//!
//! With feature `egui`, [`mesh`] draws the same panel as a shape for egui 0.37.
//!
//! [`draw_loop`] draws the missed deadlines of a loop that keeps
//! [`LoopStats`](evenstep::control::LoopStats).
//!
//! [`FrameLog`] writes the same figures frame by frame to a file that `evenstep analyze` reads.
#![forbid(unsafe_code)]

mod canvas;
mod graph;
mod log;
mod loop_panel;
#[cfg(feature = "egui")]
mod mesh;
mod panel;
mod pixels;

pub use log::FrameLog;
pub use loop_panel::{LOOP_PANEL_SIZE, draw_loop};
#[cfg(feature = "egui")]
pub use mesh::mesh;
pub use panel::{PANEL_SIZE, draw};
pub use pixels::{Pixels, PixelsError};
