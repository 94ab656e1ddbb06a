//! The commands: each has a file with its arguments, its work and its output.

use std::process::ExitCode;

use clap::Subcommand;
use evenstep_cli::failure::Failure;

use crate::duel::peer;

mod bisect;
mod cameras;
mod duel;
mod filters;
mod replay;
mod run;
mod scenes;
#[cfg(feature = "serve")]
mod serve;
mod smoothing;
mod ticks;
mod verify;

/// The subcommands.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Run a scene on the frames of a display; measure how even its steps and how smooth its drawn frames are.
    Run(Box<run::Arguments>),
    /// List the scenes and their settings.
    Scenes,
    /// Repeat a run that `run --record` has recorded, and verify every state.
    Replay(replay::Arguments),
    /// Repeat many recorded runs on all cores, or a share of them, and verify every state.
    Verify(verify::Arguments),
    /// Find the first tick at which two recordings of the same inputs differ.
    Bisect(bisect::Arguments),
    /// Measure the latency and the error of each way of drawing between steps.
    Smoothing(smoothing::Arguments),
    /// Compare delta filters on displays whose true frame times are known.
    Filters(filters::Arguments),
    /// Measure the jitter of cameras and hands relative to the body that they belong to.
    Cameras(cameras::Arguments),
    /// Compare rules that keep ticks in step with a server, on random networks.
    Ticks(ticks::Arguments),
    /// Play hockey for two over a network that delays and loses packets; see ticks ahead, rollbacks and corrections.
    Duel(duel::Arguments),
    /// A peer of `duel`.
    #[command(hide = true)]
    DuelPeer(peer::Arguments),
    /// Serve the page of live figures on this machine.
    #[cfg(feature = "serve")]
    Serve(serve::Arguments),
}

impl Command {
    /// Runs the subcommand.
    pub(crate) fn run(self) -> Result<ExitCode, Failure> {
        match self {
            Self::Run(arguments) => run::run(&arguments),
            Self::Scenes => scenes::list(),
            Self::Replay(arguments) => replay::replay(&arguments),
            Self::Verify(arguments) => verify::verify(&arguments),
            Self::Bisect(arguments) => bisect::bisect(&arguments),
            Self::Smoothing(arguments) => smoothing::smoothing(&arguments),
            Self::Filters(arguments) => filters::filters(&arguments),
            Self::Cameras(arguments) => cameras::cameras(&arguments),
            Self::Ticks(arguments) => ticks::ticks(&arguments),
            Self::Duel(arguments) => duel::duel(&arguments),
            Self::DuelPeer(arguments) => peer::play(&arguments),
            #[cfg(feature = "serve")]
            Self::Serve(arguments) => serve::serve(&arguments),
        }
    }
}
