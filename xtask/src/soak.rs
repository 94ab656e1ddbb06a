//! Runs a simulated day at random frame times, up to a time limit.

use anyhow::Result;
use xshell::{Shell, cmd};

use crate::built::built;
use crate::programs;

/// The time limit in `cargo ci`, in seconds.
const SECONDS_IN_CI: u32 = 30;

/// Options of `cargo xtask soak`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The time limit.
    #[arg(long, value_name = "S", default_value_t = 600)]
    seconds: u32,
}

/// Builds the program with optimisation and runs it.
pub(crate) fn run(shell: &Shell, options: &Options) -> Result<()> {
    let seconds = options.seconds.to_string();
    Ok(cmd!(
        shell,
        "cargo run --release --package evenstep-determinism -- soak {seconds}"
    )
    .run()?)
}

/// Runs half a minute, with the engines as the tests have built them.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    let seconds = SECONDS_IN_CI.to_string();
    programs::build(shell)?;
    let program = built(shell, "debug/determinism")?;
    Ok(cmd!(shell, "{program} soak {seconds}").run()?)
}
