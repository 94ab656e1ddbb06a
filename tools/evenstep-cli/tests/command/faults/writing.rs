//! Files that cannot be written, and outputs to full disks, pipes and closed streams.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Output};

use super::uses::{Folder, all, assert_reported, prefix};
use crate::PROGRAM;
use crate::common::{command, evenstep, names};
use crate::files::{Content, USES, Use};

fn run(file: &Use, path: &Path, folder: &Folder) -> Output {
    command().args(file.args(path, folder)).output().unwrap()
}

fn each(check: impl Fn(&Use, &Folder)) {
    for file in all(|content| content == Content::Written) {
        let folder = Folder::new();
        check(&file, &folder);
        let left: Vec<String> = names(folder.path())
            .into_iter()
            .filter(|name| name.starts_with(".evenstep-"))
            .collect();
        assert!(left.is_empty(), "{} {} left {left:?}", file.command, file.name);
    }
}

#[test]
fn an_output_that_cannot_be_written_is_an_error() {
    each(|file, folder| {
        assert_reported(&run(file, folder.path(), folder), file, folder.path(), "a folder");
        let below = folder.trace.join("below");
        assert_reported(&run(file, &below, folder), file, &below, "a folder that is a file");
        let nowhere = folder.at("no/such/folder");
        assert_reported(
            &run(file, &nowhere, folder),
            file,
            &nowhere,
            "a folder that is not there",
        );
        let slash = folder.at("new/");
        assert_reported(
            &run(file, &slash, folder),
            file,
            &slash,
            "a name that ends as a folder's",
        );
        let long = folder.at(&"long".repeat(100));
        assert_reported(&run(file, &long, folder), file, &long, "a name that is too long");
        let round = folder.at("round");
        symlink("round", &round).unwrap();
        assert_reported(&run(file, &round, folder), file, &round, "a link to itself");
        let socket = folder.at("socket");
        let _listener = UnixListener::bind(&socket).unwrap();
        assert_reported(&run(file, &socket, folder), file, &socket, "a socket");
        assert_eq!(names(folder.path()), ["good.csv", "round", "socket"]);
    });
}

#[test]
fn a_full_disk_is_an_error_and_the_existing_file_stays() {
    each(|file, folder| {
        let full = Path::new("/dev/full");
        let output = run(file, full, folder);
        assert_reported(&output, file, full, "a full device");
        assert!(String::from_utf8_lossy(&output.stderr).contains("no storage space; make room"));
        let path = folder.at("old");
        fs::write(&path, "old").unwrap();
        let mut limited = Command::new("sh");
        limited.args(["-c", "ulimit -f 0; exec \"$0\" \"$@\"", PROGRAM]);
        let output = limited.args(file.args(&path, folder)).output().unwrap();
        assert_reported(&output, file, &path, "no room");
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        fs::hard_link(&path, folder.at("other")).unwrap();
        let output = limited.output().unwrap();
        assert_reported(&output, file, &path, "no room for a file with two names");
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    });
}

#[test]
fn a_file_without_write_permission_is_an_error() {
    each(|file, folder| {
        let path = folder.at("closed");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
        // The superuser may write everything.
        if fs::File::options().write(true).open(&path).is_err() {
            assert_reported(&run(file, &path, folder), file, &path, "closed");
            assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        } else {
            assert!(run(file, &path, folder).status.success());
            assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o444);
        }
    });
}

#[test]
fn a_pipe_gets_what_a_file_gets() {
    each(|file, folder| {
        let (path, pipe) = (folder.at("file"), folder.at("pipe"));
        assert!(run(file, &path, folder).status.success());
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let child = command()
            .args(file.args(&pipe, folder))
            .stdout(std::process::Stdio::null())
            .spawn();
        let piped = fs::read(&pipe).unwrap();
        assert!(child.unwrap().wait().unwrap().success());
        assert_eq!(piped, fs::read(&path).unwrap(), "{} {}", file.command, file.name);
    });
}

#[test]
fn output_that_cannot_be_printed_is_an_error_of_every_command() {
    for file in USES {
        let folder = Folder::new();
        let path = folder.at("file");
        if file.content != Content::Written {
            fs::write(&path, file.good(&folder)).unwrap();
        }
        let full = || fs::File::options().write(true).open("/dev/full").unwrap();
        let output = command()
            .args(file.args(&path, &folder))
            .stdout(full())
            .output()
            .unwrap();
        let printed = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{} {}", file.command, file.name);
        assert!(
            printed.starts_with(&(prefix() + "standard output: cannot be written: ")) && printed.contains("; "),
            "{printed}"
        );
        let deaf = command()
            .args(file.args(&path, &folder))
            .stdout(full())
            .stderr(full())
            .status();
        assert_eq!(deaf.unwrap().code(), Some(1), "{} {}", file.command, file.name);
    }
}

#[test]
fn help_that_cannot_be_printed_is_an_error_of_every_command() {
    let help = String::from_utf8(evenstep(&["--help"]).stdout).unwrap();
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands = commands.take_while(|line| !line.is_empty());
    let commands = commands.filter_map(|line| line.split_whitespace().next());
    let commands: Vec<&str> = commands.filter(|name| *name != "help").collect();
    let mut calls = vec![vec!["--help"], vec!["-h"], vec!["--version"], vec!["help"]];
    calls.extend(
        commands
            .iter()
            .flat_map(|name| [vec![*name, "-h"], vec!["help", *name]]),
    );
    assert!(calls.len() > 12, "{help}");
    for call in calls {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = command().args(&call).stdout(full).output().unwrap();
        let printed = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            (output.status.code(), printed.lines().count()),
            (Some(1), 1),
            "{call:?}: {printed}"
        );
        assert!(
            printed.starts_with(&(prefix() + "standard output: cannot be written: ")),
            "{printed}"
        );
        // A closed pipe is no failure.
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        assert!(
            command().args(&call).stdout(writer).status().unwrap().success(),
            "{call:?}"
        );
    }
}
