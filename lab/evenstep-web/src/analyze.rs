//! Analyzes recordings that a reader drops on the page.

use evenstep::Rate;
use evenstep_trace::simulate::Comparison;
use evenstep_trace::{Analysis, BadRows, Trace};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

/// The largest size in bytes for which strategies are compared, too, because that keeps all frames in memory.
const COMPARED: usize = 64 << 20;

/// The analysis of a recording.
#[derive(Serialize)]
struct Measured {
    #[serde(flatten)]
    analysis: Analysis,
    /// Of the chain with the most frames, at 60 steps a second.
    comparison: Option<Comparison>,
}

/// Measures a recording. The result has the output of `evenstep analyze --json` for a file and of `evenstep simulate --json`. Rows that
/// cannot be read are skipped and counted.
#[wasm_bindgen]
pub fn analyze(bytes: &[u8], name: &str) -> Result<String, String> {
    let analysis = Analysis::read(bytes, name, BadRows::Skip).map_err(|error| error.to_string())?;
    let is_compared = bytes.len() <= COMPARED;
    let trace = is_compared
        .then(|| Trace::parse(bytes, name, BadRows::Skip))
        .and_then(Result::ok);
    let compare = |trace: Trace| Comparison::new(trace.main_chain(), Rate::hz(60), None);
    let comparison = trace.map(compare);
    serde_json::to_string(&Measured { analysis, comparison }).map_err(|error| error.to_string())
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
        let json = analyze(b"16\n17\nx\n16\n", "list.txt").unwrap();
        assert!(
            json.contains("\"frames\":3") && json.contains("1 unreadable rows"),
            "{json}"
        );
        assert!(json.contains("\"recommended\":{\"strategy\":\"interpolate\""));
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
