//! Timestamped events: input for steps, and events from steps to the renderer.
//!
//! ```
//! use evenstep::input::{InputBuffer, InputEvent};
//! use evenstep::{FixedTimestep, FrameClock, Rate};
//! use std::time::Duration;
//!
//! let mut clock = FrameClock::unfiltered(); // the filter, if there is one
//! let mut timestep = FixedTimestep::new(Rate::hz(100));
//! let mut input = InputBuffer::new(256);
//! let first = clock.begin_frame(Duration::ZERO); // no time has passed
//! input.begin_frame(&first, &timestep.advance(first.delta));
//! input.push_at(Duration::from_millis(13), InputEvent::Press("jump")); // when it happened
//!
//! let time = clock.begin_frame(Duration::from_millis(25));
//! let frame = timestep.advance(time.delta);
//! input.begin_frame(&time, &frame);
//! for step in frame.steps() {
//!     assert_eq!(input.controls(&step).was_pressed(&"jump"), step.tick == 1);
//! }
//! ```

mod buffer;
pub(crate) mod coalesce;
mod controls;
mod events;
mod queue;
mod spread;
mod tick_at;
mod timed_events;
#[cfg(feature = "winit")]
mod winit;

pub use buffer::InputBuffer;
pub use controls::{Controls, InputEvent};
pub use events::{EventQueue, QueueOverflow};
pub use queue::InputQueue;
pub use timed_events::InputCounts;
pub(crate) use timed_events::TimedEvents;
#[cfg(all(feature = "serde", feature = "follow"))]
pub(crate) use timed_events::restored;
#[cfg(feature = "winit")]
pub use winit::Button;
