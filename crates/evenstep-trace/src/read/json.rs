//! JSON files: Chrome traces and CapFrameX captures.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::Value;

use crate::error::TraceError;
use crate::read::chrome::{self, Event};
use crate::read::columns::Columns;
use crate::read::format::Format;
use crate::read::frame_builder::Rows;
use crate::read::record::Splitter;
use crate::read::table::{Values, row};

/// An object of either kind.
#[derive(Deserialize)]
struct Object {
    #[serde(rename = "traceEvents")]
    events: Option<Vec<Event>>,
    #[serde(rename = "Info", default)]
    info: Value,
    #[serde(rename = "Runs")]
    runs: Option<Vec<Value>>,
}

/// Reads the text of a file.
pub(crate) fn read(text: &[u8], file: &str, rows: &mut Rows<'_>) -> Result<Format, TraceError> {
    let not_a_trace = |line: usize, reason| TraceError::not_a_trace(file, line.max(1) as u64, reason);
    let invalid = |error: serde_json::Error| not_a_trace(error.line(), error.to_string());
    let text = std::str::from_utf8(text).map_err(|_| not_a_trace(1, "it is not text".to_owned()))?;
    let text = text.trim_end();
    if text.trim_start().starts_with('[') {
        // The format does not require the closing bracket, and a program that is killed does not write it.
        let closed = || serde_json::from_str(&format!("{}]", text.trim_end_matches(',')));
        let events = serde_json::from_str(text).or_else(|error| closed().map_err(|_| error));
        chrome::read(events.map_err(invalid)?, file, rows)?;
        return Ok(Format::ChromeTrace);
    }
    let object: Object = serde_json::from_str(text).map_err(invalid)?;
    if let Some(events) = object.events {
        chrome::read(events, file, rows)?;
        return Ok(Format::ChromeTrace);
    }
    let runs = object
        .runs
        .ok_or_else(|| not_a_trace(1, "the object has neither traceEvents nor Runs".to_owned()))?;
    let application = object.info["ProcessName"].as_str().unwrap_or_default();
    let data = runs.iter().filter_map(|run| run["CaptureData"].as_object()).flatten();
    let arrays = data.filter(|(name, values)| values.is_array() && !OTHERS.contains(&name.as_str()));
    let names: BTreeSet<&String> = arrays.map(|(name, _)| name).collect();
    let names: Vec<String> = names.into_iter().cloned().collect();
    let columns = Columns::find(&names).map(|(_, columns)| columns);
    let columns = columns.ok_or_else(|| not_a_trace(1, "no run has the column MsBetweenPresents".to_owned()))?;
    read_runs(application, &runs, &columns, rows)?;
    Ok(Format::CapFrameXJson)
}

/// Columns whose numbers CapFrameX defines in a way of its own.
const OTHERS: [&str; 2] = ["PresentMode", "QPCTime"];

/// Reads the runs of a capture by CapFrameX: each has the columns of a table as arrays or `null`.
fn read_runs(application: &str, runs: &[Value], columns: &Columns, rows: &mut Rows<'_>) -> Result<(), TraceError> {
    rows.begin(columns.clone());
    let (mut splitter, mut values) = (Splitter::default(), Values::default());
    for (index, run) in runs.iter().enumerate() {
        let swap_chain = format!("run {}", index + 1);
        let arrays: Vec<&[Value]> = columns
            .names
            .iter()
            .map(|name| run["CaptureData"][name].as_array().map_or(&[][..], Vec::as_slice))
            .collect();
        let total = arrays[columns.delta].len();
        let own = &columns.without(|index| arrays[index].is_empty() && index != columns.delta);
        for (name, array) in columns.names.iter().zip(&arrays) {
            let count = array.len();
            if count != total && count != 0 {
                rows.warn(format!(
                    "Runs[{index}].CaptureData has {count} numbers in {name} and {total} in {}; missing values count as unknown",
                    columns.name(columns.delta)
                ));
            }
        }
        for place in 0..total {
            let fields: Vec<String> = arrays.iter().map(|array| field(array.get(place))).collect();
            let line = fields.join("\t");
            let record = splitter.split(line.as_bytes(), b'\t');
            match record.and_then(|record| row(own, &record, 1, &mut values)) {
                Ok((_, row)) => rows.push([application.as_bytes(), b"", swap_chain.as_bytes()], row),
                Err((column, reason)) => {
                    let place = format!("Runs[{index}].CaptureData.{}[{place}]", columns.name(column));
                    rows.refuse(1, &place, reason)?;
                }
            }
        }
    }
    values.warnings(columns).for_each(|warning| rows.warn(warning));
    Ok(())
}

/// A value as a table has it. .NET's serializers write `"NaN"` or `null` for a missing number, and some tools write numbers in quotes.
fn field(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.replace(['\t', '"'], " "),
        Some(other) => other.to_string(),
    }
}
