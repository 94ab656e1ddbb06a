//! How real time becomes steps.

pub(crate) mod frame;
mod lost;
mod overrun;
mod stats;
mod steps;
pub(crate) mod timestep;

pub use frame::Frame;
pub use lost::Lost;
pub use overrun::Overrun;
pub use stats::{FrameSample, FrameStats};
pub use steps::{Step, Steps};
pub use timestep::FixedTimestep;
