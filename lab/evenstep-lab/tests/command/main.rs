//! Tests of the lab's command as a user runs it: one file for each subcommand, and some for behaviour that all of them share.

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_evenstep-lab");

mod command_line;
#[path = "../../../../tools/evenstep-cli/tests/command/common.rs"]
mod common;
mod filters;
mod run;
mod run_outputs;
mod scenes;
