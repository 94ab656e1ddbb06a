//! The WebAssembly of the npm package `evenstep`: bodies, and what follows the display, of [`evenstep_flat`].
//!
//! `js/` beside it is what users meet: it has steps and input in JavaScript, says what is wrong with bad input, and makes objects
//! of what is here. Here is one function, [`call`](objects::call): an object by its number, what it is to do, and four
//! numbers. It answers with a status, 0 or the number of an error, and leaves its result in slots of memory that JavaScript
//! reads. So a frame allocates nothing on either side, and the bindings of three dozen functions are those of one.
//!
//! Each feature is a module of its own, for an entry of the package.
#![forbid(unsafe_code)]
#![cfg_attr(target_arch = "wasm32", no_std)]
// A module uses a part of what they share.
#![cfg_attr(not(all(feature = "poses", feature = "display")), allow(dead_code))]

extern crate alloc;

#[cfg(target_arch = "wasm32")]
mod bare;
mod call;
mod calls;
mod object;
pub mod objects;
mod slots;
mod time;

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
