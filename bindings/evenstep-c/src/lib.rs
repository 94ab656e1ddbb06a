//! evenstep for C and C++. The manual is the header, `include/evenstep.h`, which is made from these files.
//!
//! In Rust, use [`evenstep`](https://docs.rs/evenstep). This crate only converts between C and [`evenstep_flat`], which
//! implements the functions. A handle is a number that is looked up in a table, so an invalid handle returns an error. A panic
//! is caught and returned as an error.

pub mod events;
pub mod input;
pub mod objects;
pub mod poses;
pub mod schedule;
pub mod smoothed;
pub mod stats;
pub mod status;
pub mod timestep;
