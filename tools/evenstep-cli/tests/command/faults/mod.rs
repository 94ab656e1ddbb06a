//! Faults injected into every file that a command reads or writes.
//!
//! `files.rs` lists the inputs and outputs, and a test compares it with the command's own help. A new command, or a new option with a
//! file, fails that test until it is listed. Then every fault here is tested with it.

mod overwriting;
mod reading;
mod signals;
mod uses;
mod writing;
