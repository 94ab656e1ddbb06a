//! `evenstep-lab replay`: repeats a recorded run.

use std::env::consts;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use evenstep::Tick;
use evenstep_scenes::{Difference, Recording, RecordingError, SceneInfo};

use crate::scene_failure::of_recording;
use evenstep_cli::failure::{Failure, reason};
use evenstep_cli::output;

/// The arguments of `replay`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The recording.
    file: PathBuf,
    /// Print the state before this tick and the inputs since the recorded state before it, and compare nothing: `evenstep desync`
    /// compares what two machines print.
    #[arg(long, value_name = "TICK")]
    dump: Option<Tick>,
}

/// Repeats a recorded run, and prints whether every state was the same.
pub(crate) fn replay(args: &Arguments) -> Result<ExitCode, Failure> {
    let file = args.file.display().to_string();
    let recording = read(&args.file, &file)?;
    if let Some(tick) = args.dump {
        output::print(&recording.dump(tick).map_err(of_recording)?.to_string())?;
        return Ok(ExitCode::SUCCESS);
    }
    match recording.replay().map_err(of_recording)? {
        None => {
            let (ticks, checkpoints) = (recording.ticks, recording.checkpoints.len());
            let scene = &recording.scene;
            output::print(&format!(
                "{file}: {ticks} ticks of {scene}, {checkpoints} states, all the same\n"
            ))?;
            Ok(ExitCode::SUCCESS)
        }
        Some(difference) => Err(Failure::Run(describe(&file, &recording, &difference))),
    }
}

/// The number of bytes that identify a file as a recording.
const BEGINNING: u64 = 8;

/// Whether a file begins like a recording. A file that cannot be read counts as one.
pub(super) fn is_recording(path: &Path) -> bool {
    let mut bytes = Vec::new();
    let begun = File::open(path).and_then(|input| input.take(BEGINNING).read_to_end(&mut bytes));
    let is_other = |error| matches!(error, RecordingError::NotARecording { .. });
    begun.is_err() || !Recording::read(&bytes, "").is_err_and(is_other)
}

/// Reads a recording. If its beginning is not that of a recording, reads no further, since it may be a device without an end.
pub(super) fn read(path: &Path, file: &str) -> Result<Recording, Failure> {
    let unreadable = |error: io::Error| {
        let reason = reason(&error);
        Failure::Run(format!(
            "{file}: cannot be read: {reason}; give a file that evenstep-lab run --record has written"
        ))
    };
    let mut input = File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    input
        .by_ref()
        .take(BEGINNING)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    if let Err(error @ RecordingError::NotARecording { .. }) = Recording::read(&bytes, file) {
        return Err(of_recording(error));
    }
    input.read_to_end(&mut bytes).map_err(unreadable)?;
    Recording::read(&bytes, file).map_err(of_recording)
}

/// Describes a difference in one line: the tick, and what differs.
pub(super) fn describe(file: &str, recording: &Recording, difference: &Difference) -> String {
    let Difference {
        ticks,
        recorded,
        replayed,
    } = difference;
    let mut text = format!("{file}: differs after tick {}", ticks - 1);
    let channels = SceneInfo::by_name(&recording.scene).map_or(&[][..], |info| info.channels);
    for ((channel, recorded), replayed) in channels.iter().zip(&recorded.values).zip(&replayed.values) {
        if recorded.to_bits() != replayed.to_bits() {
            let (name, unit) = (channel.name, channel.unit);
            let _ = write!(text, "; {name} was {recorded} {unit} and is {replayed} {unit}");
        }
    }
    let _ = write!(
        text,
        "; the state's hash was {:016x} and is {:016x}",
        recorded.hash, replayed.hash
    );
    let _ = write!(
        text,
        "; evenstep-lab replay --dump {ticks} has all values, for evenstep desync"
    );
    let here = (env!("CARGO_PKG_VERSION"), format!("{} {}", consts::OS, consts::ARCH));
    if (recording.made_by.as_str(), &recording.platform) != (here.0, &here.1) {
        let _ = write!(
            text,
            "; it was recorded by version {} on {}, this is version {} on {}",
            recording.made_by, recording.platform, here.0, here.1
        );
    }
    text
}
