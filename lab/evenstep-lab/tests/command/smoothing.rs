//! `evenstep-lab smoothing`.

use crate::common::{complaint, json, stdout};

#[test]
fn ways_that_draw_the_present_have_no_latency_and_the_smaller_error() {
    let printed = stdout(&["smoothing", "--scene", "spring", "--set", "integrator=rk4", "--json"]);
    let table: serde_json::Value = serde_json::from_str(&printed).unwrap();
    let way = |name: &str, field: &str| {
        let ways = table["ways"].as_array().unwrap().iter();
        let way = ways.clone().find(|way| way["name"] == name).unwrap();
        way[field].as_f64().unwrap()
    };
    assert!((way("interpolate", "latency_ms") - 1000.0 / 60.0).abs() < 0.1);
    for present in ["extrapolate", "lookahead", "fork"] {
        assert!(way(present, "latency_ms").abs() < 1e-3, "{present}");
        assert!(
            way(present, "error_rms") < way("interpolate", "error_rms") / 20.0,
            "{present}"
        );
    }
    assert!(way("fork", "error_rms") < way("lookahead", "error_rms"));
    assert!(way("fork", "error_rms") < way("extrapolate", "error_rms"));
    // On the path: on a swing a curve is far nearer than a straight line, at the same latency.
    assert!((way("hermite", "latency_ms") - way("interpolate", "latency_ms")).abs() < 1e-3);
    assert!(way("interpolate", "path_rms") > 0.0);
    assert!(way("hermite", "path_rms") < way("interpolate", "path_rms") / 10.0);
    assert!(complaint(&["smoothing", "--scene", "chess"], 2).contains("no scene is called chess"));
}

#[test]
fn a_slow_display_shows_states_no_later_than_a_fast_one() {
    let latency = |display: &str| {
        let args = [
            "smoothing",
            "--scene",
            "spring",
            "--seconds",
            "8",
            "--json",
            "--display",
        ];
        let table = json(&[&args[..], &[display]].concat());
        let ways = table["ways"].as_array().unwrap().iter();
        let way = ways.clone().find(|way| way["name"] == "interpolate").unwrap();
        way["latency_ms"].as_f64().unwrap()
    };
    assert!((latency("1") - latency("144")).abs() < 0.2, "{}", latency("1"));
}
