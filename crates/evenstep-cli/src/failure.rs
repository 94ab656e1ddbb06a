use std::io;
use std::path::Path;
use std::process::ExitCode;

use evenstep_scenes::SceneError;
use evenstep_scenes::hockey::LevelError;
use evenstep_trace::TraceError;

/// Why a command did not do what it was asked to. Every message is one line.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The command line makes no sense.
    #[error("{0}")]
    Usage(String),
    /// It makes sense, but could not be carried out.
    #[error("{0}")]
    Run(String),
}

impl Failure {
    /// An output that cannot be written.
    pub(crate) fn unwritable(path: &Path, option: &str, error: &io::Error) -> Self {
        let (path, kind) = (path.display(), error.kind());
        Self::Run(format!(
            "{path}: {option}: cannot be written: {kind}; choose a file in a folder that exists and is yours"
        ))
    }

    /// Says what was wrong on standard error, and answers with the exit code.
    pub(crate) fn report(self) -> ExitCode {
        eprintln!("evenstep: {self}");
        match self {
            Self::Run(_) => ExitCode::from(1),
            Self::Usage(_) => ExitCode::from(2),
        }
    }
}

impl From<TraceError> for Failure {
    fn from(error: TraceError) -> Self {
        Self::Run(error.to_string())
    }
}

impl From<SceneError> for Failure {
    fn from(error: SceneError) -> Self {
        match error {
            SceneError::Setting(error) => Self::Usage(error.to_string()),
            SceneError::Level(error @ LevelError::Placed(_)) => Self::Usage(format!("--set: {error}")),
            error => Self::Run(error.to_string()),
        }
    }
}
