//! Output files: written whole or not at all, and an existing file keeps its name, permissions and links.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::interrupt::{self, PartialFile};

/// An output file. It appears under its name only when it is complete.
pub struct OutputFile {
    option: &'static str,
    path: PathBuf,
    strategy: WriteStrategy,
}

/// How the content of an output gets into its file.
enum WriteStrategy {
    /// Written directly, because the target is a pipe or a device.
    Stream,
    /// Written to standard output, in order with the printed text.
    StandardOutput,
    /// Written beside the target (links are followed), then renamed.
    Rename(PathBuf),
    /// Written to a temporary file, then copied, because a new file could not replace the existing one: that has a second
    /// name or another owner, or its folder is not writable.
    Copy(PathBuf),
}

/// The input and output files of a command. Every output is created here. This makes sure that it is neither
/// an input nor another output, not even under a different name.
#[derive(Default)]
pub struct Files {
    inputs: Vec<(&'static str, PathBuf)>,
    outputs: Vec<(&'static str, PathBuf)>,
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
        let strategy = interrupt::install_handlers().and_then(|()| WriteStrategy::find(path));
        let file = OutputFile {
            option,
            path: path.to_owned(),
            strategy: strategy.map_err(|error| Failure::unwritable(path, option, &error))?,
        };
        for (argument, input) in &self.inputs {
            file.must_not_be_read(argument, input)?;
        }
        for (other, output) in &self.outputs {
            file.must_not_be_written(other, output)?;
        }
        self.outputs.push((option, path.to_owned()));
        Ok(file)
    }

    /// Does the same as [`Self::output`] for an option that may be absent.
    pub fn optional(&mut self, option: &'static str, path: Option<&Path>) -> Result<Option<OutputFile>, Failure> {
        path.map(|path| self.output(option, path)).transpose()
    }
}

impl OutputFile {
    /// Makes sure that the output is not the file `input`. A device may be both: input from a terminal is separate from output
    /// to it.
    pub fn must_not_be_read(&self, argument: &str, input: &Path) -> Result<(), Failure> {
        let is_kept = |path: &Path| fs::metadata(path).is_ok_and(|known| known.is_file() || is_pipe(&known));
        let is_same = match &self.strategy {
            WriteStrategy::Rename(target) | WriteStrategy::Copy(target) => is_same_place(target, input),
            WriteStrategy::Stream | WriteStrategy::StandardOutput => {
                is_kept(&self.path) && is_same_file(&self.path, input)
            }
        };
        self.refuse_if(is_same, argument)
    }

    /// Makes sure that this output is not the file `output`. Two outputs may be the same stream, which gets one after the other.
    fn must_not_be_written(&self, option: &str, output: &Path) -> Result<(), Failure> {
        let is_same = match &self.strategy {
            WriteStrategy::Rename(target) | WriteStrategy::Copy(target) => is_same_place(target, output),
            WriteStrategy::Stream | WriteStrategy::StandardOutput => false,
        };
        self.refuse_if(is_same, option)
    }

    fn refuse_if(&self, is_same: bool, other: &str) -> Result<(), Failure> {
        if !is_same {
            return Ok(());
        }
        let (path, option) = (self.path.display(), self.option);
        Err(Failure::Usage(format!(
            "{path}: {option}: is the file of {other} too; give it another name"
        )))
    }

