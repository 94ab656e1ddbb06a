//! `evenstep simulate`.

use crate::common::{complaint, file, json, own_traces, stdout};

#[test]
fn strategies_are_simulated_on_every_recording_and_one_is_recommended() {
    let traces = own_traces();
    assert!(!traces.is_empty());
    for path in traces {
        let path = path.to_str().unwrap();
        let json = json(&["simulate", path, "--json", "--lenient"]);
        let outcomes = json["outcomes"].as_array().unwrap();
        assert_eq!(outcomes.len(), 29, "{path}");
        let errors: Vec<f64> = outcomes
            .iter()
            .map(|one| one["error_rms_ms"].as_f64().unwrap())
            .collect();
        assert!(errors.is_sorted(), "{path}");
        assert_eq!(json["recommended"]["strategy"], "interpolate");
        assert!(
            json["recommended"]["code"]
                .as_str()
                .unwrap()
                .contains("FixedTimestep::new(Rate::hz(60))")
        );
        let text = stdout(&["simulate", path, "--lenient"]);
        let rows = text
            .lines()
            .skip_while(|line| !line.starts_with("variable"))
            .take_while(|line| !line.starts_with('='));
        assert_eq!(rows.count(), 8, "{text}");
    }
}

#[test]
fn a_simulation_uses_the_requested_display_and_rate() {
    let (folder, path) = file("simulate", "even.csv", &"18.1818\n".repeat(550));
    let path = path.to_str().unwrap();
    let json = |args: &[&str]| -> serde_json::Value {
        serde_json::from_str(&stdout(&[&["simulate", path, "--json"], args].concat())).unwrap()
    };
    let fixed = json(&["--display", "60", "--rate", "30"]);
    assert_eq!(
        (fixed["rate_hz"].as_f64(), fixed["repeated"].as_u64()),
        (Some(30.0), Some(50))
    );
    let variable = json(&["--display", "vrr"]);
    assert_eq!(
        (variable["repeated"].as_u64(), variable["dropped"].as_u64()),
        (Some(0), Some(0))
    );
    assert!(complaint(&["simulate", path, "--display", "crt"], 2).contains("or give vrr"));
    assert!(complaint(&["simulate", path, "--rate", "4294967295"], 2).contains("--rate: more than 100000 steps"));
    assert!(complaint(&["simulate", path, "--chain", "x"], 1).contains("no chain is called x"));
    assert!(complaint(&["simulate", "/no/such/file.csv"], 1).contains("cannot be read"));
    drop(folder);
}
