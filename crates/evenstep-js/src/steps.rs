//! The module of `evenstep`: what a loop needs.

mod events;
mod input;
mod schedule;
mod stats;
mod timestep;
