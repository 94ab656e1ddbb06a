//! [`FixedTimestep`]: its accumulator, settings, fast path, time until the next step and stored form.

mod fast_path;
mod fixed;
mod limits;
mod next_step;
#[cfg(feature = "serde")]
mod saved;
mod settings;
#[cfg_attr(not(feature = "alloc"), expect(dead_code, reason = "only a schedule uses it"))]
mod sim_clock;
mod units;

pub use fixed::FixedTimestep;
#[cfg(feature = "alloc")]
pub(crate) use sim_clock::ArrivedTime;
