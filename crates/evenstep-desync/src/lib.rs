//! Finds the values in which the states of two machines differ, by messages over any channel.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod message;
mod monitor;
mod search;

pub use monitor::{DesyncMonitor, MessageError};
