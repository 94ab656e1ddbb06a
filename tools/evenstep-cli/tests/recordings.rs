//! Runs the command on recordings made by others, which are not part of the project: they are in the folder that `EVENSTEP_TRACES`
//! names, or in `../shared/traces`. `cargo ci --only recordings` runs these tests if that folder exists.

#[path = "command/shared_recordings.rs"]
mod shared_recordings;

use shared_recordings::recordings;

/// The standard output of a run that succeeds.
fn stdout(args: &[&str]) -> String {
    shared_recordings::stdout(env!("CARGO_BIN_EXE_evenstep"), args)
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
