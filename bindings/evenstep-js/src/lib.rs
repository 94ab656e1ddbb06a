//! The WebAssembly of the npm package `evenstep`: [`evenstep_flat`] by numbers that JavaScript has.
//!
//! `js/` beside it is what users meet: it says what is wrong with bad input, and makes objects, iterators and errors of what is
//! here. Here is one function, [`call`](objects::call): an object by its number, what it is to do, and four
//! numbers. It answers with a status, 0 or the number of an error, and leaves its result in slots of memory that JavaScript
//! reads. So a frame allocates nothing on either side, and the bindings of a hundred functions are those of one.
//!
//! Each feature is a module of its own, for an entry of the package.
#![forbid(unsafe_code)]
#![cfg_attr(target_arch = "wasm32", no_std)]
// A module uses a part of what they share.
#![cfg_attr(
    not(all(feature = "steps", feature = "poses", feature = "display")),
    allow(dead_code)
)]

extern crate alloc;

#[cfg(target_arch = "wasm32")]
mod bare;
mod call;
mod calls;
mod object;
pub mod objects;
mod slots;
mod time;

#[cfg(feature = "steps")]
mod events;
#[cfg(feature = "steps")]
mod input;
#[cfg(feature = "steps")]
mod schedule;
#[cfg(feature = "steps")]
mod stats;
#[cfg(feature = "steps")]
mod timestep;

#[cfg(feature = "poses")]
mod memory;
#[cfg(feature = "poses")]
mod rows;

#[cfg(feature = "display")]
mod filters;
#[cfg(feature = "display")]
mod pace;
#[cfg(feature = "display")]
mod present;
