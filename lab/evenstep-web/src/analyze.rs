//! Analyzes recordings that a reader drops on the page.

use evenstep::Rate;
use evenstep_evaluation::score_filters;
use evenstep_trace::simulate::{Comparison, Timeline};
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
    let analysis = Analysis::read(bytes, name, BadRows::Skip, |_, _| ()).map_err(|error| error.to_string())?;
    let is_compared = bytes.len() <= COMPARED;
    let trace = is_compared
        .then(|| Trace::parse(bytes, name, BadRows::Skip))
        .and_then(Result::ok);
    let compare = |trace: Trace| Comparison::new(&Timeline::of(trace.main_chain()), Rate::hz(60), None);
    let comparison = trace.map(compare);
    json(&Measured { analysis, comparison })
}

/// Compares delta filters. The result has the scores that `evenstep-lab filters --json` prints.
#[wasm_bindgen]
pub fn filters(seed: u32) -> Result<String, String> {
    json(&score_filters(u64::from(seed), |_| true))
}

fn json(value: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(value).map_err(|error| error.to_string())
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
    fn filters_are_scored() {
        assert!(filters(1).unwrap().starts_with("[{\"filter\":\"default\""));
    }
}
