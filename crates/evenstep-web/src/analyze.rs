use evenstep_trace::{Analysis, Rows};
use wasm_bindgen::prelude::wasm_bindgen;

/// Measures a recording: what `evenstep analyze --json` prints of a file. Rows that cannot be read are skipped and counted.
#[wasm_bindgen]
pub fn analyze(bytes: &[u8], name: &str) -> Result<String, String> {
    let analysis = Analysis::read(bytes, name, Rows::Readable, |_, _| ()).map_err(|error| error.to_string())?;
    serde_json::to_string(&analysis).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_is_measured_and_what_is_none_is_told_so() {
        let json = analyze(b"16\n17\nx\n16\n", "list.txt").unwrap();
        assert!(
            json.contains("\"frames\":3") && json.contains("1 unreadable rows"),
            "{json}"
        );
        assert!(
            analyze(b"Dear diary", "diary.txt")
                .unwrap_err()
                .contains("is no frame-time trace")
        );
    }
}
