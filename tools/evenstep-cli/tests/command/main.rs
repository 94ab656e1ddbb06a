//! The command as a user meets it: one file for each subcommand, and some for what all of them share.

mod analyze;
mod bisect;
mod cameras;
mod capture;
mod command_line;
mod common;
mod compare;
mod duel;
#[cfg(target_os = "linux")]
mod faults;
mod filters;
#[cfg(target_os = "linux")]
mod interrupts;
#[cfg(feature = "lab")]
mod lab;
#[cfg(unix)]
mod outputs;
mod pacing;
#[cfg(target_os = "linux")]
mod present;
mod replay;
mod reports;
mod run;
mod run_outputs;
mod run_physics;
mod scenes;
mod smoothing;
#[cfg(feature = "parquet")]
mod tables;
mod ticks;
mod verify;
#[cfg(target_os = "linux")]
mod watch;
