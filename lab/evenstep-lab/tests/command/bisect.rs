//! `evenstep-lab bisect`.

use std::fs;
use std::path::Path;

use evenstep_scenes::Recording;

use crate::common::{complaint, evenstep, stdout};

fn record(folder: &Path, name: &str, args: &[&str]) -> String {
    let path = folder.join(name).to_str().unwrap().to_owned();
    stdout(&[&["run"], args, &["--record", &path]].concat());
    path
}

/// Changes a recording, as if another machine had made it.
fn changed(path: &str, to: &Path, change: impl FnOnce(&mut Recording)) -> String {
    let mut recording = Recording::read(&fs::read(path).unwrap(), path).unwrap();
    change(&mut recording);
    recording.write(fs::File::create(to).unwrap()).unwrap();
    to.to_str().unwrap().to_owned()
}

#[test]
fn the_first_tick_at_which_two_recordings_part_is_shown_with_the_states_around_it() {
    let folder = tempfile::tempdir().unwrap();
    let one = record(folder.path(), "a.rec", &["hockey", "--seconds", "1"]);
    let other = changed(&one, &folder.path().join("b.rec"), |recording| {
        recording.platform = "a toaster".to_owned();
        for checkpoint in &mut recording.checkpoints[30..] {
            checkpoint.hash ^= 1;
            checkpoint.values[1] = f64::from_bits(checkpoint.values[1].to_bits() + 1);
        }
    });
    let output = evenstep(&["bisect", &one, &other]);
    assert_eq!(output.status.code(), Some(1));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(
        printed.lines().next().unwrap().ends_with("differ in hockey in tick 30"),
        "{printed}"
    );
    assert!(
        printed.contains("B was recorded by version ") && printed.contains("on a toaster"),
        "{printed}"
    );
    let (before, after) = printed.split_once("after tick 30\n").unwrap();
    assert!(
        before.contains("after tick 28\n") && !before.contains("  B "),
        "{printed}"
    );
    let lines: Vec<&str> = after.lines().take_while(|line| line.starts_with(' ')).collect();
    assert!(
        lines[0].trim_start().starts_with("x ") && lines[1].contains("y        A "),
        "{printed}"
    );
    assert!(
        lines[2].contains(" B ") && after.contains("after tick 32\n"),
        "{printed}"
    );
    assert!(!after.contains("after tick 33\n"), "{printed}");
    assert!(after.contains("b.rec --dump 31, where it was made"), "{printed}");
}

#[test]
fn recordings_of_the_same_inputs_are_the_same_at_every_display_rate() {
    let folder = tempfile::tempdir().unwrap();
    let one = record(folder.path(), "a.rec", &["spring", "--nudge", "9:2"]);
    let other = record(folder.path(), "b.rec", &["spring", "--nudge", "9:2", "--frames", "144"]);
    let printed = stdout(&["bisect", &one, &other]);
    assert!(printed.contains("states of spring, all the same"), "{printed}");
    let short = record(folder.path(), "c.rec", &["spring", "--nudge", "9:2", "--seconds", "1"]);
    assert!(stdout(&["bisect", &one, &short]).contains("the other 60"));
}

#[test]
fn recordings_of_different_inputs_are_not_compared() {
    let folder = tempfile::tempdir().unwrap();
    let one = record(folder.path(), "a.rec", &["spring", "--seconds", "1"]);
    for (args, what) in [
        (&["hockey"][..], "scenes"),
        (&["spring", "--set", "k=50"], "settings"),
        (&["spring", "--rate", "100"], "rates"),
        (&["spring", "--nudge", "3:1"], "inputs"),
    ] {
        let other = record(folder.path(), "b.rec", args);
        let printed = complaint(&["bisect", &one, &other], 1);
        assert!(
            printed.contains(&format!("have different {what}; record both")),
            "{printed}"
        );
    }
}
