//! [`FixedTimestep`]: its accumulator, settings, time until the next step and stored form.

mod fixed;
mod next_step;
#[cfg(feature = "serde")]
mod saved;
mod settings;

pub use fixed::FixedTimestep;
