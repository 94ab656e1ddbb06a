//! Recordings by others, which are not part of the project: they are in the folder that `EVENSTEP_TRACES` names, or in
//! `../shared/traces`. `cargo ci --only recordings` runs these tests if that folder exists.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::{env, fs};

use evenstep::Rate;
use evenstep_trace::simulate::{Comparison, Filter, Strategy};
use evenstep_trace::{BadRows, PresentMetrics, StutterKind, Trace};
use serde::Deserialize;

/// A line of `recordings.csv`: a file that must be in the folder, and the expected results.
#[derive(Deserialize)]
struct Expected {
    file: String,
    format: String,
    /// The name of the application with the most frames.
    application: String,
    frames: usize,
}

fn expected() -> Vec<Expected> {
    let mut reader = csv::Reader::from_reader(include_str!("recordings.csv").as_bytes());
    reader.deserialize().map(Result::unwrap).collect()
}

fn recording(file: &str) -> PathBuf {
    let folder = env::var_os("EVENSTEP_TRACES").map_or_else(
        || concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/traces").into(),
        PathBuf::from,
    );
    folder.join(file)
}

/// A number of PresentMon's; `None` for a missing number, or for one that wrapped around.
fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number| *number > -1e14)
}

/// Compares a column of the file with the recomputed metric, on every row whose predecessor is in the file.
fn compare(
    name: &str,
    rows: &[HashMap<String, String>],
    measured: &HashMap<u64, PresentMetrics>,
    first: &HashSet<u64>,
    value: impl Fn(&PresentMetrics) -> Option<f64>,
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

/// The numbers of values of a file that were compared: times between presents, times between changes of the display, and animation
/// errors.
fn compare_file(file: &str) -> [usize; 3] {
    let path = recording(file);
    let text = fs::read_to_string(&path).unwrap();
    let mut reader = csv::Reader::from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let rows: Vec<HashMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
    let trace = Trace::read(&path, BadRows::Fail).unwrap();
    let mut measured = HashMap::new();
    // The first row of each kind, which has no predecessor.
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
    [
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
    ]
}

/// Where frames really are as uneven as they are read, the filter may be worse than none by this share.
fn assert_filter_helps(path: &Path, most: f64) {
    let trace = Trace::read(path, BadRows::Skip).unwrap();
    let compared = Comparison::new(trace.main_chain(), Rate::hz(60), None);
    let rms = |filter| compared.outcome(Strategy::Interpolate, filter).unwrap().error_rms_ms;
    let (raw, clock) = (rms(Filter::None), rms(Filter::Default));
    println!("{}: {raw:.3} ms, with the default filter {clock:.3}", path.display());
    assert!(clock <= most * raw, "{}: {raw} and {clock}", path.display());
}

#[test]
fn the_default_filter_is_no_worse_than_none_on_our_own_recordings() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/traces");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let files: Vec<_> = files
        .filter(|file| file.extension().is_some_and(|extension| extension == "csv"))
        .collect();
    assert!(files.len() > 10, "{files:?}");
    files.iter().for_each(|file| assert_filter_helps(file, 1.01));
}

mod recordings_by_others {
    use super::*;

    #[test]
    #[ignore = "needs recordings by others: EVENSTEP_TRACES"]
    fn every_recording_is_read() {
        for expected in expected() {
            let file = &expected.file;
            let trace = Trace::read(&recording(file), BadRows::Fail).unwrap();
            let chain = trace.main_chain();
            assert_eq!(trace.format.to_string(), expected.format, "{file}");
            assert_eq!(chain.name.application, expected.application, "{file}");
            assert_eq!(chain.deltas.len(), expected.frames, "{file}");
        }
    }

    #[test]
    #[ignore = "needs recordings by others: EVENSTEP_TRACES"]
    fn our_values_are_those_of_presentmon_2_3() {
        for (file, least) in [
            ("pm_gold_tc5_presentbench_v2.5.csv", 600),
            ("pm_gold_tc0_presenter_v2.5.csv", 300),
        ] {
            let compared = compare_file(file);
            assert!(compared.iter().all(|count| *count > least), "{file}: {compared:?}");
        }
    }

    #[test]
    #[ignore = "needs recordings by others: EVENSTEP_TRACES"]
    fn our_values_are_those_of_presentmon_2_0() {
        let [presents, displays, errors] = compare_file("pm_gold_tc5_presentbench_v2.csv");
        assert_eq!((presents, displays), (0, 0), "these columns are not in this version");
        assert!(errors > 600);
    }

    #[test]
    #[ignore = "needs recordings by others: EVENSTEP_TRACES"]
    fn our_values_are_those_of_presentmon_1() {
        let [presents, displays, errors] = compare_file("pm_gold_tc5_presentbench_v1.csv");
        assert!(presents > 600 && displays > 600);
        assert_eq!(errors, 0, "this column is not in this version");
    }

