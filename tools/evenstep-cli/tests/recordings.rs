//! The command on recordings by others, which are not part of the project: they lie in the folder that `EVENSTEP_TRACES`
//! names, or in `../shared/traces`. `cargo ci --only recordings` runs these tests where that folder exists.

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

fn stdout(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_evenstep"))
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

mod recordings_by_others {
    use super::*;

    #[test]
    #[ignore = "needs recordings by others: EVENSTEP_TRACES"]
    fn strategies_are_compared_on_every_recording_and_interpolation_is_recommended() {
        for recording in recordings() {
            let text = stdout(&["compare", &recording, "--json", "--lenient"]);
            let json: serde_json::Value = serde_json::from_str(&text).unwrap();
            let outcomes = json["outcomes"].as_array().unwrap();
            assert_eq!(outcomes.len(), 29, "{recording}");
            let errors: Vec<f64> = outcomes
                .iter()
                .map(|outcome| outcome["error_rms_ms"].as_f64().unwrap())
                .collect();
            assert!(errors.is_sorted(), "{recording}");
            assert_eq!(json["recommended"]["strategy"], "interpolate", "{recording}");
        }
    }
}
