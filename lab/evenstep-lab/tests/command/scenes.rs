//! `evenstep-lab scenes`.

use crate::common::{command, stdout};

#[test]
fn scenes_and_their_settings_are_listed() {
    let list = stdout(&["scenes"]);
    for text in [
        "spring  ",
        "hockey  ",
        "--set k=10 ",
        "integrator=semi-implicit-euler",
        "--set level=3",
    ] {
        assert!(list.contains(text), "{text} in {list}");
    }
}

#[test]
fn a_closed_pipe_is_no_failure() {
    use std::process::Stdio;
    let mut child = command()
        .arg("scenes")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
}
