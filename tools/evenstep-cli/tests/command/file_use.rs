//! A file that a command reads or writes.
#![allow(dead_code, reason = "each command's tests use some of it")]

/// What a file is to a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// It is written.
    Written,
    /// A recording of frame times, to be read.
    Trace,
    /// A recorded run, to be replayed.
    Run,
    /// A level of hockey.
    Level,
}

/// A file of a command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Use {
    /// The command.
    pub(crate) command: &'static str,
    /// How its help calls the file: an option, or the name of an argument.
    pub(crate) name: &'static str,
    /// A call. `@` stands for the file, `%` for a good trace, and `^` for a good recording of a run.
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
