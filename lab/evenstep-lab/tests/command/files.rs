//! Every file that the lab's command reads or writes, with a call in which it is the only one.

use std::path::Path;

use crate::common::stdout;
use crate::file_use::{Content, Use, file};

/// All files of all commands, except those in [`ELSEWHERE`].
pub(crate) const USES: [Use; 11] = [
    file("run", "--frames", Content::Trace, &["run", "spring", "--frames", "@"]),
    file(
        "run",
        "--set",
        Content::Level,
        &["run", "hockey", "--seconds", "0.1", "--set", "level=@"],
    ),
    file(
        "run",
        "--csv",
        Content::Written,
        &["run", "spring", "--frames", "%", "--csv", "@"],
    ),
    file(
        "run",
        "--report",
        Content::Written,
        &["run", "spring", "--frames", "%", "--report", "@"],
    ),
    file(
        "run",
        "--record",
        Content::Written,
        &["run", "spring", "--frames", "%", "--record", "@"],
    ),
    file("replay", "FILE", Content::Run, &["replay", "@"]),
    file("verify", "PATH", Content::Run, &["verify", "@"]),
    file("verify", "--junit", Content::Written, &["verify", "^", "--junit", "@"]),
    file("bisect", "A", Content::Run, &["bisect", "@", "^"]),
    file("bisect", "B", Content::Run, &["bisect", "^", "@"]),
    file(
        "ticks",
        "--report",
        Content::Written,
        &["ticks", "--networks", "1", "--report", "@"],
    ),
];

/// Files with tests of their own: folders, and the levels of scenes that `smoothing` draws.
pub(crate) const ELSEWHERE: &[(&str, &str)] = &[
    #[cfg(feature = "serve")]
    ("serve", "PAGE"),
    ("smoothing", "--set"),
];

/// The names in the help of values that are not files.
pub(crate) const NO_FILES: &[&str] = &[
    "SCENE",
    "NAME",
    "HZ|N/D",
    "S",
    "N",
    "MS",
    "N/D",
    "TIMES",
    "TICK",
    "TICK:X[,Y]",
    "SEED",
    "K/N|auto",
    "PORT",
    "STEPPING",
    "SMOOTHING",
    "OVERRUN",
    "FILTER",
];

/// Records a run.
pub(crate) fn record_run(path: &Path) {
    stdout(&["run", "spring", "--seconds", "0.1", "--record", path.to_str().unwrap()]);
}
