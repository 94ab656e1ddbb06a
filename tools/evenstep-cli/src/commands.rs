//! The commands: each has a file with its arguments, its work and its output.

use std::process::ExitCode;

use clap::Subcommand;

use crate::failure::Failure;

mod analyze;
mod check;
mod compare;
mod desync;
mod noise;
mod part;
#[cfg(target_os = "linux")]
mod record;
mod runs;
mod simulate;
mod watch;

/// The subcommands.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Measure recorded frame times, name the stutter and its cure.
    Analyze(analyze::Arguments),
    /// Fail if recordings are not as smooth as required: by limits for any metric, or compared with an earlier recording.
    Check(check::Arguments),
    /// Show a recording that is being written: its frame times, percentiles and diagnosis so far.
    Watch(watch::Arguments),
    /// Show how a game would look on recorded frames, for every way of stepping and drawing.
    Simulate(simulate::Arguments),
    /// Show the differences between recordings before and after a change, with their noise.
    Compare(compare::Arguments),
    /// Print the values in which the states of two machines differ, from a dump of each.
    Desync(desync::Arguments),
    /// Run a program on this Wayland desktop, and record when its frames were presented.
    #[cfg(target_os = "linux")]
    Record(record::Arguments),
}

impl Command {
    /// Runs the subcommand.
    pub(crate) fn run(self) -> Result<ExitCode, Failure> {
        match self {
            Self::Analyze(arguments) => analyze::analyze(&arguments),
            Self::Check(arguments) => check::check(&arguments),
            Self::Watch(arguments) => watch::watch(&arguments),
            Self::Simulate(arguments) => simulate::simulate(&arguments),
            Self::Compare(arguments) => compare::compare(&arguments),
            Self::Desync(arguments) => desync::desync(&arguments),
            #[cfg(target_os = "linux")]
            Self::Record(arguments) => record::record(&arguments),
        }
    }
}
