//! `evenstep analyze`.

use std::fmt::Write as _;
use std::fs;

use crate::common::{complaint, evenstep, file, json, stdout};

#[test]
fn a_recording_is_measured_and_its_rows_are_recomputed() {
    let mut text = String::from(
        "Application,ProcessID,SwapChainAddress,TimeInSeconds,MsBetweenPresents,MsUntilDisplayed,Dropped\n",
    );
    for n in 0..200 {
        let dropped = u8::from(n == 100);
        let _ = writeln!(
            text,
            "game.exe,7,0x1,{:.6},16.0,{},{dropped}",
            f64::from(n) * 0.016,
            20 + n % 2
        );
    }
    let (folder, path) = file("analyze", "game.csv", &text);
    let rows = folder.path().join("rows.csv");
    let (path, rows) = (path.to_str().unwrap(), rows.to_str().unwrap());
    let printed = stdout(&["analyze", path, "--json", "--rows", rows]);
    let json: serde_json::Value = serde_json::from_str(&printed).unwrap();
    let chain = &json["files"][0]["chains"][0];
    assert_eq!(
        (chain["process"].as_str(), chain["pid"].as_str()),
        (Some("game.exe"), Some("7"))
    );
    assert_eq!(
        (chain["frames"].as_u64(), chain["not_displayed"].as_u64()),
        (Some(200), Some(1))
    );
    assert_eq!(chain["fps_average"].as_f64().unwrap().round(), 63.0);
    assert!(chain.get("animation_error_ms").is_none());
    assert_eq!(chain["absent"][0]["name"], "animation_error_ms");
    assert!(chain["diagnosis"][0]["evidence"].is_string());
    let written = fs::read_to_string(rows).unwrap();
    let lines: Vec<&str> = written.lines().collect();
    assert_eq!(
        lines[0],
        "process,pid,swap_chain,row,MsBetweenPresents,MsBetweenDisplayChange,MsAnimationError"
    );
    assert_eq!(lines[1], "game.exe,7,0x1,0,NA,NA,NA");
    assert_eq!(lines[2], "game.exe,7,0x1,1,16.0000,17.0000,NA");
    assert_eq!(lines[101], "game.exe,7,0x1,100,16.0000,NA,NA");
    assert_eq!(lines[102], "game.exe,7,0x1,101,16.0000,32.0000,NA");
    assert_eq!(lines.len(), 201);
    let report = folder.path().join("report.html");
    let report = report.to_str().unwrap();
    assert!(stdout(&["analyze", path, "--report", report]).contains("diagnosis"));
    let page = fs::read_to_string(report).unwrap();
    assert_eq!(page.matches("<svg").count(), 2); // frame times and intervals; no animation errors are told
    assert!(page.contains("game.exe 7 0x1") && !page.contains("src=") && !page.contains("href="));
    let plot = folder.path().join("plot.svg");
    stdout(&["analyze", path, "--plot", plot.to_str().unwrap()]);
    let picture = fs::read_to_string(plot).unwrap();
    assert!(picture.starts_with("<svg xmlns=") && picture.ends_with("</svg>\n"));
    assert_eq!(picture.matches("<circle").count(), 2, "{picture}");
    // A dot for each frame of the 200, and for each of its 198 intervals.
    assert_eq!(picture.matches("h0").count(), 398);
    assert!(picture.contains("time in ms") && picture.contains("time on the screen"));
    assert!(complaint(&["analyze", path, "--report", path], 2).contains("is the file of FILE too"));
}

