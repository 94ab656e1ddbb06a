//! `evenstep-lab verify`.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use evenstep_scenes::Recording;

use crate::common::{command, complaint, stdout};

/// A folder with recordings of some scenes, some of them in subfolders, and a file that is not a recording.
fn recordings() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("below")).unwrap();
    for (index, name) in ["a.rec", "b.rec", "below/c.rec", "below/d"].iter().enumerate() {
        let path = folder.path().join(name);
        let nudge = format!("{}:5", 10 + index);
        let run = ["run", "spring", "--seconds", "1", "--nudge", &nudge, "--record"];
        stdout(&[&run[..], &[path.to_str().unwrap()]].concat());
    }
    fs::write(folder.path().join("notes.txt"), "the night build").unwrap();
    folder
}

/// Changes an input of a recording, so that its states no longer match.
fn spoil(path: &Path) {
    let mut recording = Recording::read(&fs::read(path).unwrap(), "").unwrap();
    recording.nudges[0].by[0] = 0.75;
    recording.write(fs::File::create(path).unwrap()).unwrap();
}

#[test]
fn all_recordings_of_a_folder_are_verified() {
    let folder = recordings();
    let printed = stdout(&["verify", folder.path().to_str().unwrap()]);
    assert!(
        printed.starts_with("4 recordings, ") && printed.ends_with("all the same; 1 other files\n"),
        "{printed}"
    );
    let file = folder.path().join("a.rec");
    let printed = stdout(&["verify", file.to_str().unwrap(), file.to_str().unwrap()]);
    assert!(printed.starts_with("1 recordings, "), "{printed}");
}

#[test]
fn differences_and_unreadable_files_are_reported_to_people_and_programs() {
    let folder = recordings();
    let root = folder.path().to_str().unwrap();
    spoil(&folder.path().join("below/c.rec"));
    let printed = complaint(&["verify", root], 1);
    assert!(
        printed.contains("below/c.rec: differs after tick 12; position was "),
        "{printed}"
    );

    let bytes = fs::read(folder.path().join("a.rec")).unwrap();
    fs::write(folder.path().join("a.rec"), &bytes[..40]).unwrap();
    let junit = folder.path().join("out.xml");
    let output = command()
        .args(["verify", root, "--json", "--junit", junit.to_str().unwrap()])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let lines = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let outcomes: Vec<&str> = lines.iter().map(|line| line["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes, ["unreadable", "same", "differs", "same"]);
    assert!(lines[0]["message"].as_str().unwrap().contains("cut off") && lines[1]["scene"] == "spring");
    let printed = String::from_utf8(output.stderr).unwrap();
    assert_eq!(printed.lines().count(), 3, "{printed}");
    assert!(printed.contains("2 of 4 recordings cannot be verified"), "{printed}");
    let xml = fs::read_to_string(junit).unwrap();
    assert!(
        xml.contains("tests=\"4\"") && xml.contains("failures=\"1\"") && xml.contains("errors=\"1\""),
        "{xml}"
    );
    assert!(
        xml.contains("classname=\"spring\"") && xml.contains("<failure message="),
        "{xml}"
    );
}

#[test]
fn shards_share_all_recordings_and_a_shard_more_is_empty() {
    let folder = recordings();
    let root = folder.path().to_str().unwrap();
    let files = |shard: &str| -> Vec<String> {
        let lines = stdout(&["verify", root, "--json", "--shard", shard]);
        let file = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["file"].to_string();
        lines.lines().map(file).collect()
    };
    let parts: Vec<String> = (1..=3).flat_map(|shard| files(&format!("{shard}/3"))).collect();
    assert_eq!(parts.len(), 4);
    assert_eq!(
        parts.into_iter().collect::<BTreeSet<_>>(),
        files("1/1").into_iter().collect()
    );
    let sizes = (1..=50).map(|shard| files(&format!("{shard}/50")).len());
    assert_eq!(sizes.sum::<usize>(), 4);
}

#[test]
fn a_share_that_is_none_and_a_folder_without_recordings_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_str().unwrap();
    assert!(complaint(&["verify", root], 1).contains("has no recordings"));
    assert!(complaint(&["verify", root, "--shard", "17/16"], 2).contains("K/N"));
    let auto = command()
        .args(["verify", root, "--shard", "auto"])
        .env_remove("CI_NODE_INDEX")
        .env("JOB_COMPLETION_INDEX", "3")
        .output()
        .unwrap();
    assert_eq!(auto.status.code(), Some(2));
    assert!(String::from_utf8(auto.stderr).unwrap().contains("auto/N"));
    assert!(complaint(&["verify", "/no/such/file"], 1).contains("cannot be read"));
}

#[test]
fn the_level_of_a_recorded_run_is_read_by_verify() {
    let folder = tempfile::tempdir().unwrap();
    let (level, recorded) = (folder.path().join("my.toml"), folder.path().join("run.rec"));
    let text = include_str!("../../../evenstep-scenes/levels/1-straight.toml");
    fs::write(&level, text).unwrap();
    let set = format!("level={}", level.display());
    let run = |args: &[&OsStr]| command().args(args).output().unwrap();
    let seconds = ["--seconds", "0.1", "--record"].map(OsStr::new);
    let record = [
        &["run", "hockey", "--set", &set].map(OsStr::new)[..],
        &seconds,
        &[recorded.as_os_str()],
    ];
    assert!(run(&record.concat()).status.success());
    let verify = [
        "verify".as_ref(),
        recorded.as_os_str(),
        "--junit".as_ref(),
        level.as_os_str(),
    ];
    let refused = run(&verify);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert_eq!(fs::read_to_string(&level).unwrap(), text);
}
