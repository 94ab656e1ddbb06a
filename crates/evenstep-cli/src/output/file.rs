use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::Failure;

/// A file to be written. It appears under its name only when it is complete.
pub(crate) struct OutputFile {
    option: &'static str,
    path: PathBuf,
    /// The path with links followed.
    target: PathBuf,
    /// Pipes and devices are written to as they are.
    is_device: bool,
}

impl OutputFile {
    /// Makes sure, before any work is done, that the file that `option` names can be written.
    pub(crate) fn check(option: &'static str, path: &Path) -> Result<Self, Failure> {
        let unwritable = |error| Failure::unwritable(path, option, &error);
        let (target, is_device) = find_target(path).map_err(unwritable)?;
        if !is_device {
            // Gone again at once, so that nothing is left behind if the run is cut short.
            temporary_beside(&target).map_err(unwritable)?;
        }
        Ok(Self {
            option,
            path: path.to_owned(),
            target,
            is_device,
        })
    }

    /// Makes sure that it is not the file that another option names.
    pub(crate) fn must_not_be(&self, other: &str, path: &Path) -> Result<(), Failure> {
        let other_target = find_target(path).map(|(target, _)| target);
        if self.is_device || other_target.is_ok_and(|target| target != self.target) {
            return Ok(());
        }
        let (path, option) = (self.path.display(), self.option);
        Err(Failure::Usage(format!(
            "{path}: {option}: is the file of {other} too; give it another name"
        )))
    }

    /// Writes all of its content, then gives it its name.
    pub(crate) fn write(self, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
        let written = if self.is_device {
            File::options()
                .write(true)
                .open(&self.target)
                .and_then(|file| write_all(&file, content))
        } else {
            self.write_at_once(content)
        };
        written.map_err(|error| Failure::unwritable(&self.path, self.option, &error))
    }

    fn write_at_once(&self, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let temporary = temporary_beside(&self.target)?;
        write_all(temporary.as_file(), content)?;
        temporary.persist(&self.target).map(drop).map_err(|error| error.error)
    }
}

fn write_all(file: &File, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut output = BufWriter::new(file);
    content(&mut output)?;
    output.flush()
}

/// The path with links followed, and whether it is a pipe or a device.
fn find_target(path: &Path) -> io::Result<(PathBuf, bool)> {
    match fs::metadata(path) {
        Ok(known) if known.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(known) if known.is_file() => {
            // Opened to see whether it may be.
            File::options().write(true).open(path)?;
            Ok((path.canonicalize()?, false))
        }
        Ok(_) => Ok((path.to_owned(), true)),
        Err(_) => {
            let name = path.file_name().ok_or(io::ErrorKind::NotFound)?;
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            Ok((folder.unwrap_or(Path::new(".")).canonicalize()?.join(name), false))
        }
    }
}

fn temporary_beside(target: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".evenstep-");
    // Temporary files are for their owner only; what was asked for is as any other file.
    #[cfg(unix)]
    let builder = builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(target.parent().unwrap_or(Path::new(".")))
}
