//! Tests of the command as a user runs it: one file for each subcommand, and some for behaviour that all of them share.

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_evenstep");

mod analyze;
mod check;
mod command_line;
mod common;
mod desync;
#[cfg(target_os = "linux")]
mod faults;
#[cfg(target_os = "linux")]
mod files;
mod inputs;
#[cfg(target_os = "linux")]
mod interrupts;
#[cfg(unix)]
mod outputs;
#[cfg(target_os = "linux")]
mod record;
mod reports;
mod simulate;
#[cfg(target_os = "linux")]
mod smoothness;
#[cfg(target_os = "linux")]
mod watch;
