//! Files that cannot be read, or are cut off.

use std::fs::{self, Permissions};
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::uses::{Folder, all, assert_reported};
use crate::common::command;
use crate::files::{Content, Use};

fn run(file: &Use, path: &Path, folder: &Folder) -> Output {
    command().args(file.args(path, folder)).output().unwrap()
}

fn each(check: impl Fn(&Use, &Folder)) {
    for file in all(|content| content != Content::Written) {
        check(&file, &Folder::new());
    }
}

#[test]
fn a_missing_file_is_an_error() {
    each(|file, folder| {
        let missing = folder.at("missing");
        assert_reported(&run(file, &missing, folder), file, &missing, "missing");
        let dangling = folder.at("dangling");
        symlink("nowhere", &dangling).unwrap();
        assert_reported(&run(file, &dangling, folder), file, &dangling, "a link to nothing");
        let below = folder.trace.join("below");
        assert_reported(&run(file, &below, folder), file, &below, "a folder that is a file");
        let long = folder.at(&"long".repeat(100));
        assert_reported(&run(file, &long, folder), file, &long, "a name that is too long");
    });
}

#[test]
fn a_path_that_is_not_a_regular_file_is_an_error() {
    each(|file, folder| {
        let looks_in_folders =
            file.name == "FILE" && file.command != "watch" || ["BEFORE", "AFTER", "--against"].contains(&file.name);
        if !looks_in_folders {
            assert_reported(&run(file, folder.path(), folder), file, folder.path(), "a folder");
        }
        let socket = folder.at("socket");
        let _listener = UnixListener::bind(&socket).unwrap();
        assert_reported(&run(file, &socket, folder), file, &socket, "a socket");
        let zero = Path::new("/dev/zero");
        assert_reported(&run(file, zero, folder), file, zero, "a device without an end");
        let null = Path::new("/dev/null");
        assert_reported(&run(file, null, folder), file, null, "nothing");
    });
}

#[test]
fn a_file_without_read_permission_is_an_error() {
    each(|file, folder| {
        let path = folder.at("closed");
        fs::write(&path, file.good(folder)).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o000)).unwrap();
        // The superuser may read everything.
        if fs::File::open(&path).is_err() {
            assert_reported(&run(file, &path, folder), file, &path, "closed");
        } else {
            assert!(run(file, &path, folder).status.success());
        }
    });
}

#[test]
fn a_truncated_file_is_read_or_refused() {
    each(|file, folder| {
        let (good, path) = (file.good(folder), folder.at("cut"));
        for part in 0..5 {
            let length = good.len() * part / 5;
            fs::write(&path, &good[..length]).unwrap();
            let output = run(file, &path, folder);
            // The gate fails if a recording is too short to be compared.
            let is_too_short = String::from_utf8_lossy(&output.stdout).contains("0 passed, 0 violated");
            if !output.status.success() && !is_too_short {
                assert_reported(&output, file, &path, &format!("cut off after {length} bytes"));
            }
        }
    });
}

#[test]
fn a_file_that_arrives_byte_by_byte_is_read_like_a_whole_file() {
    each(|file, folder| {
        // `watch` reads a file that grows.
        if file.command == "watch" {
            return;
        }
        let (whole, pipe) = (folder.at("same"), folder.at("pipe"));
        let good = file.good(folder);
        fs::write(&whole, &good).unwrap();
        let expected = run(file, &whole, folder);
        fs::remove_file(&whole).unwrap();
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let mut child = command();
        let child = child
            .args(file.args(&pipe, folder))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = child.spawn().unwrap();
        let mut input = fs::File::options().write(true).open(&pipe).unwrap();
        // The name is removed while the file is read.
        fs::remove_file(&pipe).unwrap();
        for byte in good.chunks(1) {
            input.write_all(byte).unwrap();
        }
        drop(input);
        let output = child.wait_with_output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap().replace("pipe", "same");
        assert_eq!(
            printed,
            String::from_utf8(expected.stdout).unwrap(),
            "{} {}",
            file.command,
            file.name
        );
    });
}
