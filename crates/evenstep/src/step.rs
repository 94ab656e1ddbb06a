//! How real time becomes steps.
//!
//! Time is counted in units of `1/n` ns for a rate of `n/d` Hz, so that a simulated nanosecond (`n` units) and a step (`10⁹ × d` units, less
//! than 2⁶²) are whole numbers. [`FixedTimestep::advance`] works in five stages, each with a word of its own, as the names of fields say:
//!
//! | word | meaning |
//! |---|---|
//! | arrived | simulated time that a delta brings: the delta, up to the longest accepted one, times the scale |
//! | released | the part of the arrived time and of the backlog that may be stepped now |
//! | due | steps for which time was released |
//! | granted | the due steps that fit into the frame; the others are kept back or dropped, as the overrun policy says |
//! | fraction | released time that is not a step yet, less than one |
//! | backlog | time that the overrun policy keeps back for later frames |
//! | overstep | fraction and backlog: time that has arrived and is not stepped |
//! | begin | the overstep with which a frame began |
//! | shown | the fraction that alpha shows: the fraction, or more while it waits for time that was dropped |
//! | subnano | simulated time below a nanosecond, which the scale leaves for the next delta |

pub(crate) mod frame;
mod lost;
mod overrun;
pub(crate) mod sim_clock;
mod stats;
#[cfg(feature = "tracing")]
pub(crate) mod step_span;
mod steps;
mod timestep;

pub use frame::Frame;
pub use lost::Lost;
pub use overrun::Overrun;
pub use stats::{FrameSample, FrameStats};
pub use steps::{Step, Steps};
pub use timestep::FixedTimestep;
