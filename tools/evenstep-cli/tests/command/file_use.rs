//! A file that a command reads or writes.

/// The content of a file of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// An output.
    Written,
    /// A recording of frame times, as input.
    Trace,
}

/// A file of a command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Use {
    /// The command.
    pub(crate) command: &'static str,
    /// The name of the file in the command's help: an option or an argument.
    pub(crate) name: &'static str,
    /// A call. `@` stands for the file, and `%` for a valid trace.
    pub(crate) args: &'static [&'static str],
    pub(crate) content: Content,
}

pub(crate) const fn file(
    command: &'static str,
    name: &'static str,
    content: Content,
    args: &'static [&'static str],
) -> Use {
    Use {
        command,
        name,
        args,
        content,
    }
}
