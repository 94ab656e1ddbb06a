//! `evenstep-lab ticks`.

use crate::common::{json, stdout};

#[test]
fn rules_are_held_against_each_other_on_networks_of_which_one_is_run_again() {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("ticks.html");
    let report = report.to_str().unwrap();
    let many = json(&["ticks", "--networks", "3", "--seed", "7", "--json", "--report", report]);
    let scores = many["scores"].as_array().unwrap();
    assert_eq!((scores.len(), many["standings"].as_array().unwrap().len()), (3 * 4, 4));
    let one = json(&["ticks", "--network", "8", "--json"]);
    let again: Vec<_> = scores.iter().filter(|score| score["seed"] == 8).collect();
    assert_eq!(one["scores"].as_array().unwrap().iter().collect::<Vec<_>>(), again);
    let text = stdout(&["ticks", "--network", "8"]);
    assert!(text.starts_with(&format!("network 8: {}\n", one["description"].as_str().unwrap())));
    assert!(std::fs::read_to_string(report).unwrap().contains("inputs late in 1000"));
}
