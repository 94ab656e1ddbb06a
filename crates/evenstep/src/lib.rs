//! Fixed-timestep simulation: exact integer time in, even steps and smooth states out.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "std")]
extern crate std;

mod frame;
mod overrun;
mod rate;
mod ratio;
mod scale;
mod time;
mod timestep;

pub use frame::{Frame, Lost, Step, Steps};
pub use overrun::Overrun;
pub use rate::Rate;
pub use ratio::RatioError;
pub use scale::TimeScale;
pub use time::{SimTime, Tick};
pub use timestep::{FixedTimestep, Timestep, VariableTimestep};
