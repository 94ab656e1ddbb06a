//! Outputs that are inputs or other outputs, also under different names.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::uses::{Folder, all};
use crate::common::{command, names};
use crate::files::{Content, Use};

/// Names of an existing file.
const NAMES: [&str; 7] = [
    "file",
    "./deep/../file",
    "link",
    "deep/link of a link",
    "hard",
    "linked/file",
    "linked/hard",
];

/// Names of a file that does not exist.
const NEW_NAMES: [&str; 5] = ["file", "./deep/../file", "link", "deep/link of a link", "linked/file"];

/// Gives a file these names.
fn name(folder: &Folder) {
    fs::create_dir(folder.at("deep")).unwrap();
    symlink("file", folder.at("link")).unwrap();
    symlink("../link", folder.at("deep/link of a link")).unwrap();
    symlink(".", folder.at("linked")).unwrap();
    let _ = fs::hard_link(folder.at("file"), folder.at("hard"));
}

/// Each file that a command reads, with each that it writes.
fn read_and_written() -> impl Iterator<Item = (Use, Use)> {
    let outputs_of = |input: Use| {
        let outputs = all(|content| content == Content::Written).filter(move |output| output.command == input.command);
        outputs.map(move |output| (input, output))
    };
    all(|content| content != Content::Written).flat_map(outputs_of)
}

/// A call that reads a file, and an output of the same command.
struct Case {
    folder: Folder,
    before: Vec<u8>,
    input: Use,
    output: Use,
}

impl Case {
    fn new(input: Use, output: Use) -> Self {
        let folder = Folder::new();
        let before = input.good(&folder);
        fs::write(folder.at("file"), &before).unwrap();
        name(&folder);
        Self {
            folder,
            before,
            input,
            output,
        }
    }

    /// Runs the command, and checks that it fails without a change to the folder.
    fn must_be_refused(&self, input: &Path, output: &Path, stdin: Stdio, stdout: Stdio) {
        let mut args = self.input.args(input, &self.folder);
        args.extend([OsString::from(self.output.name), output.as_os_str().to_owned()]);
        let there = names(self.folder.path());
        let done = command().args(&args).stdin(stdin).stdout(stdout).output().unwrap();
        let printed = String::from_utf8(done.stderr).unwrap();
        let input = self.input.name;
        assert_eq!(
            (done.status.code(), printed.lines().count()),
            (Some(2), 1),
            "{args:?}: {printed}"
        );
        assert!(
            printed.contains(&format!("is the file of {input} too; ")),
            "{args:?}: {printed}"
        );
        assert_eq!(fs::read(self.folder.at("file")).unwrap(), self.before, "{args:?}");
        assert_eq!(names(self.folder.path()), there, "{args:?}");
    }
}

#[test]
fn no_command_overwrites_its_inputs_under_any_name() {
    for (pair, (input, output)) in read_and_written().enumerate() {
        let case = Case::new(input, output);
        for (index, name) in NAMES.iter().enumerate() {
            let other = NAMES[(3 * index + pair) % NAMES.len()];
            let (read, written) = (case.folder.at(name), case.folder.at(other));
            case.must_be_refused(&read, &written, Stdio::null(), Stdio::piped());
        }
    }
}

#[test]
fn no_command_overwrites_its_standard_input_or_appends_to_its_input_file() {
    for (input, output) in read_and_written() {
        let case = Case::new(input, output);
        let (file, open) = (case.folder.at("file"), |path: &Path| fs::File::open(path).unwrap());
        case.must_be_refused(Path::new("/dev/stdin"), &file, open(&file).into(), Stdio::piped());
        let appended = fs::File::options().append(true).open(&file).unwrap();
        case.must_be_refused(&file, Path::new("/dev/stdout"), Stdio::null(), appended.into());
    }
}

#[test]
fn a_pipe_that_is_read_is_not_written() {
    for (input, output) in read_and_written() {
        let case = Case::new(input, output);
        let pipe = case.folder.at("pipe");
        assert!(
            std::process::Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
        case.must_be_refused(&pipe, &pipe, Stdio::null(), Stdio::piped());
    }
}

#[test]
fn files_that_are_found_in_folders_and_by_patterns_are_read_too() {
    for (input, output) in read_and_written() {
        let case = Case::new(input, output);
        let searched: &[&str] = match (input.command, output.name) {
            // This output is for one recording.
            ("analyze", "--rows" | "--plot") => &["fi*"],
            ("analyze", _) => &["", "fi*"],
            _ => &[],
        };
        // The message must be about the file only, so the other matches are removed.
        fs::remove_file(&case.folder.trace).unwrap();
        fs::remove_file(case.folder.at("linked")).unwrap();
        for given in searched {
            for name in NAMES.iter().filter(|name| !name.starts_with("linked")) {
                let (read, written) = (case.folder.at(given), case.folder.at(name));
                case.must_be_refused(&read, &written, Stdio::null(), Stdio::piped());
            }
        }
    }
}

#[test]
fn no_two_outputs_of_a_command_are_one_file() {
    let outputs: Vec<Use> = all(|content| content == Content::Written).collect();
    for (place, one) in outputs.iter().enumerate() {
        for other in outputs[..place].iter().filter(|other| other.command == one.command) {
            for is_there in [true, false] {
                let folder = Folder::new();
                if is_there {
                    fs::write(folder.at("file"), "old").unwrap();
                }
                name(&folder);
                let known: &[&str] = if is_there { &NAMES } else { &NEW_NAMES };
                for (index, name) in known.iter().enumerate() {
                    let path: PathBuf = folder.at(known[(2 * index + 1) % known.len()]);
                    let mut args = one.args(&folder.at(name), &folder);
                    args.extend([OsString::from(other.name), path.into_os_string()]);
                    let done = command().args(&args).output().unwrap();
                    let printed = String::from_utf8(done.stderr).unwrap();
                    assert_eq!(done.status.code(), Some(2), "{args:?}: {printed}");
                    assert!(printed.contains("too; give it another name"), "{args:?}: {printed}");
                    assert_eq!(folder.at("file").exists(), is_there, "{args:?}");
                }
            }
        }
    }
}
