//! Timestamped events: input for steps, and events from steps to the renderer.
//!
//! ```
//! use evenstep::input::InputBuffer;
//! use evenstep::{FixedTimestep, FrameClock, Rate};
//! use std::time::Duration;
//!
//! let mut clock = FrameClock::unfiltered(); // the filter, if there is one
//! let mut timestep = FixedTimestep::new(Rate::hz(100));
//! clock.begin_frame(Duration::ZERO); // the first frame
//! let mut input = InputBuffer::lossless(64);
//! input.push(Duration::from_millis(13), "jump").unwrap(); // when it happened
//!
//! let time = clock.begin_frame(Duration::from_millis(25));
//! let frame = timestep.advance(time.delta);
//! input.begin_frame(&time, &frame);
//! for step in frame.steps() {
//!     while let Some(event) = input.next(&step) {
//!         assert_eq!((step.tick, event), (1, "jump"));
//!     }
//! }
//! ```

mod buffer;
mod coalesce;
mod controls;
mod events;
mod tick_at;
#[cfg(feature = "winit")]
mod winit;

pub use buffer::{InputBuffer, InputCounts};
pub use coalesce::Coalesce;
pub use controls::{Controls, InputEvent};
pub use events::{EventQueue, Overflow};
#[cfg(feature = "winit")]
pub use winit::Button;
