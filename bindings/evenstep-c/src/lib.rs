//! evenstep for C and C++. The manual is the header, `include/evenstep.h`, which is made from these files.
//!
//! In Rust, use [`evenstep`](https://docs.rs/evenstep). This crate is the border to C alone: [`evenstep_flat`] has what it
//! does. Objects are numbers that are looked up in a table, so that no number that a program hands in leads astray. A
//! panic is caught and answered as an error.

pub mod events;
pub mod input;
pub mod objects;
pub mod pace;
pub mod poses;
pub mod present;
pub mod schedule;
pub mod smoothed;
pub mod stats;
pub mod status;
pub mod timestep;
