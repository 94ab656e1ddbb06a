//! JSON files: Chrome traces and CapFrameX captures.

use std::collections::BTreeMap;
use std::io::{BufRead, Read as _};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use crate::error::TraceError;
use crate::read::chrome::Text;
use crate::read::lines::Lines;
use crate::read::machine::Machine;
use crate::read::number;
use crate::read::order::{InOrder, Sink};
use crate::read::row::Row;

/// What a file in JSON is.
pub(crate) enum Json {
    Chrome(Text),
    CapFrameX(Capture),
}

/// A capture of CapFrameX.
pub(crate) struct Capture {
    info: Info,
    runs: Vec<Run>,
    /// Lines of the file before it.
    lines_before: u64,
}

#[derive(Default, Deserialize)]
struct Info {
    #[serde(rename = "ProcessName", default)]
    process_name: String,
    /// What else it says of the recording.
    #[serde(flatten)]
    more: BTreeMap<String, Value>,
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
    events: Option<IgnoredAny>,
    #[serde(rename = "Info", default)]
    info: Info,
    #[serde(rename = "Runs")]
    runs: Option<Vec<Run>>,
}

impl Json {
    /// Reads the file, beginning with the last line read.
    pub(crate) fn read(lines: Lines<impl BufRead>, file: &str) -> Result<Self, TraceError> {
        let (lines_before, mut input) = lines.into_rest();
        let mut text = String::new();
        let read = input.read_to_string(&mut text);
        read.map_err(|source| TraceError::unreadable(file, source))?;
        // Nothing but a byte order mark and spaces can stand before the first bracket in its line.
        let start = text.find(['{', '[']).unwrap_or_default();
        let text = text.split_off(start);
        let not_a_trace = |line: usize, reason: String| TraceError::NotATrace {
            file: file.to_owned(),
            line: lines_before + line.max(1) as u64,
            reason,
        };
        if text.starts_with('[') {
            return Ok(Self::Chrome(Text { text, lines_before }));
        }
        let object: Object =
            serde_json::from_str(&text).map_err(|error| not_a_trace(error.line(), error.to_string()))?;
        match (object.events, object.runs) {
            (Some(_), _) => Ok(Self::Chrome(Text { text, lines_before })),
            (None, Some(runs)) => Ok(Self::CapFrameX(Capture {
                info: object.info,
                runs,
                lines_before,
            })),
            (None, None) => Err(not_a_trace(1, "the object has neither traceEvents nor Runs".to_owned())),
        }
    }
}

impl Capture {
    pub(crate) fn machine(&self) -> Machine {
        let mut machine = Machine::default();
        // A version of one driver before the version of several.
        let names = ["OS", "Processor", "GPU", "GPUDriverVersion", "BaseDriverVersion"];
        for name in names {
            if let Some(Value::String(value)) = self.info.more.get(name) {
                machine.learn(name, value);
            }
        }
        machine
    }

    /// Reads the rows of each run.
    pub(crate) fn read<S: Sink>(&self, ordered: &mut InOrder<'_, S>) -> Result<(), TraceError> {
        for (index, run) in self.runs.iter().enumerate() {
            let name = format!("run {}", index + 1);
            for place in 0..run.data.ms_between_presents.len() {
                match run.data.row(place) {
                    Ok(row) => ordered.push([self.info.process_name.as_bytes(), b"", name.as_bytes()], row),
                    Err(reason) => {
                        let field = format!("Runs[{index}].CaptureData.MsBetweenPresents[{place}]");
                        ordered.refuse(self.lines_before + 1, &field, reason)?;
                    }
                }
            }
        }
        Ok(())
    }
}

impl CaptureData {
    fn row(&self, place: usize) -> Result<Row, String> {
        let delta = number::checked_frame_time(self.ms_between_presents[place])?;
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
