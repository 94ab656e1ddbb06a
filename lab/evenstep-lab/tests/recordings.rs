//! Runs the lab's command on recordings made by others, which are not part of the project: they are in the folder that `EVENSTEP_TRACES`
//! names, or in `../shared/traces`. `cargo ci --only recordings` runs these tests if that folder exists.

#[path = "../../../tools/evenstep-cli/tests/command/shared_recordings.rs"]
mod shared_recordings;

use shared_recordings::recordings;

/// The standard output of a run that succeeds.
fn stdout(args: &[&str]) -> String {
    shared_recordings::stdout(env!("CARGO_BIN_EXE_evenstep-lab"), args)
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
            let blocks = ["falling-blocks", "--engine", engine, "--max-steps", "30"];
            let expected = hash(&blocks, "60");
            for recording in recordings() {
                assert_eq!(hash(&blocks, &recording), expected, "{engine} on {recording}");
            }
        }
    }
}
