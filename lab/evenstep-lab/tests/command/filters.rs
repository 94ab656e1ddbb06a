//! `evenstep-lab filters`.

use crate::common::{json, stdout};

#[test]
fn filters_are_held_against_each_other() {
    let json = json(&["filters", "--json", "--seed", "3"]);
    let scores = json["scores"].as_array().unwrap();
    assert_eq!(scores.len(), 7 * 3 * 4);
    let clock = scores.iter().filter(|score| score["filter"] == "default");
    assert_eq!(clock.clone().count(), 7 * 3);
    assert!(
        clock
            .clone()
            .all(|score| score["error_mean_ms"].as_f64().unwrap() <= 0.05)
    );
    let text = stdout(&["filters"]);
    assert!(text.starts_with("59.94 Hz") && text.contains("average"));
}

#[test]
fn worlds_are_summed_up_and_one_of_them_is_run_again() {
    let many = json(&["filters", "--worlds", "4", "--seed", "7", "--json"]);
    let scores = many["scores"].as_array().unwrap();
    assert_eq!(scores.len(), 4 * 4);
    assert!(many["table"]["worse_than_none"].is_array());
    let one = json(&["filters", "--world", "9", "--json"]);
    let again = scores.iter().filter(|score| score["seed"] == 9).collect::<Vec<_>>();
    assert_eq!(one["scores"].as_array().unwrap().iter().collect::<Vec<_>>(), again);
    let text = stdout(&["filters", "--world", "9"]);
    assert!(text.starts_with(&format!("world 9: {}\n", one["description"].as_str().unwrap())));
}
