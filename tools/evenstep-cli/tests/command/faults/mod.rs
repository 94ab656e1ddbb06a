//! Faults injected into every file that a command reads or writes.
//!
//! What there is to read and to write is listed in `files.rs` and compared with the command's own help: a new command, or a new
//! option with a file, fails until it is listed, and then meets every fault here.

mod overwriting;
mod reading;
mod signals;
mod uses;
mod writing;
