//! How real time becomes steps.

pub(crate) mod frame;
mod overrun;
mod stats;
pub(crate) mod timestep;

pub use frame::{Frame, Lost, Step, Steps};
pub use overrun::Overrun;
pub use stats::FrameStats;
pub use timestep::FixedTimestep;
