//! What scenes and recordings of runs say, as failures of the command.

use evenstep_cli::failure::Failure;
use evenstep_scenes::hockey::LevelError;
use evenstep_scenes::{RecordingError, SceneError};

/// A scene that cannot be built: by the command line, or by a file that it names.
pub(crate) fn of_scene(error: SceneError) -> Failure {
    match error {
        SceneError::Setting(error) => Failure::Usage(error.to_string()),
        SceneError::Level(error @ LevelError::Placed(_)) => Failure::Usage(format!("--set: {error}")),
        error => Failure::Run(error.to_string()),
    }
}

/// A recording of a run that cannot be read or replayed.
pub(crate) fn of_recording(error: RecordingError) -> Failure {
    Failure::Run(error.to_string())
}
