//! Runs the lab's command on recordings made by others, which are not part of the project: they are in the folder that `EVENSTEP_TRACES`
//! names, or in `../shared/traces`. `cargo ci --only recordings` runs these tests if that folder exists.

use std::env;
use std::path::PathBuf;
use std::process::Command;

/// The recordings that must be in the folder: the first column of the list that `evenstep-trace` keeps.
fn recordings() -> Vec<String> {
    let list = include_str!("../../../crates/evenstep-trace/tests/recordings.csv");
    let folder = env::var_os("EVENSTEP_TRACES").map_or_else(
        || concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/traces").into(),
        PathBuf::from,
    );
    let files = list.lines().skip(1).filter_map(|line| line.split(',').next());
    files
        .map(|file| folder.join(file).to_str().unwrap().to_owned())
        .collect()
}

/// The standard output of a run that succeeds.
fn stdout(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_evenstep-lab"))
        .args(args)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// The last line of a run: the hash of its state.
fn hash(scene: &[&str], frames: &str) -> String {
    let args = [&["run"], scene, &["--hash-at", "600", "--frames", frames]].concat();
    let last = stdout(&args).lines().last().unwrap().to_owned();
    assert!(last.starts_with("hash 600 "), "{last}");
    last
}

mod recordings_by_others {
    use super::*;

    #[test]
    #[ignore = "needs recordings by others: EVENSTEP_TRACES"]
    fn the_state_after_600_ticks_is_the_same_bits_on_every_recording() {
        let expected = hash(&["hockey"], "60");
        for recording in recordings() {
            assert_eq!(hash(&["hockey"], &recording), expected, "{recording}");
        }
    }

    #[test]
    #[ignore = "needs recordings by others: EVENSTEP_TRACES"]
    fn blocks_fall_to_the_same_bits_on_every_engine_on_every_recording() {
        for engine in ["box2d", "rapier2d", "rapier3d"] {
            let engine = format!("engine={engine}");
            let blocks = ["falling-blocks", "--set", &engine, "--max-steps", "30"];
            let expected = hash(&blocks, "60");
            for recording in recordings() {
                assert_eq!(hash(&blocks, &recording), expected, "{engine} on {recording}");
            }
        }
    }
}
