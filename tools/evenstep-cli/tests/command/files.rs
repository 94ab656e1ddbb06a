//! Every file that the command reads or writes, with a call in which it is the only one.

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

const fn file(command: &'static str, name: &'static str, content: Content, args: &'static [&'static str]) -> Use {
    Use {
        command,
        name,
        args,
        content,
    }
}

/// All files of all commands, except those in [`ELSEWHERE`].
pub(crate) const USES: [Use; 12] = [
    file(
        "check",
        "FILE",
        Content::Trace,
        &["check", "@", "--max", "hitches=1000"],
    ),
    file("check", "--against", Content::Trace, &["check", "%", "--against", "@"]),
    file(
        "check",
        "--junit",
        Content::Written,
        &["check", "%", "--max", "hitches=1000", "--junit", "@"],
    ),
    file("analyze", "FILE", Content::Trace, &["analyze", "@"]),
    file("analyze", "--rows", Content::Written, &["analyze", "%", "--rows", "@"]),
    file("analyze", "--plot", Content::Written, &["analyze", "%", "--plot", "@"]),
    file(
        "analyze",
        "--report",
        Content::Written,
        &["analyze", "%", "--report", "@"],
    ),
    file("compare", "BEFORE", Content::Trace, &["compare", "@", "%"]),
    file("compare", "AFTER", Content::Trace, &["compare", "%", "@"]),
    file(
        "compare",
        "--report",
        Content::Written,
        &["compare", "%", "%", "--report", "@"],
    ),
    file("watch", "FILE", Content::Trace, &["watch", "--until-idle", "0.01", "@"]),
    file("simulate", "TRACE", Content::Trace, &["simulate", "@"]),
];

/// Files with tests of their own, and files of a command that needs a compositor.
pub(crate) const ELSEWHERE: &[(&str, &str)] = &[
    ("record", "--against"),
    ("record", "--junit"),
    ("record", "--limits"),
    ("record", "--output"),
    // This is the path of a program.
    ("record", "PROGRAM"),
    // These are not recordings.
    ("check", "--limits"),
    ("desync", "A"),
    ("desync", "B"),
];

/// The names in the help of values that are not files.
pub(crate) const NO_FILES: &[&str] = &["NAME", "HZ|N/D", "METRIC=VALUE", "PERCENT", "S", "HZ|vrr"];
