//! `evenstep pacing`.

use crate::common::{complaint, file, json, stdout};

/// Frames that cost 3 to 6 ms, and occasionally 9 ms.
fn costs() -> (tempfile::TempDir, std::path::PathBuf) {
    let cost =
        |frame: u64| 3_000_000 + frame * 7_919 % 3_000_000 + if frame.is_multiple_of(50) { 3_000_000 } else { 0 };
    let rows: String = (0..2_000).map(|frame| format!("{}\n", cost(frame))).collect();
    file("pacing", "costs.csv", &format!("FrameTimeNs\n{rows}"))
}

#[test]
fn pacing_trades_latency_for_missed_refreshes() {
    let (folder, trace) = costs();
    let trace = trace.to_str().unwrap();
    let report = folder.path().join("curve.html");
    let args = [
        "pacing",
        trace,
        "--display",
        "100",
        "--json",
        "--report",
        report.to_str().unwrap(),
    ];
    let curve = json(&args);
    let outcomes = curve["outcomes"].as_array().unwrap();
    let paced: Vec<_> = outcomes
        .iter()
        .filter(|outcome| outcome["pacing"]["paced"].is_object())
        .collect();
    assert_eq!((outcomes.len(), paced.len()), (14, 11));
    let of = |outcome: &serde_json::Value, field: &str| outcome[field].as_f64().unwrap();
    for pair in paced.windows(2) {
        assert!(of(pair[1], "missed") <= of(pair[0], "missed"), "{pair:?}");
    }
    let queued = outcomes
        .iter()
        .find(|outcome| outcome["pacing"] == "after-the-last")
        .unwrap();
    let careful = paced.last().unwrap();
    assert_eq!(careful["pacing"]["paced"]["margin_ms"], 4.0);
    assert_eq!(of(queued, "missed"), 0.0);
    assert!(of(careful, "missed_pct") < 0.2, "{careful}");
    assert!(
        of(careful, "latency_mean_ms") < 0.7 * of(queued, "latency_mean_ms"),
        "{careful}"
    );
    let page = std::fs::read_to_string(report).unwrap();
    assert!(page.contains("refreshes missed in %") && page.contains("<svg class=\"chart\""));
    let text = stdout(&["pacing", trace, "--display", "100"]);
    assert!(
        text.contains("after the last frame") && text.contains("paced, 100 %, 2 ms"),
        "{text}"
    );
}

#[test]
fn a_scale_of_nothing_and_endless_frames_are_refused() {
    let (_folder, trace) = costs();
    let trace = trace.to_str().unwrap();
    assert!(complaint(&["pacing", trace, "--scale", "0"], 2).contains("above zero"));
    assert!(complaint(&["pacing", trace, "--scale", "1e30"], 2).contains("--scale"));
}
