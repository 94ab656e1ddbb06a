//! `evenstep-lab cameras`.

use crate::common::{complaint, json, stdout};

#[test]
fn cameras_at_the_drawn_time_do_not_tremble_and_others_do() {
    let table = json(&["cameras", "--rate", "30", "--display", "60,144", "--json"]);
    let scores = table["scores"].as_array().unwrap();
    let jitter = |name: &str| {
        let score = scores.iter().find(|score| score["attachment"] == name).unwrap();
        score["jitter_mm"].as_f64().unwrap()
    };
    assert!(jitter("follower") < 1e-9);
    assert!(jitter("attached") < 1e-3);
    for usual in ["camera-in-step", "camera-on-newest", "hand-in-step"] {
        assert!(jitter(usual) > 1.0, "{usual}");
    }
    let text = stdout(&["cameras", "--rate", "30", "--display", "60,144"]);
    assert!(
        text.contains("On displays at 60, 144 Hz") && text.contains("blended in the world"),
        "{text}"
    );
}

#[test]
fn rates_that_would_never_end_are_refused() {
    assert!(complaint(&["cameras", "--rate", "1000000"], 2).contains("--rate"));
    assert!(complaint(&["cameras", "--display", "99999,2"], 2).contains("--display"));
    assert!(complaint(&["cameras", "--rate", "0"], 2).contains("--rate"));
}
