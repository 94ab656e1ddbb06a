//! Analyzes recordings that a reader drops on the page.

use std::fmt::Write as _;

use evenstep::Rate;
use evenstep_trace::simulate::Comparison;
use evenstep_trace::{Analysis, BadRows, SwapChainAnalysis, Trace};
use wasm_bindgen::prelude::wasm_bindgen;

/// The largest size in bytes for which strategies are compared, too, because that keeps all frames in memory.
const COMPARED: usize = 64 << 20;

/// The number of programs that are described, those with the most frames first.
const MAX_CHAINS: usize = 5;

/// Measures a recording, and returns a report for people: what `evenstep analyze` finds for its programs and, at 60 steps a second,
/// what `evenstep simulate` does. Rows that cannot be read are skipped and counted.
#[wasm_bindgen]
pub fn analyze(bytes: &[u8], name: &str) -> Result<String, String> {
    let analysis = Analysis::read(bytes, name, BadRows::Skip).map_err(|error| error.to_string())?;
    let mut report = format!("{} ({})\n", analysis.file, analysis.format);
    for warning in &analysis.warnings {
        let _ = writeln!(report, "{warning}");
    }
    for chain in analysis.chains.iter().take(MAX_CHAINS) {
        report += &describe(chain);
    }
    if bytes.len() <= COMPARED
        && let Ok(trace) = Trace::parse(bytes, name, BadRows::Skip)
    {
        report += &compare(&Comparison::new(trace.main_chain(), Rate::hz(60), None));
    }
    Ok(report)
}

fn describe(chain: &SwapChainAnalysis) -> String {
    let (metrics, times) = (&chain.metrics, &chain.metrics.frame_time_ms);
    let mut text = format!(
        "\n{} frames in {:.1} s, {:.1} a second, the slowest 1 % at {:.1}\nframe time {:.2} ms, at most {:.1} ms\n",
        metrics.frames, metrics.seconds, metrics.fps_average, metrics.fps_low_1pct, times.median, times.max
    );
    if !chain.name.application.is_empty() {
        text = format!("\n{}{text}", chain.name.application);
    }
    if let Some(not_displayed) = metrics.not_displayed {
        let _ = writeln!(text, "{not_displayed} frames never displayed");
    }
    if let Some(error) = &metrics.animation_error_ms {
        let _ = writeln!(
            text,
            "animation error {:.2} ms, at most {:.1} ms",
            error.rms, error.max_abs
        );
    }
    let (stutter, hitches) = (metrics.stutter_time_pct, metrics.hitches.len());
    let _ = writeln!(text, "stutter {stutter:.2} % of the time, {hitches} hitches");
    for diagnosis in &chain.diagnosis {
        let _ = writeln!(text, "{}: {}; {}", diagnosis.kind, diagnosis.evidence, diagnosis.cure);
    }
    text
}

/// Each strategy with the filter that suits it best.
fn compare(comparison: &Comparison) -> String {
    let mut text = format!(
        "\nWhat a game would look like, at {} steps a second\n",
        comparison.rate_hz
    );
    let mut written = Vec::new();
    for outcome in &comparison.outcomes {
        if written.contains(&outcome.strategy) {
            continue;
        }
        written.push(outcome.strategy);
        let _ = writeln!(
            text,
            "{}, filter {}: animation error {:.2} ms, at most {:.1} ms; latency {:.1} ms",
            outcome.strategy, outcome.filter, outcome.error_rms_ms, outcome.error_max_ms, outcome.latency_ms
        );
    }
    let best = &comparison.recommended;
    let _ = writeln!(
        text,
        "\nRecommended: {}, filter {}. Why: {}.\n\n{}",
        best.strategy, best.filter, best.reason, best.code
    );
    text
}

/// The frame times of a recording in milliseconds: those of the program with the most frames. Rows that cannot be read are skipped.
#[wasm_bindgen]
pub fn frame_times(bytes: &[u8], name: &str) -> Result<Vec<f64>, String> {
    let trace = Trace::parse(bytes, name, BadRows::Skip).map_err(|error| error.to_string())?;
    let deltas = trace.main_chain().deltas.iter();
    Ok(deltas.map(|delta| delta.as_secs_f64() * 1e3).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_is_measured_and_another_file_is_an_error() {
        let report = analyze(b"16\n17\nx\n16\n", "list.txt").unwrap();
        for part in ["3 frames in", "1 unreadable rows", "Recommended: interpolate, filter"] {
            assert!(report.contains(part), "{report}");
        }
        assert!(
            analyze(b"Dear diary", "diary.txt")
                .unwrap_err()
                .contains("is no frame-time trace")
        );
    }

    #[test]
    fn a_recording_has_frame_times() {
        assert_eq!(frame_times(b"16\n17\nx\n16\n", "list.txt").unwrap(), [16.0, 17.0, 16.0]);
        assert!(frame_times(b"Dear diary", "diary.txt").is_err());
    }
}
