//! Files in JSON: traces of Chrome, and captures of CapFrameX.

use std::io::Read;
use std::time::Duration;

use serde::Deserialize;

use crate::events::Event;
use crate::order::{InOrder, Sink};
use crate::present::Row;
use crate::{RowProblem, TraceError};

/// What a file in JSON is.
pub(crate) enum Json {
    Chrome(Vec<Event>),
    CapFrameX(Capture),
}

/// A capture of CapFrameX.
pub(crate) struct Capture {
    info: Info,
    runs: Vec<Run>,
}

#[derive(Default, Deserialize)]
struct Info {
    #[serde(rename = "ProcessName", default)]
    process_name: String,
}

#[derive(Deserialize)]
struct Run {
    #[serde(rename = "CaptureData")]
    data: CaptureData,
}

/// Columns of equal length.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct CaptureData {
    #[serde(default)]
    time_in_seconds: Vec<f64>,
    ms_between_presents: Vec<f64>,
    #[serde(default)]
    ms_until_displayed: Vec<f64>,
    #[serde(default)]
    dropped: Vec<bool>,
}

/// Either of the two.
#[derive(Deserialize)]
struct Object {
    #[serde(rename = "traceEvents")]
    events: Option<Vec<Event>>,
    #[serde(rename = "Info", default)]
    info: Info,
    #[serde(rename = "Runs")]
    runs: Option<Vec<Run>>,
}

impl Json {
    pub(crate) fn read(mut input: impl Read, file: &str) -> Result<Self, TraceError> {
        let mut text = String::new();
        let read = input.read_to_string(&mut text);
        read.map_err(|source| TraceError::unreadable(file, source))?;
        let text = text.trim_start_matches('\u{feff}');
        let not_a_trace = |line: usize, reason: String| TraceError::NotATrace {
            file: file.to_owned(),
            line: line.max(1) as u64,
            reason,
        };
        let wrong = |error: serde_json::Error| not_a_trace(error.line(), error.to_string());
        if text.trim_start().starts_with('[') {
            return serde_json::from_str(text).map(Self::Chrome).map_err(wrong);
        }
        let object: Object = serde_json::from_str(text).map_err(wrong)?;
        match (object.events, object.runs) {
            (Some(events), _) => Ok(Self::Chrome(events)),
            (None, Some(runs)) => Ok(Self::CapFrameX(Capture {
                info: object.info,
                runs,
            })),
            (None, None) => Err(not_a_trace(1, "the object has neither traceEvents nor Runs".to_owned())),
        }
    }
}

impl Capture {
    /// Reads the rows of each run.
    pub(crate) fn read<S: Sink>(&self, file: &str, ordered: &mut InOrder<'_, S>) -> Result<(), TraceError> {
        for (index, run) in self.runs.iter().enumerate() {
            let name = format!("run {}", index + 1);
            for place in 0..run.data.ms_between_presents.len() {
                let row = run.data.row(place).map_err(|reason| {
                    TraceError::Row(RowProblem {
                        file: file.to_owned(),
                        line: 1,
                        field: format!("Runs[{index}].CaptureData.MsBetweenPresents[{place}]"),
                        reason,
                    })
                })?;
                ordered.push([self.info.process_name.as_bytes(), b"", name.as_bytes()], row);
            }
        }
        Ok(())
    }
}

impl CaptureData {
    fn row(&self, place: usize) -> Result<Row, String> {
        let between = self.ms_between_presents[place];
        let delta = Duration::try_from_secs_f64(between * 1e-3).map_err(|_| format!("{between} is no frame time"))?;
        let is_dropped = self.dropped.get(place).copied().unwrap_or_default();
        Ok(Row {
            time: self.time_in_seconds.get(place).copied().into(),
            delta: Some(delta),
            until_displayed: self
                .ms_until_displayed
                .get(place)
                .copied()
                .filter(|_| !is_dropped)
                .into(),
            ..Row::default()
        })
    }
}
