//! How real time becomes steps.

pub(crate) mod frame;
mod lost;
mod overrun;
#[cfg(feature = "serde")]
mod saved_clock;
pub(crate) mod sim_clock;
mod stats;
#[cfg(feature = "tracing")]
pub(crate) mod step_span;
mod steps;
mod timestep;
mod units;

pub use frame::Frame;
pub use lost::Lost;
pub use overrun::{Backlog, Overrun};
pub use stats::{FrameSample, FrameStats};
pub use steps::{Step, Steps};
pub use timestep::FixedTimestep;
