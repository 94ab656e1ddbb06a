//! Output files: written when their content is complete. An existing file keeps its owner, permissions and links.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Seek as _, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::Failure;
use crate::interrupt;

/// An output file. It gets its content when that is complete.
pub struct OutputFile {
    option: &'static str,
    path: PathBuf,
    /// The same without links.
    target: PathBuf,
    kind: Kind,
}

/// How the content of an output gets into its file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    File,
    /// A pipe or a device, which is written directly.
    Stream,
    /// Standard output, which is written in order with the printed text.
    StandardOutput,
}

/// What a file has in common under each of its names.
#[derive(PartialEq, Eq)]
enum Identity {
    /// Its device, and its number there.
    #[cfg(unix)]
    Node(u64, u64),
    /// Its absolute path without links; on Unix only of a file that does not exist yet.
    Path(PathBuf),
}

/// The input and output files of a command. Every output is created here. This makes sure that it is neither
/// an input nor another output, not even under a different name.
#[derive(Default)]
pub struct Files {
    inputs: Vec<(&'static str, PathBuf)>,
    outputs: Vec<(&'static str, Identity)>,
}

impl Files {
    /// Adds files that the command reads. `argument` is the argument that names them.
    #[must_use]
    pub fn reading<P: Into<PathBuf>>(mut self, argument: &'static str, files: impl IntoIterator<Item = P>) -> Self {
        self.inputs
            .extend(files.into_iter().map(|file| (argument, file.into())));
        self
    }

    /// The output file that `option` names. Makes sure, before any work is done, that it can be written and is none of the other files.
    pub fn output(&mut self, option: &'static str, path: &Path) -> Result<OutputFile, Failure> {
        let found = interrupt::install_handlers().and_then(|()| interrupt::without_interruption(|| find(path)));
        let (kind, identity) = found.map_err(|error| Failure::unwritable(path, option, &error))?;
        let target = match &identity {
            Some(Identity::Path(target)) => target.clone(),
            _ => path.canonicalize().unwrap_or_else(|_| path.to_owned()),
        };
        if let Some(identity) = identity {
            let is_it = |input: &Path| Identity::of(input).is_ok_and(|input| input == identity);
            let inputs = self.inputs.iter().filter(|(_, input)| is_it(input));
            let outputs = self.outputs.iter().filter(|(_, output)| *output == identity);
            let others = inputs.map(|(other, _)| other).chain(outputs.map(|(other, _)| other));
            if let Some(other) = others.into_iter().next() {
                return Err(Failure::Usage(format!(
                    "{}: {option}: is the file of {other} too; give it another name",
                    path.display()
                )));
            }
            if kind == Kind::File {
                self.outputs.push((option, identity));
            }
        }
        Ok(OutputFile {
            option,
            path: path.to_owned(),
            target,
            kind,
        })
    }

    /// Does the same as [`Self::output`] for an option that may be absent.
    pub fn optional(&mut self, option: &'static str, path: Option<&Path>) -> Result<Option<OutputFile>, Failure> {
        path.map(|path| self.output(option, path)).transpose()
    }
}

impl OutputFile {
    /// Writes the content that `content` writes, unless that returns a failure; returns its value. A closed pipe is no failure.
    pub fn write<T>(
        self,
        content: impl FnOnce(&mut dyn Write) -> Result<(io::Result<()>, T), Failure>,
    ) -> Result<T, Failure> {
        let unwritable = |error: io::Error| Failure::unwritable(&self.path, self.option, &error);
        // A file without a name gets the content of a file first.
        let complete = (self.kind == Kind::File).then(|| nameless(&self.target)).transpose();
        let complete = complete.map_err(unwritable)?;
        let output: Box<dyn Write> = match (&complete, self.kind) {
            (Some(file), _) => Box::new(file),
            (None, Kind::StandardOutput) => Box::new(io::stdout().lock()),
            (None, _) => Box::new(File::options().write(true).open(&self.path).map_err(unwritable)?),
        };
        let mut output = BufWriter::new(output);
        let (written, value) = content(&mut output)?;
        let written = written.and_then(|()| output.flush());
        let finished = written.and_then(|()| complete.as_ref().map_or(Ok(()), |file| replace(&self.target, file)));
        match finished {
            Err(error) if complete.is_none() && error.kind() == io::ErrorKind::BrokenPipe => Ok(value),
            finished => finished.map(|()| value).map_err(unwritable),
        }
    }
}

/// A file without a name on the target's disk or, if nothing may be written to its folder, among the temporary files.
fn nameless(target: &Path) -> io::Result<File> {
    // Some systems give it a name for a moment.
    match interrupt::without_interruption(|| tempfile::tempfile_in(target.parent().unwrap_or(target))) {
        Err(error) if is_closed(&error) => tempfile::tempfile(),
        file => file,
    }
}

/// Whether an error means that nothing may be written to a folder.
fn is_closed(error: &io::Error) -> bool {
    use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem)
}

/// Gives a file the content of another. The content is complete beside the target before it takes the target's name, so that a full disk or
/// a killed command leaves the target as it was.
fn replace(target: &Path, mut complete: &File) -> io::Result<()> {
    complete.rewind()?;
    interrupt::without_interruption(|| match beside(target)? {
        Some(mut file) => {
            io::copy(&mut complete, &mut file)?;
            file.persist(target)?;
            Ok(())
        }
        None => io::copy(&mut complete, &mut File::create(target)?).map(drop),
    })
}

/// An empty file that can replace the target. None if that has another name or owner or no permission for its folder: it is then written
/// in place.
fn beside(target: &Path) -> io::Result<Option<NamedTempFile>> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".evenstep-");
    // Temporary files are for their owner only; a new output has the permissions of any other new file.
    #[cfg(unix)]
    let builder = builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = match builder.tempfile_in(target.parent().unwrap_or(target)) {
        Err(error) if is_closed(&error) => return Ok(None),
        file => file?,
    };
    let Ok(known) = fs::metadata(target) else {
        return Ok(Some(file));
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let own = file.as_file().metadata()?;
        if known.nlink() > 1 || (known.uid(), known.gid()) != (own.uid(), own.gid()) {
            return Ok(None);
        }
    }
    match file.as_file().set_permissions(known.permissions()) {
        Err(error) if is_closed(&error) => Ok(None),
        set => set.map(|()| Some(file)),
    }
}

