//! Output files: written when their content is complete. An existing file keeps its owner, permissions and links.

use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::interrupt;

/// An output file. It gets its content when that is complete.
pub(crate) struct OutputFile {
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
pub(crate) struct Files {
    /// Each with the argument that names it.
    known: Vec<(&'static str, Identity)>,
}

impl Files {
    /// Adds files that the command reads. `argument` is the argument that names them.
    pub(crate) fn read<P: AsRef<Path>>(&mut self, argument: &'static str, files: impl IntoIterator<Item = P>) {
        let known = files.into_iter().filter_map(|file| Identity::read(file.as_ref()).ok());
        self.known.extend(known.map(|identity| (argument, identity)));
    }

    /// The output file that `option` names, if it is given. Makes sure, before any work is done, that it can be written and is none of the
    /// other files.
    pub(crate) fn output(&mut self, option: &'static str, path: Option<&Path>) -> Result<Option<OutputFile>, Failure> {
        let Some(path) = path else { return Ok(None) };
        let found = interrupt::without_interruption(|| find(path));
        let (kind, identity) = found.map_err(|error| Failure::unwritable(path, option, &error))?;
        let target = match &identity {
            Some(Identity::Path(target)) => target.clone(),
            _ => path.canonicalize().unwrap_or_else(|_| path.to_owned()),
        };
        if let Some(identity) = identity {
            if let Some((other, _)) = self.known.iter().find(|(_, known)| *known == identity) {
                return Err(Failure::Usage(format!(
                    "{}: {option}: is the file of {other} too; give it another name",
                    path.display()
                )));
            }
            if kind == Kind::File {
                self.known.push((option, identity));
            }
        }
        Ok(Some(OutputFile {
            option,
            path: path.to_owned(),
            target,
            kind,
        }))
    }
}

impl OutputFile {
    /// Writes the content. A closed pipe is no failure.
    pub(crate) fn write(self, content: &[u8]) -> Result<(), Failure> {
        let written = match self.kind {
            Kind::File => interrupt::without_interruption(|| replace(&self.target, content)),
            Kind::Stream => {
                let file = File::options().write(true).open(&self.path);
                file.and_then(|mut file| file.write_all(content))
            }
            Kind::StandardOutput => {
                let mut output = io::stdout().lock();
                output.write_all(content).and_then(|()| output.flush())
            }
        };
        match written {
            Err(error) if self.kind != Kind::File && error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            written => written.map_err(|error| Failure::unwritable(&self.path, self.option, &error)),
        }
    }
}

/// Gives a file a new content. It is complete beside the target before it takes the target's place, so that a full disk or a killed command
/// leaves the target as it was. Where nothing may be written to the target's folder, or the target has another name or owner, it is written
/// in place.
fn replace(target: &Path, content: &[u8]) -> io::Result<()> {
    use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    let mut builder = tempfile::Builder::new();
    builder.prefix(".evenstep-");
    // Temporary files are for their owner only; a new output has the permissions of any other new file.
    #[cfg(unix)]
    let builder = builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = match builder.tempfile_in(target.parent().unwrap_or(target)) {
        Err(error) if matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem) => {
            return fs::write(target, content);
        }
        file => file?,
    };
    file.write_all(content)?;
    if can_replace(target, file.as_file())? {
        file.persist(target)?;
        return Ok(());
    }
    fs::write(target, content)
}

/// Whether a file can take the target's place without a change of its names, its owner and its permissions.
fn can_replace(target: &Path, file: &File) -> io::Result<bool> {
    let Ok(known) = fs::metadata(target) else {
        return Ok(true);
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let own = file.metadata()?;
        if known.nlink() > 1 || (known.uid(), known.gid()) != (own.uid(), own.gid()) {
            return Ok(false);
        }
    }
    Ok(file.set_permissions(known.permissions()).is_ok())
}

impl Identity {
    fn read(path: &Path) -> io::Result<Self> {
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
    let identity = is_kept.then(|| Identity::read(path)).transpose()?;
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
