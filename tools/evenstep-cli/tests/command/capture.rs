//! `evenstep capture`.

use crate::common::{hash, stdout};

#[test]
fn a_recording_can_be_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("live.csv");
    let path = path.to_str().unwrap();
    let said = stdout(&["capture", path, "--seconds", "0.1", "--rate", "200"]);
    assert!(said.contains("frames in 0.1 s"), "{said}");
    assert_eq!(hash(&["--frames", path]), hash(&[]));
}
