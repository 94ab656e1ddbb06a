//! Runs the first command of the book's page on recordings, as it is written there, and compares the names of all figures.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

const CALL: &str = "cargo run --release -p evenstep-cli -- ";

/// Runs the command in the project's folder, with arguments without spaces in them.
fn run(arguments: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_evenstep"))
        .args(arguments.split_whitespace())
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{arguments}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_book_shows_the_output_of_analyze_for_its_sample() {
    let page = include_str!("../../../docs/pages/recordings.md");
    let (_, after) = page.split_once(CALL).expect("the page analyzes a recording");
    let arguments = after.lines().next().unwrap();
    let (_, shown) = after.split_once("```text\n").unwrap();
    let (shown, _) = shown.split_once("```").unwrap();
    let printed = run(arguments);
    // A line after the last one is none.
    let (mut printed, mut shown) = (printed.lines(), shown.lines());
    for line in 1..=printed.clone().count().max(shown.clone().count()) {
        assert_eq!(
            printed.next(),
            shown.next(),
            "line {line} of {arguments}; docs/pages/recordings.md shows the second one"
        );
    }
}

/// A recording in PresentMon's columns with all that a row can state: generated frames, busy times, latencies, hitches, missed refreshes.
fn full() -> String {
    let mut text = "Application,ProcessID,SwapChainAddress,SyncInterval,FrameType,TimeInMs,MsBetweenPresents,MsUntilDisplayed,MsCPUBusy,\
                    MsGPUBusy,MsPCLatency,MsClickToPhotonLatency\n"
        .to_owned();
    let mut time = 0.0;
    for n in 0..1200 {
        let took = match n {
            _ if n % 200 == 100 => 100.0,
            _ if n % 20 == 7 => 2e3 / 60.0,
            _ => 1e3 / 60.0,
        };
        time += took;
        let kind = if n == 600 { "AMD_AFMF" } else { "Application" };
        text += &format!("game.exe,1,0x1,1,{kind},{time:.4},{took:.4},20,5,5,30,40\n");
    }
    text
}

/// All keys of a value of JSON.
fn keys(value: &serde_json::Value, found: &mut BTreeSet<String>) {
    match value {
        serde_json::Value::Object(fields) => fields.iter().for_each(|(name, part)| {
            found.insert(name.clone());
            keys(part, found);
        }),
        serde_json::Value::Array(list) => list.iter().for_each(|part| keys(part, found)),
        _ => {}
    }
}

/// The JSON of `analyze` of a recording that states everything and of one that states nothing but times.
fn json() -> Vec<serde_json::Value> {
    let folder = tempfile::tempdir().unwrap();
    let texts = [full(), "16\n".repeat(100)];
    let analyzed = texts.iter().map(|text| {
        let path = folder.path().join("a.csv");
        std::fs::write(&path, text).unwrap();
        serde_json::from_str(&run(&format!("analyze {} --json", path.display()))).unwrap()
    });
    analyzed.collect()
}

#[test]
fn the_readme_and_the_book_name_every_figure_of_the_json_and_no_other() {
    let mut printed = BTreeSet::new();
    let all = json();
    all.iter().for_each(|one| keys(one, &mut printed));
    let readme = include_str!("../README.md");
    let (_, shape) = readme.split_once("`{\"files\"").unwrap();
    let (shape, _) = shape.split_once("]}]}`").unwrap();
    let mut told: BTreeSet<String> = shape.split('"').skip(1).step_by(2).map(str::to_owned).collect();
    told.insert("files".to_owned());
    assert_eq!(told, printed, "the README's shape of the JSON, and the JSON");

    let page = include_str!("../../../docs/pages/recordings.md");
    let (_, figures) = page.split_once("## Figures").unwrap();
    let (figures, _) = figures.split_once("### ").unwrap();
    let chains = all
        .iter()
        .flat_map(|one| one["files"][0]["chains"][0].as_object().unwrap().keys());
    let chains: BTreeSet<&str> = chains.map(String::as_str).collect();
    for name in &chains {
        assert!(
            figures.contains(&format!("`{name}`")),
            "the page Recordings defines no {name} under Figures"
        );
    }
    let first_cells = figures
        .lines()
        .filter(|line| line.starts_with("| `"))
        .filter_map(|line| line.split('|').nth(1));
    for name in first_cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)) {
        assert!(chains.contains(name), "Figures defines {name}, which no JSON has");
    }
}

#[test]
fn every_figure_that_is_compared_is_one_of_the_json_or_the_hitches_per_minute() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    std::fs::write(&path, full()).unwrap();
    let compared: serde_json::Value =
        serde_json::from_str(&run(&format!("compare {0} {0} --json", path.display()))).unwrap();
    let chain = &json()[0]["files"][0]["chains"][0];
    let compared = compared["differences"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["metric"].as_str().unwrap().to_owned());
    let compared: Vec<String> = compared.collect();
    assert!(compared.len() > 15, "{compared:?}");
    for metric in compared {
        let found = metric.split('.').try_fold(chain, |value, part| value.get(part));
        assert!(
            found.is_some_and(serde_json::Value::is_number) || metric == "hitches_per_minute",
            "{metric}"
        );
    }
}
