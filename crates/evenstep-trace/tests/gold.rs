//! What we compute of real captures is what PresentMon computed of them.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::PathBuf;

use evenstep_trace::{Measured, Rows, Trace};

/// The capture of a name in `../shared/traces`, or nothing where that folder is not.
fn capture(name: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/traces")
        .join(name);
    if !path.exists() {
        println!("skipped: {} is not there", path.display());
        return None;
    }
    Some(path)
}

/// A number of PresentMon's; none where it has none, or one that a wrap has spoilt.
fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number| *number > -1e14)
}

/// Compares a column of the file with what was measured, on every row whose predecessor is in the file.
fn compare(
    name: &str,
    rows: &[HashMap<String, String>],
    measured: &HashMap<u64, Measured>,
    first: &HashSet<u64>,
    value: impl Fn(&Measured) -> Option<f64>,
) -> usize {
    let mut compared = 0;
    for (index, row) in rows.iter().enumerate() {
        let Some(text) = row.get(name) else { return 0 };
        let is_dropped = row.get("Dropped").is_some_and(|dropped| dropped != "0");
        let theirs = number(text).filter(|_| !(is_dropped && name.contains("Display")));
        let measured = &measured[&(index as u64)];
        if first.contains(&measured.row) {
            continue;
        }
        let ours = value(measured);
        let agree = match (ours, theirs) {
            (Some(ours), Some(theirs)) => (ours - theirs).abs() <= 0.001,
            (None, None) => true,
            _ => false,
        };
        assert!(agree, "row {index}, {name}: ours {ours:?}, PresentMon's {theirs:?}");
        compared += 1;
    }
    compared
}

/// How many values of a file were compared: between presents, between changes of the display, animation errors.
fn compare_file(file: &str) -> Option<[usize; 3]> {
    let path = capture(file)?;
    let text = fs::read_to_string(&path).unwrap();
    let mut reader = csv::Reader::from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let rows: Vec<HashMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
    let trace = Trace::read(&path, Rows::All).unwrap();
    let mut measured = HashMap::new();
    // The rows without a predecessor of each kind.
    let [mut presents, mut displays, mut errors] = [HashSet::new(), HashSet::new(), HashSet::new()];
    for chain in &trace.chains {
        let all = chain.measure();
        presents.extend(all.first().map(|first| first.row));
        let mut shown = chain.presents.iter().filter(|present| present.displayed.is_some());
        displays.extend(shown.clone().next().map(|present| present.row));
        errors.extend(shown.find(|present| !present.is_generated).map(|present| present.row));
        measured.extend(all.iter().map(|one| (one.row, *one)));
    }
    assert_eq!(measured.len(), rows.len(), "{file}: every row is a present");
    let column = |names: [&str; 2]| {
        let has = |name: &&str| rows[0].contains_key(*name);
        names.into_iter().find(has).unwrap_or("none").to_owned()
    };
    Some([
        compare(
            &column(["MsBetweenPresents", "msBetweenPresents"]),
            &rows,
            &measured,
            &presents,
            |one| one.between_presents,
        ),
        compare(
            &column(["MsBetweenDisplayChange", "msBetweenDisplayChange"]),
            &rows,
            &measured,
            &displays,
            |one| one.between_display_change,
        ),
        compare(
            &column(["MsAnimationError", "AnimationError"]),
            &rows,
            &measured,
            &errors,
            |one| one.animation_error,
        ),
    ])
}

#[test]
fn every_value_of_presentmon_2_3_is_come_to_again() {
    for (file, least) in [
        ("pm_gold_tc5_presentbench_v2.5.csv", 600),
        ("pm_gold_tc0_presenter_v2.5.csv", 300),
    ] {
        if let Some(compared) = compare_file(file) {
            assert!(compared.iter().all(|count| *count > least), "{file}: {compared:?}");
        }
    }
}

#[test]
fn every_value_of_presentmon_2_0_is_come_to_again() {
    if let Some([presents, displays, errors]) = compare_file("pm_gold_tc5_presentbench_v2.csv") {
        assert_eq!((presents, displays), (0, 0), "these columns are not in this version");
        assert!(errors > 600);
    }
}

#[test]
fn every_value_of_presentmon_1_is_come_to_again() {
    if let Some([presents, displays, errors]) = compare_file("pm_gold_tc5_presentbench_v1.csv") {
        assert!(presents > 600 && displays > 600);
        assert_eq!(errors, 0, "this column is not in this version");
    }
}

#[test]
fn every_capture_has_metrics_that_are_numbers() {
    let Some(folder) = capture("") else { return };
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "md") {
            continue;
        }
        let trace = Trace::read(&path, Rows::Readable).unwrap();
        for chain in &trace.chains {
            let metrics = chain.metrics();
            let times = metrics.frame_time_ms;
            assert!(metrics.frames > 0 && metrics.seconds > 0.0, "{}", path.display());
            let ascending = [times.median, times.p95, times.p99, times.p999, times.max];
            assert!(ascending.is_sorted() && times.max.is_finite());
            assert!(
                metrics.fps_low_01pct <= metrics.fps_low_1pct && metrics.fps_low_1pct <= metrics.fps_average * 1.001
            );
        }
    }
}

#[test]
fn the_main_chain_of_the_gold_capture_is_as_its_makers_say() {
    let Some(path) = capture("pm_gold_tc5_presentbench_v2.5.csv") else {
        return;
    };
    let trace = Trace::read(&path, Rows::All).unwrap();
    assert_eq!(trace.chains.len(), 7);
    let metrics = trace.main_chain().metrics();
    assert_eq!((metrics.frames, metrics.not_displayed), (258, Some(84)));
}
