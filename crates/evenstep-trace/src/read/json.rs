//! JSON files: Chrome traces and CapFrameX captures.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::Visitor;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::error::TraceError;
use crate::read::chrome::{self, Event};
use crate::read::columns::Columns;
use crate::read::format::Format;
use crate::read::machine::Machine;
use crate::read::number;
use crate::read::reorder_buffer::ReorderBuffer;
use crate::read::row::Row;

/// A capture of CapFrameX.
struct Capture {
    info: Info,
    runs: Vec<Run>,
}

#[derive(Default, Deserialize)]
struct Info {
    #[serde(rename = "ProcessName", default)]
    process_name: Option<String>,
    /// Further information about the recording.
    #[serde(flatten)]
    more: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
struct Run {
    #[serde(rename = "CaptureData")]
    data: CaptureData,
}

/// Columns of equal length, as CapFrameX's serializer writes them: any of them may be `null`.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct CaptureData {
    #[serde(default)]
    time_in_seconds: Numbers,
    ms_between_presents: Numbers,
    #[serde(default)]
    ms_until_displayed: Numbers,
    #[serde(default)]
    ms_between_display_change: Numbers,
    #[serde(default)]
    dropped: Numbers,
}

/// Numbers; missing ones are NaN.
#[derive(Default, Deserialize)]
#[serde(from = "Option<Vec<Number>>")]
struct Numbers(Vec<f64>);

impl From<Option<Vec<Number>>> for Numbers {
    fn from(numbers: Option<Vec<Number>>) -> Self {
        Self(
            numbers
                .unwrap_or_default()
                .into_iter()
                .map(|Number(number)| number)
                .collect(),
        )
    }
}

impl Numbers {
    fn get(&self, place: usize) -> Option<f64> {
        self.0.get(place).copied().filter(|number| number.is_finite())
    }
}

/// A number. .NET's serializers write `"NaN"` or `null` for a missing one, and some tools write numbers in quotes. `true` is 1.
struct Number(f64);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyNumber)
    }
}

struct AnyNumber;

impl Visitor<'_> for AnyNumber {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_f64<E>(self, number: f64) -> Result<Number, E> {
        Ok(Number(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Number, E> {
        Ok(Number(number as f64))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Number, E> {
        Ok(Number(number as f64))
    }

    fn visit_bool<E>(self, is_true: bool) -> Result<Number, E> {
        Ok(Number(f64::from(u8::from(is_true))))
    }

    fn visit_unit<E>(self) -> Result<Number, E> {
        Ok(Number(f64::NAN))
    }

    fn visit_str<E>(self, text: &str) -> Result<Number, E> {
        let text = text.as_bytes();
        let number = number::parse(text).or_else(|| number::truth(text).map(f64::from));
        Ok(Number(number.unwrap_or(f64::NAN)))
    }
}

/// An object of either kind.
#[derive(Deserialize)]
struct Object {
    #[serde(rename = "traceEvents")]
    events: Option<Vec<Event>>,
    #[serde(rename = "Info", default)]
    info: Option<Info>,
    #[serde(rename = "Runs")]
    runs: Option<Vec<Run>>,
}

/// Reads the text of a file.
pub(crate) fn read(text: &[u8], file: &str, ordered: &mut ReorderBuffer) -> Result<(Format, Machine), TraceError> {
    let not_a_trace = |line: usize, reason: String| TraceError::NotATrace {
        file: file.to_owned(),
        line: line.max(1) as u64,
        reason,
    };
    let text = std::str::from_utf8(text).map_err(|_| not_a_trace(1, "it is not text".to_owned()))?;
    if text.trim_start().starts_with('[') {
        chrome::read_array(text, file, ordered)?;
        return Ok((Format::ChromeTrace, Machine::default()));
    }
    let object: Object = serde_json::from_str(text).map_err(|error| not_a_trace(error.line(), error.to_string()))?;
    // Only spaces can precede the first bracket.
    let line = 1 + text[..text.find('{').unwrap_or_default()].matches('\n').count();
    match (object.events, object.runs) {
        (Some(events), _) => {
            let events = events.into_iter().map(|event| (line as u64, event)).collect();
            chrome::read(events, file, ordered)?;
            Ok((Format::ChromeTrace, Machine::default()))
        }
        (None, Some(runs)) => {
            let info = object.info.unwrap_or_default();
            let capture = Capture { info, runs };
            capture.read(line as u64, ordered)?;
            Ok((Format::CapFrameXJson, capture.machine()))
        }
        (None, None) => Err(not_a_trace(
            line,
            "the object has neither traceEvents nor Runs".to_owned(),
        )),
    }
}

impl Capture {
    fn machine(&self) -> Machine {
        let mut machine = Machine::default();
        // The version of a single driver takes precedence over those of several drivers.
        let names = ["OS", "Processor", "GPU", "GPUDriverVersion", "BaseDriverVersion"];
        for name in names {
            if let Some(Value::String(value)) = self.info.more.get(name) {
                machine.learn(name, value);
            }
        }
        machine
    }

    /// Reads the rows of each run.
    fn read(&self, line: u64, ordered: &mut ReorderBuffer) -> Result<(), TraceError> {
        let has_times = self.runs.iter().any(|run| !run.data.time_in_seconds.0.is_empty());
        ordered.begin(Columns::of_capframex(has_times));
        let application = self.info.process_name.as_deref().unwrap_or_default();
        for (index, run) in self.runs.iter().enumerate() {
            let name = format!("run {}", index + 1);
            let rows = run.data.ms_between_presents.0.len();
            for (column, numbers) in run.data.columns() {
                let count = numbers.0.len();
                if count != rows && count != 0 {
                    ordered.warn(format!(
                        "Runs[{index}].CaptureData has {count} numbers in {column} and {rows} in MsBetweenPresents; \
                         missing values count as unknown"
                    ));
                }
            }
            for place in 0..rows {
                match run.data.row(place) {
                    Ok(row) => ordered.push([application.as_bytes(), b"", name.as_bytes()], row),
                    Err(reason) => {
                        let field = format!("Runs[{index}].CaptureData.MsBetweenPresents[{place}]");
                        ordered.refuse(line, &field, reason)?;
                    }
                }
            }
        }
        Ok(())
    }
}

impl CaptureData {
    /// The columns besides the frame times, with their names.
    fn columns(&self) -> [(&'static str, &Numbers); 4] {
        [
            ("TimeInSeconds", &self.time_in_seconds),
            ("MsUntilDisplayed", &self.ms_until_displayed),
            ("MsBetweenDisplayChange", &self.ms_between_display_change),
            ("Dropped", &self.dropped),
        ]
    }

    fn row(&self, place: usize) -> Result<Row, String> {
        let delta = self
            .ms_between_presents
            .get(place)
            .ok_or("is no frame time in milliseconds")?;
        let is_dropped = self.dropped.get(place).is_some_and(|dropped| dropped != 0.0);
        let until_displayed = self.ms_until_displayed.get(place);
        let between_displays = self.ms_between_display_change.get(place);
        Ok(Row {
            time: self.time_in_seconds.get(place).into(),
            delta: Some(number::checked_frame_time(delta)?),
            until_displayed: until_displayed.filter(|time| *time > 0.0 && !is_dropped).into(),
            between_displays: between_displays.filter(|time| *time > 0.0).into(),
            ..Row::default()
        })
    }
}
