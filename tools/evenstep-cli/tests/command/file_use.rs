//! A file that a command reads or writes.
#![allow(dead_code, reason = "each command's tests use some of it")]

/// The content of a file of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// An output.
    Written,
    /// A recording of frame times, as input.
    Trace,
    /// A recorded run, as input.
    Run,
    /// A level of hockey.
    Level,
}

/// A file of a command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Use {
    /// The command.
    pub(crate) command: &'static str,
    /// The name of the file in the command's help: an option or an argument.
    pub(crate) name: &'static str,
    /// A call. `@` stands for the file, `%` for a valid trace, and `^` for a valid recording of a run.
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
