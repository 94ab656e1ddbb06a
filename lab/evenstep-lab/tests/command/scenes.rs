//! `evenstep-lab scenes`.

use crate::common::{complaint, stdout};

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

#[test]
fn an_engine_that_a_scene_does_not_have_is_refused() {
    assert!(complaint(&["run", "tumble", "--set", "engine=box2d"], 2).contains("must be one of rapier3d"));
    assert!(complaint(&["run", "hockey", "--set", "engine=box2d"], 2).contains("no such setting"));
}
