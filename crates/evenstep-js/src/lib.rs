//! The WebAssembly of the npm package `evenstep`: [`evenstep_flat`] by numbers that JavaScript has.
//!
//! `js/` beside it is what users meet: it says what is wrong with bad input, and makes objects, iterators and errors of these
//! functions. Here every function answers with a status, 0 or the number of an error, and leaves its result in the object's
//! own slots of memory. So a frame allocates nothing on either side.
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

mod slots;
#[cfg(any(feature = "steps", feature = "display"))]
mod time;

#[cfg(target_arch = "wasm32")]
mod bare;

#[cfg(feature = "steps")]
mod steps;

#[cfg(feature = "poses")]
mod poses;

#[cfg(feature = "display")]
mod display;
