use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::Failure;

/// A file that appears under its name only when it is complete.
pub(crate) struct OutputFile {
    path: PathBuf,
    temporary: NamedTempFile,
}

impl OutputFile {
    /// Makes sure, before any work is done, that the file can be written.
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        let unwritable = |error: &io::Error| Failure::unwritable(path, error);
        if path.is_dir() {
            return Err(unwritable(&io::Error::from(io::ErrorKind::IsADirectory)));
        }
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        if !folder.is_dir() {
            return Err(unwritable(&io::Error::from(io::ErrorKind::NotFound)));
        }
        let temporary = tempfile::Builder::new().prefix(".evenstep-").tempfile_in(folder);
        Ok(Self {
            path: path.to_owned(),
            temporary: temporary.map_err(|error| unwritable(&error))?,
        })
    }

    /// Writes all of its content.
    pub(crate) fn write_with(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
        let mut output = BufWriter::new(self.temporary.as_file_mut());
        let written = write(&mut output).and_then(|()| output.flush());
        written.map_err(|error| Failure::unwritable(&self.path, &error))
    }

    /// Gives it its name.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let Self { path, temporary } = self;
        let persisted = temporary.persist(&path).map_err(|error| error.error);
        persisted
            .and_then(|file| readable_by_all(&file))
            .map_err(|error| Failure::unwritable(&path, &error))
    }
}

/// Temporary files are for their owner only; what was asked for is as any other file.
#[cfg(unix)]
fn readable_by_all(file: &std::fs::File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable_by_all(_: &std::fs::File) -> io::Result<()> {
    Ok(())
}
