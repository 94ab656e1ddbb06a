//! `evenstep filters`.

use crate::common::{json, stdout};

#[test]
fn filters_are_held_against_each_other() {
    let json = json(&["filters", "--json", "--seed", "3"]);
    let scores = json["scores"].as_array().unwrap();
    assert_eq!(scores.len(), 7 * 3 * 8);
    let clock = scores.iter().filter(|score| score["filter"] == "display clock");
    assert_eq!(clock.clone().count(), 7 * 3);
    assert!(clock.clone().all(|score| score["wrong_frames"].as_u64().unwrap() <= 2));
    let text = stdout(&["filters"]);
    assert!(text.starts_with("59.94 Hz") && text.contains("whole refreshes (Godot)"));
}
