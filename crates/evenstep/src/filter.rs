//! Filters that smooth frame deltas between the clock and the timestep.
//!
//! ```
//! use evenstep::FixedTimestep;
//! use evenstep::filter::{DeltaFilter, DisplayClock};
//! use evenstep::{Clock, MonotonicClock, Rate};
//!
//! let (mut clock, mut filter) = (MonotonicClock::new(), DisplayClock::new());
//! let mut timestep = FixedTimestep::new(Rate::hz(60));
//! let frame = timestep.advance(filter.apply(clock.delta()));
//! assert_eq!(frame.steps().len(), 0); // the clock has just begun
//! ```

mod average;
mod clamp;
mod delta_filter;
mod display_clock;
pub(crate) mod lead_limit;
mod present_clock;
mod snap;

pub use average::MovingAverage;
pub use clamp::Clamp;
pub use delta_filter::DeltaFilter;
pub use display_clock::DisplayClock;
pub use present_clock::PresentClock;
pub use snap::Snap;
