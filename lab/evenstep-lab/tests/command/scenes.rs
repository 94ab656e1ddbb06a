//! `evenstep-lab scenes`.

use crate::common::stdout;

#[test]
fn scenes_and_their_settings_are_listed() {
    let list = stdout(&["scenes"]);
    for text in [
        "spring  ",
        "hockey  ",
        "--set k=10 ",
        "integrator=semi-implicit-euler",
        "--set level=3",
    ] {
        assert!(list.contains(text), "{text} in {list}");
    }
}