    /// Writes the whole content, then gives the file its name.
    pub fn write(self, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
        let written = match &self.strategy {
            WriteStrategy::Stream => stream(File::options().write(true).open(&self.path), content),
            WriteStrategy::StandardOutput => stream(Ok(io::stdout().lock()), content),
            WriteStrategy::Rename(target) => write_beside(target, content),
            WriteStrategy::Copy(target) => write_over(target, content),
        };
        written.map_err(|error| Failure::unwritable(&self.path, self.option, &error))
    }
}

impl WriteStrategy {
    fn find(path: &Path) -> io::Result<Self> {
        if path.as_os_str().as_encoded_bytes().ends_with(b"/") {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let known = match fs::metadata(path) {
            Ok(known) => known,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let target = follow_links(path)?;
                begin_beside(&target)?;
                return Ok(Self::Rename(target));
            }
            Err(error) => return Err(error),
        };
        if is_standard_output(&known) {
            return Ok(Self::StandardOutput);
        }
        if known.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        // Opened to check the permission, except for a pipe: opening that would wait for its reader.
        if !is_pipe(&known) {
            File::options().write(true).open(path)?;
        }
        if !known.is_file() {
            return Ok(Self::Stream);
        }
        let target = path.canonicalize()?;
        let can_replace_target = begin_beside(&target).is_ok_and(|file| can_replace(&file, &known));
        Ok(if can_replace_target {
            Self::Rename(target)
        } else {
            Self::Copy(target)
        })
    }
}

/// A closed pipe is no failure.
fn stream(output: io::Result<impl Write>, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    match output.and_then(|output| write_all(output, content)) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

fn write_beside(target: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let partial = begin_beside(target)?;
    write_all(partial.file()?, content)?;
    if let Ok(known) = fs::metadata(target) {
        copy_ownership(partial.file()?, &known)?;
    }
    partial.finish(target)
}

/// Only complete content is copied, and the copy is not interrupted.
fn write_over(target: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut complete = tempfile::tempfile()?;
    write_all(&complete, content)?;
    io::Seek::rewind(&mut complete)?;
    interrupt::without_interruption(|| {
        let mut target = File::options().write(true).truncate(true).open(target)?;
        io::copy(&mut complete, &mut target).map(drop)
    })
}

fn write_all(output: impl Write, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut output = BufWriter::new(output);
    content(&mut output)?;
    output.flush()
}

fn begin_beside(target: &Path) -> io::Result<PartialFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".evenstep-");
    // Temporary files are accessible to their owner only; the result has the permissions of any other new file.
    #[cfg(unix)]
    let builder = builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let folder = target.parent().unwrap_or(Path::new("."));
    PartialFile::begin(|| builder.tempfile_in(folder))
}

/// The target of a link, which need not exist yet.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    /// The limit of Linux.
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize()?;
        let name = path.file_name().ok_or(io::ErrorKind::NotFound)?;
        match fs::read_link(folder.join(name)) {
            Ok(link) => path = folder.join(link),
            Err(_) => return Ok(folder.join(name)),
        }
    }
    Err(io::ErrorKind::InvalidFilename.into())
}

/// Whether a path leads to a target, which need not exist.
fn is_same_place(target: &Path, path: &Path) -> bool {
    is_same_file(target, path) || follow_links(path).is_ok_and(|path| path == *target)
}

/// Whether a new file can replace an existing one with the same owner, group and permissions.
fn can_replace(file: &PartialFile, known: &Metadata) -> bool {
    has_one_name(known) && file.file().is_ok_and(|file| copy_ownership(file, known).is_ok())
}

#[cfg(unix)]
fn has_one_name(known: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(known) == 1
}

/// Gives a new file the owner, the group and the permissions of another one.
#[cfg(unix)]
fn copy_ownership(file: &File, known: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    let own = file.metadata()?;
    let changed = |own: u32, known: u32| (own != known).then_some(known);
    let (user, group) = (changed(own.uid(), known.uid()), changed(own.gid(), known.gid()));
    if user.or(group).is_some() {
        fchown(file, user, group)?;
    }
    file.set_permissions(known.permissions())
}

/// Whether two names belong to one file. Neither is opened, because opening a pipe would wait.
#[cfg(unix)]
fn is_same_file(one: &Path, other: &Path) -> bool {
    match (fs::metadata(one), fs::metadata(other)) {
        (Ok(one), Ok(other)) => identity(&one) == identity(&other),
        _ => false,
    }
}

#[cfg(unix)]
fn identity(known: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt as _;
    (known.dev(), known.ino())
}

#[cfg(unix)]
fn is_pipe(known: &Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&known.file_type())
}

/// Whether standard output goes to the file with this metadata.
#[cfg(unix)]
fn is_standard_output(known: &Metadata) -> bool {
    use std::os::fd::AsFd as _;
    let own = io::stdout().as_fd().try_clone_to_owned();
    let own = own.and_then(|own| File::from(own).metadata());
    own.is_ok_and(|own| identity(&own) == identity(known))
}

/// The same functions on platforms without file owners.
#[cfg(not(unix))]
mod elsewhere {
    use std::fs::{File, Metadata};
    use std::io;
    use std::path::Path;

    pub(super) fn has_one_name(_: &Metadata) -> bool {
        true
    }

    pub(super) fn copy_ownership(file: &File, known: &Metadata) -> io::Result<()> {
        file.set_permissions(known.permissions())
    }

    pub(super) fn is_same_file(one: &Path, other: &Path) -> bool {
        same_file::is_same_file(one, other).unwrap_or(false)
    }

    pub(super) fn is_pipe(_: &Metadata) -> bool {
        false
    }

    pub(super) fn is_standard_output(_: &Metadata) -> bool {
        false
    }
}

#[cfg(not(unix))]
use elsewhere::{copy_ownership, has_one_name, is_pipe, is_same_file, is_standard_output};