#[test]
fn a_bad_recording_does_not_stop_the_others_and_the_exit_code_says_so() {
    let (folder, good) = file("several", "a.csv", "16\n17\n16\n");
    fs::write(folder.path().join("b.csv"), "nonsense").unwrap();
    let pattern = folder.path().join("*.csv");
    let output = evenstep(&["analyze", pattern.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("a.csv"));
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(printed.lines().count() == 1 && printed.contains("b.csv"), "{printed}");
    let good = good.to_str().unwrap();
    assert!(complaint(&["analyze", good, good, "--rows", "r.csv"], 2).contains("--rows: is for one trace"));
    assert!(complaint(&["analyze", good, good, "--plot", "p.svg"], 2).contains("--plot: is for one trace"));
    assert!(complaint(&["analyze", good, "--chain", "x"], 1).contains("no chain is called x"));
    assert!(complaint(&["analyze", "/no/such/*.csv"], 2).contains("no file matches"));
}

/// Frames of this length in milliseconds for six seconds at 60 Hz; the frame at three seconds takes 90 ms.
fn run(ms: f64) -> String {
    let lines = (0..360).map(|n| format!("{:.3}\n", if n == 180 { 90.0 } else { ms + 0.1 * f64::from(n % 7) }));
    lines.collect()
}

#[test]
fn many_recordings_are_one_screen_and_a_line_each_on_request() {
    let folder = tempfile::tempdir().unwrap();
    for n in 0..50 {
        fs::write(folder.path().join(format!("run{n:02}.csv")), run(16.0)).unwrap();
    }
    fs::write(folder.path().join("run50.csv"), "16\n17\n").unwrap();
    let folder = folder.path().to_str().unwrap();
    let summary = "51 recordings:\n  50 even frames";
    let printed = stdout(&["analyze", folder]);
    assert_eq!(printed.lines().count(), 17, "{printed}");
    assert!(
        printed.lines().nth(1).unwrap().contains("not enough evidence"),
        "{printed}"
    );
    assert!(
        printed.contains(&format!("39 more have a line with --all\n{summary}")),
        "{printed}"
    );
    let printed = stdout(&["analyze", folder, "--all"]);
    assert_eq!(printed.lines().count(), 55, "{printed}");
    assert!(printed.lines().all(|line| line.chars().count() < 140), "{printed}");
    assert!(
        printed.lines().nth(7).unwrap().starts_with("run06.csv    360    5.9"),
        "{printed}"
    );
    assert!(printed.contains(summary), "{printed}");
}

#[test]
fn a_part_of_a_recording_is_measured() {
    let (_folder, path) = file("part", "game.csv", &run(16.0));
    let path = path.to_str().unwrap();
    let frames = |args: &[&str]| {
        let printed = stdout(&[&["analyze", path, "--json"], args].concat());
        let json: serde_json::Value = serde_json::from_str(&printed).unwrap();
        let chain = &json["files"][0]["chains"][0];
        let hitches = chain["hitches"].as_array().unwrap().len();
        (chain["seconds"].as_f64().unwrap(), hitches)
    };
    let (whole, hitches) = frames(&[]);
    assert_eq!(hitches, 1);
    for (args, seconds, hitches) in [
        (&["--skip", "1"][..], whole - 2.0, 1),
        (&["--from", "1.5", "--to", "2.5"], 1.0, 0),
        (&["--from", "4"], whole - 4.0, 0),
        (&["--to", "2"], 2.0, 0),
    ] {
        let (part, found) = frames(args);
        assert!(
            (part - seconds).abs() < 0.02 && found == hitches,
            "{args:?}: {part} s, {found}"
        );
    }
    assert!(complaint(&["analyze", path, "--from", "3", "--to", "2"], 2).contains("nothing is left from 3 s to 2 s"));
    assert!(complaint(&["analyze", path, "--from", "60"], 2).contains("nothing is left from 60 s"));
}

/// A launcher from 0 to 20 s, a game from 15 to 75 s, both of 60 Hz, and what each option leaves of them.
#[test]
fn a_part_is_one_of_the_recordings_time_and_skip_cuts_each_chain_at_its_own_ends() {
    let rows = |from: f64, count: u32, name: &'static str| {
        let row = move |n: u32| (from + f64::from(n) / 60.0, name);
        (0..count).map(row).collect::<Vec<_>>()
    };
    let mut all = [
        rows(0.0, 1200, "launcher.exe,11,0xA"),
        rows(15.0, 3600, "game.exe,22,0xB"),
    ]
    .concat();
    all.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let table = |all: &[(f64, &str)]| {
        let rows = all.iter().map(|(at, name)| format!("{name},{at:.6},16.6667\n"));
        format!(
            "Application,ProcessID,SwapChainAddress,TimeInSeconds,msBetweenPresents\n{}",
            rows.collect::<String>()
        )
    };
    let (_folder, path) = file("part", "two.csv", &table(&all));
    let path = path.to_str().unwrap();
    let frames = |args: &[&str]| {
        let chains = json(&[&["analyze", path, "--json"], args].concat())["files"][0]["chains"].take();
        let chains = chains.as_array().unwrap().iter();
        let frames = chains.map(|chain| {
            (
                chain["process"].as_str().unwrap().to_owned(),
                chain["frames"].as_u64().unwrap(),
            )
        });
        frames.collect::<std::collections::BTreeMap<_, _>>()
    };
    let both = |launcher: u64, game: u64| {
        let named = [("launcher.exe", launcher), ("game.exe", game)];
        let named = named.into_iter().filter(|(_, count)| *count > 0);
        named.map(|(name, count)| (name.to_owned(), count)).collect()
    };
    for (args, launcher, game) in [
        (&["--skip", "1"][..], 1081, 3481),
        (&["--from", "16", "--to", "74"], 240, 3481),
        (&["--to", "10"], 601, 0),
        (&["--from", "30"], 0, 2700),
        (&["--from", "14", "--to", "16"], 121, 61),
    ] {
        let whole: std::collections::BTreeMap<String, u64> = both(launcher, game);
        assert_eq!(frames(args), whole, "{args:?}");
        for (name, count) in whole {
            let chosen = frames(&[args, &["--chain", &name]].concat());
            assert_eq!(chosen, [(name, count)].into(), "{args:?}");
        }
    }
    let empty = complaint(&["analyze", path, "--chain", "game.exe", "--to", "10"], 2);
    assert!(empty.contains("nothing is left from 0 s to 10 s"), "{empty}");
    let short = complaint(&["analyze", path, "--chain", "launcher.exe", "--skip", "15"], 2);
    assert!(short.contains("nothing is left without 15 s at each end"), "{short}");
}

