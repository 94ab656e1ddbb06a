//! Instants, lengths and ratios of time, exact, and the clocks that they come from.

#[cfg(feature = "std")]
mod clock;
mod rate;
pub(crate) mod ratio;
mod scale;
mod seconds;
mod sim_duration;
mod sim_time;

#[cfg(feature = "std")]
pub use clock::MonotonicClock;
pub use rate::Rate;
pub use ratio::RatioError;
pub use scale::TimeScale;
pub(crate) use seconds::{duration_from_nanos, nanos_before, saturating_nanos};
pub use sim_duration::SimDuration;
pub use sim_time::{SimTime, Tick};
