//! What is between the clock and the timestep: the filter that smooths frame deltas, and the clocks that follow a song or the display.
//!
//! ```
//! use evenstep::{FixedTimestep, FrameClock, MonotonicClock, Rate};
//!
//! let (clock, mut frames) = (MonotonicClock::new(), FrameClock::new());
//! let mut timestep = FixedTimestep::new(Rate::hz(60));
//! let frame = timestep.advance(frames.begin_frame(clock.now()).delta);
//! assert_eq!(frame.step_count(), 0); // time has just begun
//! ```

mod delta_filter;
mod display_clock;
mod followed_time;
mod frame_clock;
mod playback_clock;
mod refresh_clock;

pub use delta_filter::DeltaFilter;
pub use display_clock::DisplayClock;
pub use frame_clock::{FrameClock, FrameTime};
pub use playback_clock::{PlaybackClock, PlaybackReport};
pub use refresh_clock::RefreshClock;