    #[test]
    #[ignore = "needs recordings by others: EVENSTEP_TRACES"]
    fn every_recording_has_metrics_that_are_numbers() {
        for Expected { file, .. } in expected() {
            let trace = Trace::read(&recording(&file), BadRows::Skip).unwrap();
            for chain in &trace.chains {
                let metrics = chain.metrics();
                let times = metrics.frame_time_ms;
                assert!(metrics.frames > 0 && metrics.seconds > 0.0, "{file}");
                let ascending = [times.median, times.p95, times.p99, times.p999, times.max];
                assert!(ascending.is_sorted() && times.max.is_finite(), "{file}");
                assert!(metrics.fps_low_01pct <= metrics.fps_low_1pct, "{file}");
                assert!(metrics.fps_low_1pct <= metrics.fps_average * 1.001, "{file}");
            }
        }
    }

    #[test]
    #[ignore = "needs recordings by others: EVENSTEP_TRACES"]
    fn the_main_chain_of_presentmons_capture_is_as_its_makers_say() {
        let trace = Trace::read(&recording("pm_gold_tc5_presentbench_v2.5.csv"), BadRows::Fail).unwrap();
        assert_eq!(trace.chains.len(), 7);
        let metrics = trace.main_chain().metrics();
        assert_eq!((metrics.frames, metrics.not_displayed), (258, Some(84)));
    }

    /// The share of pictures that stand too long or too short, by a reader of its own: without the last second, and without the first one,
    /// or the one after a start in another present mode than most.
    fn share_off(path: &Path) -> f64 {
        let mut reader = csv::Reader::from_path(path).unwrap();
        let rows = reader.deserialize().map(Result::<HashMap<String, String>, _>::unwrap);
        let shown = rows.filter(|row| row["Dropped"] == "0").map(|row| {
            let at = 1e3 * number(&row["TimeInSeconds"]).unwrap() + number(&row["MsUntilDisplayed"]).unwrap();
            (at, row["PresentMode"].starts_with("Composed"))
        });
        let (shown, composed): (Vec<f64>, Vec<bool>) = shown.unzip();
        let is_mostly = 2 * composed.iter().filter(|is_it| **is_it).count() > composed.len();
        let mut other = shown
            .iter()
            .zip(&composed)
            .filter(|(at, is_it)| **is_it != is_mostly && **at < shown[0] + 3e3);
        let start = other.next_back().map_or(shown[0], |(at, _)| *at);
        let (from, to) = (start + 1e3, shown[shown.len() - 1] - 1e3);
        let inner = shown.windows(2).filter(|pair| pair[1] > from && pair[1] < to);
        let times: Vec<f64> = inner.map(|pair| pair[1] - pair[0]).collect();
        let is_off = |index: &usize| {
            let mut around = times[index.saturating_sub(30)..(index + 31).min(times.len())].to_vec();
            around.sort_by(f64::total_cmp);
            (times[*index] - around[around.len() / 2]).abs() > 3.0
        };
        (0..times.len()).filter(is_off).count() as f64 / times.len() as f64
    }

    #[test]
    #[ignore = "needs recordings by others: EVENSTEP_TRACES"]
    fn of_what_is_called_even_less_than_one_picture_in_200_is_off() {
        let (mut even, mut files) = (0, 0);
        for entry in fs::read_dir(recording("frameview")).unwrap() {
            let path = entry.unwrap().path();
            let trace = Trace::read(&path, BadRows::Skip).unwrap();
            let diagnosis = trace.main_chain().diagnose();
            let share = share_off(&path);
            files += 1;
            if diagnosis[0].kind == StutterKind::Even {
                even += 1;
                assert!(share <= 0.005, "{}: {share}, {:?}", path.display(), diagnosis);
            }
        }
        println!("{even} of {files} are called even");
        assert!(even >= 5, "{even}");
    }

    #[test]
    #[ignore = "needs recordings by others: EVENSTEP_TRACES"]
    fn at_most_two_of_a_hundred_verdicts_move_when_a_twentieth_is_cut_at_either_end() {
        let verdict = |rows: &[&str]| {
            let trace = Trace::parse(rows.join("\n").as_bytes(), "part", BadRows::Skip).unwrap();
            trace.main_chain().diagnose()[0].kind
        };
        let (mut moved, mut cuts) = (Vec::new(), 0);
        for entry in fs::read_dir(recording("frameview")).unwrap() {
            let path = entry.unwrap().path();
            let text = fs::read_to_string(&path).unwrap() + "\n";
            let (header, rows) = text.split_once('\n').unwrap();
            let rows: Vec<&str> = rows.lines().collect();
            let part = |rows: &[&str]| verdict(&[&[header], rows, &[""]].concat());
            let (whole, cut) = (part(&rows), rows.len() / 20);
            for rows in [&rows[cut..], &rows[..rows.len() - cut]] {
                let kind = part(rows);
                cuts += 1;
                if kind != whole {
                    moved.push(format!("{}: {whole}, {kind}", path.display()));
                }
            }
        }
        assert!(cuts >= 100 && 50 * moved.len() <= cuts, "of {cuts}: {moved:?}");
    }

    #[test]
    #[ignore = "needs recordings by others: EVENSTEP_TRACES"]
    fn the_default_filter_is_hardly_worse_than_none() {
        for Expected { file, .. } in expected() {
            // 1.040 for cx_re2_withheader.
            assert_filter_helps(&recording(&file), 1.05);
        }
    }
}
