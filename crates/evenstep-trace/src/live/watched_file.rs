//! Reads a file while another program writes it, and reports what happened to it.

use std::fs;
use std::io::{self, Read as _, Seek as _};
use std::path::{Path, PathBuf};

use same_file::Handle;

use crate::error::{BadRows, TraceError};
use crate::live::growing_analysis::{CurrentAnalysis, GrowingAnalysis};

/// The maximum number of bytes that one call reads, which takes a fraction of a second.
const MAX_READ: u64 = 4 << 20;

/// A file that another program is writing.
///
/// Call [`poll`](Self::poll) regularly, and take the [analysis so far](Self::current) when the file has grown.
///
/// | what happens to the file | result of [`poll`](Self::poll) |
/// |---|---|
/// | it does not exist yet, or no longer exists | [`FileEvent::Missing`]; the analysis so far is kept |
/// | it grows | [`FileEvent::Grew`]; an incomplete line is kept until its end is written |
/// | it becomes shorter than the part that was read | [`FileEvent::Restarted`]: it is read from its beginning |
/// | another file replaces it | [`FileEvent::Restarted`]: the new file is read from its beginning |
/// | the part that was read is overwritten | nothing: that part is not read again |
/// | it is a folder, a pipe or a device | [`TraceError::Unreadable`] |
///
/// ```
/// use evenstep_trace::BadRows;
/// use evenstep_trace::live::{FileEvent, WatchedFile};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("game.csv");
/// let mut watched = WatchedFile::new(&path, BadRows::Skip);
/// assert_eq!(watched.poll()?, FileEvent::Missing);
/// std::fs::write(&path, "16\n17\n")?;
/// assert_eq!(watched.poll()?, FileEvent::Grew);
/// assert_eq!(watched.current()?.analysis.chains[0].metrics.frames, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct WatchedFile {
    path: PathBuf,
    bad_rows: BadRows,
    open: Option<Open>,
    analysis: GrowingAnalysis,
}

/// A file event: the result of one [`WatchedFile::poll`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileEvent {
    /// The file does not exist.
    Missing,
    /// Nothing was read.
    Unchanged,
    /// More of the file was read. There may be still more, so call [`WatchedFile::poll`] again at once.
    Grew,
    /// The file was truncated or replaced, and is read from its beginning.
    Restarted,
}

#[derive(Debug)]
struct Open {
    /// Keeps the file open, so that the system does not give its inode number to another file meanwhile.
    file: Handle,
    /// The number of bytes read.
    read: u64,
}

impl WatchedFile {
    /// Watches a file, which need not exist yet.
    #[must_use]
    pub fn new(path: &Path, rows: BadRows) -> Self {
        Self {
            path: path.to_owned(),
            bad_rows: rows,
            open: None,
            analysis: GrowingAnalysis::new(&path.display().to_string(), rows),
        }
    }

    /// Reads the new bytes, at most 4 MiB.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, and as [`GrowingAnalysis::push`].
    pub fn poll(&mut self) -> Result<FileEvent, TraceError> {
        let found = find(&self.path).map_err(|source| self.unreadable(source))?;
        let is_found = found.is_some();
        let is_new = found.is_some_and(|found| self.take(found));
        let is_shorter = self.is_shorter().map_err(|source| self.unreadable(source))?;
        if is_new || is_shorter {
            self.analysis = GrowingAnalysis::new(&self.path.display().to_string(), self.bad_rows);
        }
        let has_grown = self.read()?;
        Ok(match (is_new || is_shorter, has_grown) {
            (true, _) => FileEvent::Restarted,
            (false, true) => FileEvent::Grew,
            (false, false) if is_found => FileEvent::Unchanged,
            (false, false) => FileEvent::Missing,
        })
    }

    /// The analysis of the complete lines.
    ///
    /// # Errors
    ///
    /// As [`GrowingAnalysis::current`].
    pub fn current(&self) -> Result<CurrentAnalysis, TraceError> {
        self.analysis.current()
    }

    /// The analysis of the complete file, as [`Analysis::read`](crate::Analysis::read) returns it.
    ///
    /// # Errors
    ///
    /// As [`GrowingAnalysis::complete`]; [`TraceError::Unreadable`] if there never was a file.
    pub fn complete(self) -> Result<CurrentAnalysis, TraceError> {
        match self.open {
            Some(_) => self.analysis.complete(),
            None => Err(self.unreadable(io::ErrorKind::NotFound.into())),
        }
    }

    /// Switches to a file unless it is the one that is already open. Returns whether it replaced another file.
    fn take(&mut self, found: Handle) -> bool {
        if self.open.as_ref().is_some_and(|open| open.file == found) {
            return false;
        }
        self.open.replace(Open { file: found, read: 0 }).is_some()
    }

    /// Whether the file is shorter than the part that was read. If it is, the file is read from its beginning.
    fn is_shorter(&mut self) -> io::Result<bool> {
        let Some(open) = &mut self.open else { return Ok(false) };
        let is_shorter = open.file.as_file().metadata()?.len() < open.read;
        if is_shorter {
            open.file.as_file_mut().rewind()?;
            open.read = 0;
        }
        Ok(is_shorter)
    }

    /// Whether there was anything to read.
    fn read(&mut self) -> Result<bool, TraceError> {
        let Some(open) = &mut self.open else { return Ok(false) };
        let mut bytes = Vec::new();
        let result = open.file.as_file_mut().take(MAX_READ).read_to_end(&mut bytes);
        open.read += bytes.len() as u64;
        result.map_err(|source| self.unreadable(source))?;
        self.analysis.push(&bytes)?;
        Ok(!bytes.is_empty())
    }

    fn unreadable(&self, source: io::Error) -> TraceError {
        TraceError::unreadable(&self.path.display().to_string(), source)
    }
}

/// Opens a file; `None` if it does not exist. Anything but a regular file is refused before it is opened, because opening a pipe waits
/// for a writer.
fn find(path: &Path) -> io::Result<Option<Handle>> {
    let found = fs::metadata(path).and_then(|metadata| match metadata.is_file() {
        true => Handle::from_path(path),
        false => Err(io::Error::other(
            "it is not a regular file, and only a regular file can be watched",
        )),
    });
    match found {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        found => found.map(Some),
    }
}
