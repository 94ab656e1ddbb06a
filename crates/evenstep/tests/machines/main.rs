//! Random sequences of every public call, held against slow models that are plainly right. One machine per type.

#[macro_use]
mod coverage;
mod any;
mod exact;
mod invariants;
mod script;
#[cfg(feature = "serde")]
mod timestep;
