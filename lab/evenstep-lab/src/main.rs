//! Plays a scene on the frames of a display, and prints the hash of its state after a number of steps.
#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use evenstep::{FixedTimestep, Rate};
use evenstep_scenes::{Display, SCENES, SceneError, SceneInfo};
use evenstep_trace::{BadRows, Trace, TraceError};

/// The largest number of frames: four and a half hours at 60 Hz.
const MAX_FRAMES: usize = 1_000_000;

/// Plays a demonstration scene on the frames of a display, and prints the hash of its state's bits after a number of steps. It does not
/// depend on the frames.
#[derive(Parser)]
#[command(name = "evenstep-lab", version, arg_required_else_help = true)]
enum CommandLine {
    /// Play a scene.
    Run(Arguments),
}

#[derive(clap::Args)]
struct Arguments {
    /// The scene.
    #[arg(value_parser = SCENES.iter().map(|scene| scene.name).collect::<Vec<_>>())]
    scene: String,
    /// The physics engine [default: the scene's first].
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// Where frames come from: an even rate, or a recording, which starts over when it ends.
    #[arg(long, value_name = "HZ|FILE", default_value = "60")]
    frames: PathBuf,
    /// The number of steps.
    #[arg(long, value_name = "TICK")]
    hash_at: u64,
}

#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Scene(#[from] SceneError),
    #[error("--frames: {0}")]
    Frames(#[from] TraceError),
    #[error("--hash-at {0}: not reached in {MAX_FRAMES} frames; give longer frames")]
    TooLong(u64),
}

/// A display with this rate, or with the frames of this recording.
fn display(frames: &Path) -> Result<Display, TraceError> {
    match frames.to_str().map(str::parse::<Rate>) {
        Some(Ok(rate)) => Ok(Display::even(rate)),
        _ => Ok(Display::recorded(
            Trace::read(frames, BadRows::Fail)?.main_chain().deltas.clone(),
        )),
    }
}

/// Plays the scene. Returns the hash.
fn play(args: &Arguments) -> Result<u64, Failure> {
    let info = SceneInfo::by_name(&args.scene).expect("the command line has only known names");
    let mut scene = info.build_with(args.engine.iter().map(|name| format!("engine={name}")))?;
    let (mut timestep, mut display) = (FixedTimestep::new(info.rate), display(&args.frames)?);
    let mut done = 0;
    for _ in 0..MAX_FRAMES {
        if done == args.hash_at {
            return Ok(scene.hash());
        }
        let frame = timestep.advance(display.next_delta());
        for step in frame.steps().filter(|step| step.tick < args.hash_at) {
            scene.step(&step);
            done = step.tick + 1;
        }
    }
    Err(Failure::TooLong(args.hash_at))
}

fn main() -> ExitCode {
    let CommandLine::Run(args) = CommandLine::parse();
    match play(&args) {
        Ok(hash) => {
            println!("hash {} {hash:016x}", args.hash_at);
            ExitCode::SUCCESS
        }
        Err(failure) => {
            eprintln!("evenstep-lab: {failure}");
            ExitCode::FAILURE
        }
    }
}
