//! `evenstep capture`.

use crate::common::stdout;

#[test]
fn a_capture_is_a_recording_that_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("live.csv");
    let path = path.to_str().unwrap();
    let printed = stdout(&["capture", path, "--seconds", "0.1", "--rate", "200"]);
    assert!(printed.contains("frames in 0.1 s"), "{printed}");
    assert!(stdout(&["analyze", path]).contains("frames "));
}
