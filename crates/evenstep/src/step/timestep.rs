//! [`FixedTimestep`], and what it is made of.

#[cfg_attr(not(feature = "alloc"), expect(dead_code, reason = "a schedule needs all of it"))]
mod arrival;
mod due;
mod fixed;
mod idle;
mod limits;
mod plain;
#[cfg(feature = "serde")]
mod saved;
mod settings;
mod units;

#[cfg(feature = "alloc")]
pub(crate) use arrival::Arrival;
pub use fixed::FixedTimestep;
