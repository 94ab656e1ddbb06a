//! The commands: each has a file with its arguments, what it does, and what it says.

use std::process::ExitCode;

use clap::Subcommand;

use crate::duel::peer;
use crate::failure::Failure;

mod analyze;
mod bisect;
mod cameras;
mod capture;
mod compare;
mod duel;
mod filters;
#[cfg(feature = "lab")]
mod lab;
mod pacing;
#[cfg(target_os = "linux")]
mod present;
mod replay;
mod run;
mod scenes;
mod smoothing;
mod ticks;
mod values;
mod verify;
mod watch;

/// What the command line asks for.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Run a scene on the frames of a display; measure how even its steps and how smooth its pictures are.
    Run(Box<run::Arguments>),
    /// List the scenes and their settings.
    Scenes,
    /// Repeat a run that `run --record` has recorded, and verify every state.
    Replay(replay::Arguments),
    /// Repeat many recorded runs on all cores, or a share of them, and verify every state.
    Verify(verify::Arguments),
    /// Find the first tick at which two recordings of the same inputs part.
    Bisect(bisect::Arguments),
    /// Measure recorded frame times, name the stutter and its cure.
    Analyze(analyze::Arguments),
    /// Show a recording that is being written: its frame times, percentiles and diagnosis as they form.
    Watch(watch::Arguments),
    /// Show how a game would look on recorded frames, for every way of stepping and drawing.
    Compare(compare::Arguments),
    /// Capture the frame times of a loop on this machine, for `analyze`, `compare` and `run --frames`.
    Capture(capture::Arguments),
    /// Measure the latency and the error of each way of drawing between steps.
    Smoothing(smoothing::Arguments),
    /// Compare delta filters on displays whose true frame times are known.
    Filters(filters::Arguments),
    /// Measure how much cameras and hands tremble against the body that they belong to.
    Cameras(cameras::Arguments),
    /// Measure latency and missed refreshes of ways to begin frames, on recorded frame costs.
    Pacing(pacing::Arguments),
    /// Compare rules that keep ticks in step with a server, on random networks.
    Ticks(ticks::Arguments),
    /// Play hockey for two over a network that delays and loses packets; see ticks ahead, rollbacks and corrections.
    Duel(duel::Arguments),
    /// A peer of `duel`.
    #[command(hide = true)]
    DuelPeer(peer::Arguments),
    /// Show frames on this Wayland desktop, and see how well it reports when they were seen.
    #[cfg(target_os = "linux")]
    Present(present::Arguments),
    /// Serve the lab, a web page of live figures, on this machine.
    #[cfg(feature = "lab")]
    Lab(lab::Arguments),
}

impl Command {
    /// Carries it out.
    pub(crate) fn run(self) -> Result<ExitCode, Failure> {
        match self {
            Self::Run(arguments) => run::run(&arguments),
            Self::Scenes => scenes::list(),
            Self::Replay(arguments) => replay::replay(&arguments),
            Self::Verify(arguments) => verify::verify(&arguments),
            Self::Bisect(arguments) => bisect::bisect(&arguments),
            Self::Analyze(arguments) => analyze::analyze(&arguments),
            Self::Watch(arguments) => watch::watch(&arguments),
            Self::Compare(arguments) => compare::compare(&arguments),
            Self::Capture(arguments) => capture::capture(&arguments),
            Self::Smoothing(arguments) => smoothing::smoothing(&arguments),
            Self::Filters(arguments) => filters::filters(&arguments),
            Self::Cameras(arguments) => cameras::cameras(&arguments),
            Self::Pacing(arguments) => pacing::pacing(&arguments),
            Self::Ticks(arguments) => ticks::ticks(&arguments),
            Self::Duel(arguments) => duel::duel(&arguments),
            Self::DuelPeer(arguments) => peer::play(&arguments),
            #[cfg(target_os = "linux")]
            Self::Present(arguments) => present::present(&arguments),
            #[cfg(feature = "lab")]
            Self::Lab(arguments) => lab::serve(&arguments),
        }
    }
}
