//! `evenstep present`. What it measures is tested where it is made; at a real compositor by `cargo ci --only compositors`.

use crate::common::command;

#[test]
fn without_a_desktop_it_says_what_it_needs() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.csv");
    let mut command = command();
    command.args(["present", "--out"]).arg(&out);
    command
        .env_remove("WAYLAND_SOCKET")
        .env_remove("WAYLAND_DISPLAY")
        .env("XDG_RUNTIME_DIR", folder.path());
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), text.lines().count()), (Some(1), 1), "{text}");
    assert!(text.contains("WAYLAND_DISPLAY"), "{text}");
    assert!(output.stdout.is_empty() && !out.exists());
}
