//! The `evenstep` command.
#![forbid(unsafe_code)]

use std::process::ExitCode;

mod analyze;
mod cli;
mod compare;
mod displays;
mod failure;
mod filters;
mod frames;
mod interrupt;
mod lab;
mod live;
mod options;
mod output;
mod record;
mod replay;
mod run;
mod scenes;
mod smoothing;
mod smoothness;
mod summary;
mod world;

fn main() -> ExitCode {
    cli::run().unwrap_or_else(failure::Failure::report)
}
