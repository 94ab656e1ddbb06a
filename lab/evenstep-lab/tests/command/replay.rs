//! `evenstep-lab run --record` and `evenstep-lab replay`.

use std::fs;

use evenstep::snapshot::Dump;
use evenstep_scenes::Recording;

use crate::common::{complaint, file, stdout};

#[test]
fn a_recorded_run_replays_to_the_same_states_on_every_engine() {
    let (_folder, path) = file("replay", "run.rec", "");
    let path = path.to_str().unwrap();
    for run in [
        &["spring", "--nudge", "30:5", "--nudge", "10:-2"][..],
        &["hockey", "--nudge", "60:0.5,-0.25", "--frames", "144"],
        &["falling-blocks", "--engine", "box2d", "--seconds", "2"],
        &["snooker", "--engine", "rapier2d", "--seconds", "1", "--nudge", "20:3,4"],
        &["tumble", "--seconds", "1"],
    ] {
        stdout(&[&["run"], run, &["--record", path]].concat());
        let printed = stdout(&["replay", path]);
        assert!(
            printed.contains(run[0]) && printed.contains("all the same"),
            "{printed}"
        );
    }
}

#[test]
fn a_nudge_changes_the_state_from_its_tick_on() {
    let at = |tick: &str, nudge: &str| {
        let printed = stdout(&["run", "spring", "--nudge", nudge, "--hash-at", tick]);
        printed.lines().last().unwrap().to_owned()
    };
    assert_eq!(at("30", "30:5"), at("30", "31:7"));
    assert_ne!(at("31", "30:5"), at("31", "31:7"));
}

#[test]
fn the_first_tick_that_differs_is_named_with_its_values() {
    let (_folder, path) = file("differs", "run.rec", "");
    let path = path.to_str().unwrap();
    stdout(&[
        "run",
        "hockey",
        "--nudge",
        "40:0.5,0",
        "--seconds",
        "2",
        "--record",
        path,
    ]);
    let mut recording = Recording::read(&fs::read(path).unwrap(), path).unwrap();
    recording.nudges[0].by[0] = 0.75;
    recording.platform = "a toaster".to_owned();
    recording.write(fs::File::create(path).unwrap()).unwrap();
    let printed = complaint(&["replay", path], 1);
    assert!(
        printed.contains("differs after tick 40; x was ") && printed.contains(" hash was "),
        "{printed}"
    );
    assert!(
        !printed.contains("; y was") && printed.contains("on a toaster"),
        "{printed}"
    );
    assert!(
        printed.contains("evenstep-lab replay --dump 41 has all values"),
        "{printed}"
    );
}

#[test]
fn the_dumps_of_two_replays_name_the_value_and_have_the_input_that_led_to_it() {
    let (_folder, path) = file("dumps", "run.rec", "");
    let path = path.to_str().unwrap();
    let dump = |nudge: &str| {
        stdout(&["run", "pool", "--nudge", nudge, "--seconds", "1", "--record", path]);
        let recording = Recording::read(&fs::read(path).unwrap(), path).unwrap();
        let dump: Dump = stdout(&["replay", path, "--dump", "41"]).parse().unwrap();
        (recording.checkpoints, dump)
    };
    let ((here, a), (there, b)) = (dump("40:0.5,0"), dump("40:0.75,0"));
    let first = here.iter().zip(&there).position(|(here, there)| here != there);
    assert_eq!(first, Some(40), "the state before tick 41");
    let desync = a.compare(&b).unwrap();
    let paths: Vec<&str> = desync.differences.iter().map(|one| one.path.as_str()).collect();
    let is_of_the_ball = |path: &&str| path.starts_with(paths[0].split_once('.').unwrap().0);
    assert!(
        paths[0].starts_with("bodies[") && paths.contains(&"nudges[40][0]"),
        "{desync}"
    );
    assert!(
        paths
            .iter()
            .filter(|path| **path != "nudges[40][0]")
            .all(is_of_the_ball),
        "{desync}"
    );
    assert!(complaint(&["replay", path, "--dump", "61"], 1).contains("has 60 ticks"));
}

#[test]
fn a_recording_that_cannot_be_replayed_is_an_error_of_one_line() {
    let (_folder, path) = file("no-replay", "run.rec", "");
    let path = path.to_str().unwrap();
    stdout(&["run", "spring", "--seconds", "1", "--record", path]);
    let whole = fs::read(path).unwrap();
    for (bytes, expected) in [
        (&whole[..40], "cut off"),
        (&whole[..3], "is no recording"),
        (b"FrameTimeNs\n", "is no recording"),
    ] {
        fs::write(path, bytes).unwrap();
        let printed = complaint(&["replay", path], 1);
        assert!(printed.contains(expected) && printed.contains(path), "{printed}");
    }
    assert!(complaint(&["replay", "/no/such/file"], 1).contains("cannot be read"));
    let variable = ["run", "spring", "--record", path, "--stepping", "variable"];
    assert!(complaint(&variable, 2).contains("only fixed steps"));
    assert!(complaint(&["run", "spring", "--nudge", "5"], 2).contains("TICK:X"));
    let same = ["run", "spring", "--record", path, "--csv", path];
    assert!(complaint(&same, 2).contains("is the file of --csv too"));
}
