use std::path::Path;

use evenstep_scenes::Recording;
use serde::Serialize;

use crate::commands::replay::{read, tell};

/// What came of one recording: a line of `--json`. The crate's README describes it.
#[derive(Debug, Serialize)]
pub(super) struct Verdict {
    pub(super) file: String,
    pub(super) outcome: Outcome,
    pub(super) scene: Option<String>,
    pub(super) ticks: Option<u64>,
    pub(super) states: Option<usize>,
    /// What is wrong, in one line.
    pub(super) message: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Outcome {
    /// Every state was the same.
    Same,
    /// A state was another.
    Differs,
    /// The file cannot be replayed.
    Unreadable,
}

impl Verdict {
    pub(super) fn of(path: &Path) -> Self {
        let file = path.display().to_string();
        let unreadable = |message: String| Self {
            file: file.clone(),
            outcome: Outcome::Unreadable,
            scene: None,
            ticks: None,
            states: None,
            message: Some(message),
        };
        let recording = match read(path, &file) {
            Ok(recording) => recording,
            Err(error) => return unreadable(error.to_string()),
        };
        let difference = match recording.replay() {
            Ok(difference) => difference,
            Err(error) => return unreadable(error.to_string()),
        };
        let message = difference.map(|difference| tell(&file, &recording, &difference));
        let Recording {
            scene,
            ticks,
            checkpoints,
            ..
        } = recording;
        Self {
            file,
            outcome: if message.is_some() {
                Outcome::Differs
            } else {
                Outcome::Same
            },
            scene: Some(scene),
            ticks: Some(ticks),
            states: Some(checkpoints.len()),
            message,
        }
    }
}
