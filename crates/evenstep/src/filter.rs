//! Filters that smooth frame deltas between the clock and the timestep.
//!
//! ```
//! use evenstep::filter::DisplayClock;
//! use evenstep::{FixedTimestep, FrameClock, MonotonicClock, Rate};
//!
//! let (clock, mut frames) = (MonotonicClock::new(), FrameClock::new(DisplayClock::new()));
//! let mut timestep = FixedTimestep::new(Rate::hz(60));
//! let frame = timestep.advance(frames.begin_frame(clock.now()).delta);
//! assert_eq!(frame.steps().len(), 0); // time has just begun
//! ```

mod average;
mod clamp;
mod delta_filter;
mod display_clock;
mod frame_clock;
mod lead_limit;
mod snap;

pub use average::MovingAverage;
pub use clamp::Clamp;
pub use delta_filter::DeltaFilter;
pub use display_clock::DisplayClock;
pub use frame_clock::{FrameClock, FrameTime};
pub use snap::Snap;
