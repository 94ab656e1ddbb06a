//! The result of verifying one recording.

use std::path::{Path, PathBuf};

use evenstep_scenes::Recording;
use serde::Serialize;

use crate::commands::replay::{describe, read};
use crate::scene_failure::level_file;

/// The result for one recording: a line of `--json`. The crate's README describes it.
#[derive(Debug, Serialize)]
pub(super) struct Verdict {
    pub(super) file: String,
    pub(super) outcome: Outcome,
    pub(super) scene: Option<String>,
    pub(super) ticks: Option<u64>,
    pub(super) states: Option<usize>,
    /// The error, in one line.
    pub(super) message: Option<String>,
    /// The file of the scene's level, which was read as well.
    #[serde(skip)]
    pub(super) level: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Outcome {
    /// Every state was the same.
    Same,
    /// A state differed.
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
            level: None,
        };
        let recording = match read(path, &file) {
            Ok(recording) => recording,
            Err(error) => return unreadable(error.to_string()),
        };
        let mut settings = recording.settings.iter();
        let level = settings.find_map(|(key, value)| level_file(key, value));
        let difference = match recording.replay() {
            Ok(difference) => difference,
            Err(error) => {
                return Self {
                    level,
                    ..unreadable(error.to_string())
                };
            }
        };
        let message = difference.map(|difference| describe(&file, &recording, &difference));
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
            level,
        }
    }
}
