//! Fixed-timestep simulation: exact integer time in, even steps and smooth states out.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "std")]
extern crate std;
