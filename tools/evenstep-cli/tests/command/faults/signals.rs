//! Requests to stop, at any moment.

use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, Stdio};

use super::uses::{Folder, all};
use crate::common::{names, stoppable};
use crate::files::{Content, Use};

fn send(child: &Child, signal: &str) {
    // The command may have ended already.
    let sent = Command::new("kill")
        .args(["-s", signal, &child.id().to_string()])
        .stderr(Stdio::null())
        .status();
    assert!(sent.is_ok());
}

fn start(file: &Use, folder: &Folder) -> Child {
    let mut command = stoppable();
    command.args(file.args(&folder.at("out"), folder));
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// The output file of a command, without the names of folders, which may be in it.
fn written(folder: &Folder) -> String {
    let bytes = fs::read(folder.at("out")).unwrap();
    folder.nameless(&String::from_utf8_lossy(&bytes))
}

/// Stops a command after some polls of its folder. At any time, its file is complete or unchanged.
fn stop_after(polls: usize, signal: &str, file: &Use, whole: &str) {
    let folder = Folder::new();
    fs::write(folder.at("out"), "old").unwrap();
    let mut child = start(file, &folder);
    for _ in 0..polls {
        names(folder.path());
    }
    send(&child, signal);
    let status = child.wait().unwrap();
    let place = format!(
        "{} {} stopped by {signal} after {polls} polls: {status}",
        file.command, file.name
    );
    assert!(status.success() || status.signal().is_some(), "{place}");
    assert_eq!(names(folder.path()), ["good.csv", "out"], "{place}");
    let is = written(&folder);
    let is_new = is == whole;
    assert!(is_new || is == "old", "{place}");
    assert!(is_new || !status.success(), "{place}");
}

#[test]
#[ignore = "takes several seconds: many runs of every command"]
fn whenever_a_command_is_stopped_its_file_is_complete_or_unchanged() {
    for file in all(|content| content == Content::Written) {
        let folder = Folder::new();
        assert!(start(&file, &folder).wait().unwrap().success());
        let whole = written(&folder);
        for (index, signal) in ["INT", "TERM", "HUP"].into_iter().cycle().take(12).enumerate() {
            stop_after(40 * index * index, signal, &file, &whole);
        }
    }
}
