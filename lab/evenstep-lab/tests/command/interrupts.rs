//! A run that is stopped.

use std::fs;
use std::process::Stdio;

use crate::common::{listens, send, stoppable, until};

#[test]
fn a_live_run_that_is_stopped_shows_its_frames_so_far() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("frames.csv");
    let child = stoppable()
        .args([
            "run",
            "spring",
            "--frames",
            "live",
            "--seconds",
            "3600",
            "--json",
            "--csv",
        ])
        .arg(&path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    until(|| listens(&child, 2));
    send(&child, "INT");
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let printed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let frames = printed["frames"].as_u64().unwrap() as usize;
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), frames + 1);
}
