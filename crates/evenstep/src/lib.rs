//! Fixed-timestep simulation: exact integer time in, even steps and smooth states out.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "std")]
extern crate std;

mod angle;
mod blend;
#[cfg(any(feature = "std", feature = "libm"))]
mod body_motion;
mod clock;
mod delta;
#[cfg(any(feature = "glam", feature = "mint"))]
mod foreign;
mod frame;
mod integrate;
#[cfg(any(feature = "std", feature = "libm"))]
mod math;
mod motion;
mod overrun;
#[cfg(any(feature = "std", feature = "libm"))]
mod pose;
mod rate;
mod ratio;
#[cfg(any(feature = "std", feature = "libm"))]
mod rotation;
mod scale;
mod smoothed;
mod stats;
mod time;
mod timestep;

pub use angle::Angle;
pub use blend::Blend;
#[cfg(any(feature = "std", feature = "libm"))]
pub use body_motion::{Motion2, Motion3};
#[cfg(feature = "std")]
pub use clock::MonotonicClock;
pub use clock::{Clock, ManualClock};
pub use delta::{Clamp, DeltaFilter, MovingAverage, Snap};
#[cfg(feature = "derive")]
pub use evenstep_derive::Blend;
pub use frame::{Frame, Lost, Step, Steps};
pub use integrate::{Integrator, Vector};
pub use motion::{Motion, Moving, Smoothing};
pub use overrun::Overrun;
#[cfg(any(feature = "std", feature = "libm"))]
pub use pose::{Pose2, Pose3};
pub use rate::Rate;
pub use ratio::RatioError;
#[cfg(any(feature = "std", feature = "libm"))]
pub use rotation::{Quat, Rot2};
pub use scale::TimeScale;
pub use smoothed::Smoothed;
pub use stats::FrameStats;
pub use time::{SimTime, Tick};
pub use timestep::{FixedTimestep, Timestep, VariableTimestep};