#[test]
fn runs_of_one_scene_are_one_result_and_the_outlier_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for (name, ms) in [("a.csv", 16.0), ("b.csv", 16.1), ("slow.csv", 20.0), ("d.csv", 16.05)] {
        fs::write(folder.path().join(name), run(ms)).unwrap();
    }
    let printed = stdout(&["analyze", "--runs", folder.path().to_str().unwrap()]);
    assert!(printed.starts_with("4 runs\n  fps_average"), "{printed}");
    let outlier = printed.lines().last().unwrap();
    assert!(outlier.contains("slow.csv differs from the others: 48."), "{printed}");
}

#[test]
fn a_difference_counts_beyond_the_noise_between_runs() {
    let folder = tempfile::tempdir().unwrap();
    for (name, ms) in [("before", 16.0), ("same", 16.0), ("after", 18.0)] {
        fs::create_dir(folder.path().join(name)).unwrap();
        for run in 0..4 {
            let own = ms * (1.0 + 0.005 * f64::from(run * 7 % 4));
            let frames = (0..1200).map(|n| format!("{:.3}\n", own + 0.1 * f64::from(n * n % 7)));
            let file = folder.path().join(name).join(format!("{run}.csv"));
            fs::write(file, frames.collect::<String>()).unwrap();
        }
    }
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let compared = |before: &str, after: &str| json(&["compare", &path(before), &path(after), "--json"]);
    let of = |json: &serde_json::Value, metric: &str, field: &str| {
        let all = json["differences"].as_array().unwrap();
        all.iter().find(|one| one["metric"] == metric).unwrap()[field].clone()
    };
    assert_eq!(of(&compared("before", "same"), "fps_average", "verdict"), "the same");
    let worse = compared("before", "after");
    assert_eq!(of(&worse, "fps_average", "verdict"), "worse");
    assert_eq!(of(&worse, "frame_time_ms.median", "verdict"), "worse");
    assert!(of(&worse, "fps_average", "noise").as_f64().unwrap() > 0.5);
    // One recording a side.
    let single = compared("before/0.csv", "after/0.csv");
    let verdicts = single["differences"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["verdict"].as_str().unwrap());
    assert!(
        verdicts
            .clone()
            .all(|verdict| ["the same", "within the noise"].contains(&verdict)),
        "{single}"
    );
    assert_eq!(of(&single, "fps_average", "runs_to_tell"), 4);
    let printed = stdout(&["compare", &path("before/0.csv"), &path("after/0.csv")]);
    assert!(
        printed.ends_with("About 4 runs a side would tell the -11.0 % of fps_average.\n"),
        "{printed}"
    );
    let report = path("report.html");
    let printed = stdout(&["compare", &path("before"), &path("after"), "--report", &report]);
    assert!(printed.contains("worse") && printed.contains("held at"), "{printed}");
    let page = fs::read_to_string(report).unwrap();
    assert_eq!(
        page.matches("<svg").count(),
        2,
        "frame times and the slowest frames, but no intervals"
    );
}
