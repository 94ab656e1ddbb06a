//! JSON files: Chrome traces and CapFrameX captures.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{BufRead, Read as _};

use serde::de::{IgnoredAny, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::error::TraceError;
use crate::read::chrome::Text;
use crate::read::lines::Lines;
use crate::read::machine::Machine;
use crate::read::number;
use crate::read::reorder_buffer::{ReorderBuffer, Sink};
use crate::read::row::Row;

/// The kind of a JSON file.
pub(crate) enum Json {
    Chrome(Text),
    CapFrameX(Capture),
}

/// A capture of CapFrameX.
pub(crate) struct Capture {
    info: Info,
    runs: Vec<Run>,
    /// The number of lines before it in the file.
    lines_before: u64,
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
        let truth = match text {
            "true" | "True" => Some(1.0),
            "false" | "False" => Some(0.0),
            _ => None,
        };
        Ok(Number(
            truth.or_else(|| number::parse(text.as_bytes())).unwrap_or(f64::NAN),
        ))
    }
}

/// An object of either kind.
#[derive(Deserialize)]
struct Object {
    #[serde(rename = "traceEvents")]
    events: Option<IgnoredAny>,
    #[serde(rename = "Info", default)]
    info: Option<Info>,
    #[serde(rename = "Runs")]
    runs: Option<Vec<Run>>,
}

impl Json {
    /// Reads the file, beginning with the last line that was read.
    pub(crate) fn read(lines: Lines<impl BufRead>, file: &str) -> Result<Self, TraceError> {
        let (lines_before, mut input) = lines.into_rest();
        let mut text = String::new();
        let read = input.read_to_string(&mut text);
        read.map_err(|source| TraceError::unreadable(file, source))?;
        // Only a byte order mark and spaces can precede the first bracket in its line.
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
                info: object.info.unwrap_or_default(),
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
        // The version of a single driver takes precedence over those of several drivers.
        let names = ["OS", "Processor", "GPU", "GPUDriverVersion", "BaseDriverVersion"];
        for name in names {
            if let Some(Value::String(value)) = self.info.more.get(name) {
                machine.learn(name, value);
            }
        }
        machine
    }

    /// Whether any run states when its frames were presented.
    pub(crate) fn has_times(&self) -> bool {
        self.runs.iter().any(|run| !run.data.time_in_seconds.0.is_empty())
    }

    /// Reads the rows of each run.
    pub(crate) fn read<S: Sink>(&self, ordered: &mut ReorderBuffer<'_, S>) -> Result<(), TraceError> {
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
                        ordered.refuse(self.lines_before + 1, &field, reason)?;
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
            until_displayed: until_displayed.filter(|_| !is_dropped).into(),
            between_displays: between_displays.filter(|time| *time > 0.0).into(),
            ..Row::default()
        })
    }
}