impl Identity {
    fn of(path: &Path) -> io::Result<Self> {
        #[cfg(unix)]
        return Ok(Self::from(&fs::metadata(path)?));
        #[cfg(not(unix))]
        return Ok(Self::Path(path.canonicalize()?));
    }
}

#[cfg(unix)]
impl From<&Metadata> for Identity {
    fn from(known: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self::Node(known.dev(), known.ino())
    }
}

/// Makes sure that an output can be written. Devices have no identity here: they may be an input, too, and several outputs.
fn find(path: &Path) -> io::Result<(Kind, Option<Identity>)> {
    let known = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // This follows links, also those to nothing.
            File::options().write(true).create(true).truncate(false).open(path)?;
            let path = path.canonicalize()?;
            fs::remove_file(&path)?;
            return Ok((Kind::File, Some(Identity::Path(path))));
        }
        known => known?,
    };
    let is_kept = known.is_file() || is_pipe(&known);
    let identity = is_kept.then(|| Identity::of(path)).transpose()?;
    if is_standard_output(&known) {
        return Ok((Kind::StandardOutput, identity));
    }
    // Opening a pipe would wait for its reader.
    if !is_pipe(&known) {
        File::options().write(true).open(path)?;
    }
    let kind = if known.is_file() { Kind::File } else { Kind::Stream };
    Ok((kind, identity))
}

#[cfg(unix)]
fn is_pipe(known: &Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&known.file_type())
}

#[cfg(not(unix))]
fn is_pipe(_: &Metadata) -> bool {
    false
}

/// Whether standard output goes to the file with this metadata.
#[cfg(unix)]
fn is_standard_output(known: &Metadata) -> bool {
    use std::os::fd::AsFd as _;
    let own = io::stdout().as_fd().try_clone_to_owned();
    let own = own.and_then(|own| File::from(own).metadata());
    own.is_ok_and(|own| Identity::from(&own) == Identity::from(known))
}

#[cfg(not(unix))]
fn is_standard_output(_: &Metadata) -> bool {
    false
}
