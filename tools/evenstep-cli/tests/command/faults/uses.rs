//! The uses of every file that a command reads or writes. `files.rs` lists them.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::PROGRAM;
use crate::common::{command, stdout};
use crate::files::{Content, ELSEWHERE, NO_FILES, USES, Use};

pub(crate) fn all(wanted: impl Fn(Content) -> bool) -> impl Iterator<Item = Use> {
    USES.into_iter().filter(move |file| wanted(file.content))
}

impl Use {
    /// The arguments, with the file at a path.
    pub(crate) fn args(&self, path: &Path, folder: &Folder) -> Vec<OsString> {
        let with = |before: &str, path: &Path| {
            let mut arg = OsString::from(before);
            arg.push(path);
            arg
        };
        let arg = |arg: &&str| match arg.strip_suffix('@') {
            Some(before) => with(before, path),
            None if *arg == "%" => with("", &folder.trace),
            None => OsString::from(arg),
        };
        self.args.iter().map(arg).collect()
    }

    /// A readable content.
    pub(crate) fn good(&self, folder: &Folder) -> Vec<u8> {
        match self.content {
            Content::Written => Vec::new(),
            Content::Trace => fs::read(&folder.trace).unwrap(),
        }
    }
}

/// A temporary folder for a test, with a valid trace in it.
pub(crate) struct Folder {
    folder: tempfile::TempDir,
    pub(crate) trace: PathBuf,
}

impl Folder {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let trace = folder.path().join("good.csv");
        fs::write(&trace, "16\n17\n16.5\n".repeat(400)).unwrap();
        Self { folder, trace }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Removes the folder's name from a text.
    pub(crate) fn nameless(&self, text: &str) -> String {
        text.replace(self.folder.path().to_str().unwrap(), "")
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// The beginning of every message.
pub(crate) fn prefix() -> String {
    let name = Path::new(PROGRAM).file_name().unwrap();
    format!("{}: ", name.to_str().unwrap())
}

/// Checks that a command failed correctly: with an exit code, with one line that names the file and says what to do, and with nothing on
/// standard output.
pub(crate) fn assert_reported(output: &Output, file: &Use, path: &Path, what: &str) {
    let printed = String::from_utf8(output.stderr.clone()).unwrap();
    let place = format!("{} {}, {what}: {printed:?}", file.command, file.name);
    // Where code 1 is a verdict, what cannot be read is another.
    let is_read = file.content != Content::Written;
    let code = if ["check", "compare"].contains(&file.command) && is_read {
        2
    } else {
        1
    };
    assert_eq!(output.status.code(), Some(code), "{place}");
    assert!(output.stdout.is_empty(), "{place}");
    assert!(
        printed.starts_with(&prefix()) && printed.lines().count() == 1,
        "{place}"
    );
    let name = path.to_str().unwrap();
    assert!(printed.contains(name), "{place} does not name {name}");
    assert!(printed.contains("; "), "{place} does not say what to do");
}

/// The first words of the lines of a part of a help text.
fn part<'a>(help: &'a str, title: &str) -> Vec<&'a str> {
    let lines = help.lines().skip_while(|line| *line != title).skip(1);
    lines.take_while(|line| !line.is_empty()).map(str::trim).collect()
}

#[test]
fn every_command_and_every_file_of_its_help_is_listed_here() {
    let help = stdout(&["--help"]);
    let commands: Vec<&str> = part(&help, "Commands:")
        .into_iter()
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.len() > 3, "{help}");
    let mut found = BTreeSet::new();
    for command in commands {
        let help = stdout(&[command, "-h"]);
        let arguments = [part(&help, "Arguments:"), part(&help, "Options:")].concat();
        for argument in arguments {
            let Some((before, value)) = argument.split_once(['<', '[']).filter(|(before, _)| before.len() < 30) else {
                continue;
            };
            let value = value.split(['>', ']']).next().unwrap();
            let option = before.split_whitespace().last();
            if !NO_FILES.contains(&value) {
                found.insert((command.to_owned(), option.unwrap_or(value).to_owned()));
            }
        }
    }
    let mut listed: BTreeSet<_> = USES
        .iter()
        .map(|file| (file.command.to_owned(), file.name.to_owned()))
        .collect();
    listed.extend(
        ELSEWHERE
            .iter()
            .map(|(command, name)| ((*command).to_owned(), (*name).to_owned())),
    );
    assert_eq!(found, listed);
}

#[test]
fn every_command_works_without_faults() {
    for file in USES {
        let folder = Folder::new();
        let path = folder.at("file");
        if file.content != Content::Written {
            fs::write(&path, file.good(&folder)).unwrap();
        }
        let output = command().args(file.args(&path, &folder)).output().unwrap();
        assert!(output.status.success(), "{} {}: {output:?}", file.command, file.name);
        assert!(fs::metadata(&path).unwrap().len() > 0, "{} {}", file.command, file.name);
    }
}
