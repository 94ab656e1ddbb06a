//! Measures what was read: as the industry does, and what kind of stutter it is.

pub(crate) mod analysis;
mod diagnose;
pub(crate) mod diagnosis;
pub(crate) mod distribution;
pub(crate) mod metrics;
mod period;
mod rhythm;
mod tally;
