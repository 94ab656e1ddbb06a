//! Tests of the lab's command as a user runs it: one file for each subcommand, and some for behaviour that all of them share.

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_evenstep-lab");

mod bisect;
mod cameras;
mod command_line;
#[path = "../../../../tools/evenstep-cli/tests/command/common.rs"]
mod common;
mod duel;
#[cfg(target_os = "linux")]
#[path = "../../../../tools/evenstep-cli/tests/command/faults/mod.rs"]
mod faults;
#[cfg(target_os = "linux")]
#[path = "../../../../tools/evenstep-cli/tests/command/file_use.rs"]
mod file_use;
#[cfg(target_os = "linux")]
mod files;
mod filters;
#[cfg(target_os = "linux")]
mod interrupts;
mod replay;
mod run;
mod run_outputs;
mod run_physics;
mod scenes;
#[cfg(feature = "serve")]
mod serve;
mod smoothing;
mod ticks;
mod verify;
