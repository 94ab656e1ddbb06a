//! The WebAssembly of the npm package `evenstep`: [`evenstep_flat`] by numbers that JavaScript has.
//!
//! `js/` beside it is what users meet: it says what is wrong with bad input, and makes objects, iterators and errors of these
//! functions. Here every function answers with a status, 0 or the number of an error, and leaves its result in the object's
//! own slots of memory. So a frame allocates nothing on either side.
#![forbid(unsafe_code)]
#![cfg_attr(target_arch = "wasm32", no_std)]

extern crate alloc;

mod events;
mod input;
mod memory;
mod pace;
mod poses;
mod schedule;
mod slots;
mod stats;
mod time;
mod timestep;

#[cfg(target_arch = "wasm32")]
mod bare;

pub use events::RawEvents;
pub use input::RawInput;
pub use memory::RawPool;
pub use pace::RawPacer;
pub use poses::RawPoses;
pub use schedule::RawSchedule;
pub use stats::RawStats;
pub use timestep::RawTimestep;
