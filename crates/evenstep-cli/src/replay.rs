use std::env::consts;
use std::fmt::Write as _;
use std::fs;
use std::process::ExitCode;

use evenstep_scenes::{Difference, Recording, RecordingError, SceneInfo};

use crate::cli::ReplayArgs;
use crate::failure::Failure;
use crate::output;

/// Does a recorded run again, and says whether every state was the same.
pub(crate) fn replay(args: &ReplayArgs) -> Result<ExitCode, Failure> {
    let file = args.file.display().to_string();
    let bytes = fs::read(&args.file).map_err(|error| {
        let kind = error.kind();
        Failure::Run(format!(
            "{file}: cannot be read: {kind}; give a file that evenstep run --record has written"
        ))
    })?;
    let recording = Recording::read(&bytes, &file)?;
    match recording.replay()? {
        None => {
            let (ticks, marks) = (recording.ticks, recording.marks.len());
            let scene = &recording.scene;
            output::say(&format!(
                "{file}: {ticks} ticks of {scene}, {marks} states, all the same\n"
            ))?;
            Ok(ExitCode::SUCCESS)
        }
        Some(difference) => Err(Failure::Run(tell(&file, &recording, &difference))),
    }
}

/// A difference in one line: after which tick, and what differs.
fn tell(file: &str, recording: &Recording, difference: &Difference) -> String {
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

impl From<RecordingError> for Failure {
    fn from(error: RecordingError) -> Self {
        Self::Run(error.to_string())
    }
}
