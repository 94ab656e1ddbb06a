//! `evenstep-lab filters`.

use crate::common::stdout;

#[test]
fn filters_are_held_against_each_other() {
    let text = stdout(&["filters", "--seed", "3"]);
    assert!(text.starts_with("59.94 Hz"), "{text}");
    for filter in ["default", "average", "snap", "none"] {
        let rows = text.lines().filter(|line| line.trim_start().starts_with(filter));
        assert_eq!(rows.count(), 7 * 3, "{filter}: {text}");
    }
}
