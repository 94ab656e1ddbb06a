//! `evenstep analyze`.

use std::fmt::Write as _;
use std::fs;

use crate::common::{complaint, evenstep, file, stdout};

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
    assert!(complaint(&["analyze", good, "--chain", "x"], 1).contains("no chain is called x"));
    assert!(complaint(&["analyze", "/no/such/*.csv"], 2).contains("no file matches"));
}
