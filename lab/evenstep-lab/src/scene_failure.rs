//! How the command reports errors of scenes and recordings.

use std::path::{Path, PathBuf};

use evenstep_cli::failure::Failure;
use evenstep_scenes::hockey::{Level, LevelError};
use evenstep_scenes::{RecordingError, SceneError};

/// The error for a scene that cannot be built because of the command line or a file that it names.
pub(crate) fn of_scene(error: SceneError) -> Failure {
    match error {
        SceneError::Setting(error) => Failure::Usage(error.to_string()),
        SceneError::Level(error @ LevelError::Placed(_)) => Failure::Usage(format!("--set: {error}")),
        error => Failure::Run(error.to_string()),
    }
}

/// The error for a recording of a run that cannot be read or replayed.
pub(crate) fn of_recording(error: RecordingError) -> Failure {
    Failure::Run(error.to_string())
}

/// The file that a setting of a scene names.
pub(crate) fn level_file(key: &str, value: &str) -> Option<PathBuf> {
    Level::file(value).filter(|_| key == "level").map(Path::to_owned)
}
