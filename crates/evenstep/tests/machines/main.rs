//! Random sequences of every public call, held against slow models that are plainly right. One machine per type.
// The tests need the newest Rust, as their dependencies do.
#![allow(clippy::incompatible_msrv)]

#[macro_use]
mod coverage;
mod any;
mod events;
mod exact;
mod game_loop;
mod history;
mod input;
mod invariants;
mod meeting;
mod schedule;
mod script;
mod smoothing;
mod timestep;
mod worker;
