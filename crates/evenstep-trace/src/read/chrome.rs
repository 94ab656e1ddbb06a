//! Chrome's traces: a frame is the time between two `BeginFrame` events, as the *Trace Event Format* describes them.

use std::collections::HashMap;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use crate::error::TraceError;
use crate::read::reorder_buffer::{ReorderBuffer, Sink};
use crate::read::row::Row;

/// The text of a trace, and its position in the file.
pub(crate) struct Text {
    pub(crate) text: String,
    /// The number of lines before it in the file.
    pub(crate) lines_before: u64,
}

/// An event. Fields may have any type: only those of relevant events are checked.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Event {
    name: Value,
    pid: Value,
    tid: Value,
    /// Microseconds.
    ts: Value,
    args: Value,
}

/// An event and its place in the file.
struct Placed {
    line: u64,
    index: usize,
    event: Event,
}

#[derive(Deserialize)]
struct Object {
    #[serde(rename = "traceEvents")]
    events: Vec<Event>,
}

/// Reads the start times of frames, and sorts them, because events are in the order of the threads that wrote them.
pub(crate) fn read<S: Sink>(text: &Text, file: &str, ordered: &mut ReorderBuffer<'_, S>) -> Result<(), TraceError> {
    let mut frames = Vec::new();
    let mut names = HashMap::new();
    for Placed { line, index, event } in events(text, file, ordered)? {
        let process = id(&event.pid);
        if event.name == "process_name" {
            if let Some(name) = event.args.get("name").and_then(Value::as_str) {
                names.insert(process, name.to_owned());
            }
        } else if event.name == "BeginFrame" {
            let microseconds = event.ts.as_f64();
            match microseconds.and_then(|time| Duration::try_from_secs_f64(time * 1e-6).ok()) {
                Some(start) => frames.push((start, process, id(&event.tid))),
                None => {
                    let reason = format!("{} is no time in microseconds", event.ts);
                    ordered.refuse(line, &format!("traceEvents[{index}].ts"), reason)?;
                }
            }
        }
    }
    frames.sort_by_key(|(start, ..)| *start);
    for (start, process, thread) in &frames {
        let application = names.get(process).map_or("", String::as_str);
        ordered.push([application, process, thread].map(str::as_bytes), Row::at(*start));
    }
    Ok(())
}

/// The number of a process or thread, which some tools write as text.
fn id(id: &Value) -> String {
    match id {
        Value::Null => "0".to_owned(),
        Value::String(id) => id.clone(),
        id => id.to_string(),
    }
}

fn events<S: Sink>(text: &Text, file: &str, ordered: &mut ReorderBuffer<'_, S>) -> Result<Vec<Placed>, TraceError> {
    let Text { text, lines_before } = text;
    if text.starts_with('[') {
        return array(text, *lines_before, file, ordered);
    }
    let object: Object =
        serde_json::from_str(text).map_err(|error| not_a_trace(file, lines_before + error.line() as u64, &error))?;
    let placed = |(index, event)| Placed {
        line: lines_before + 1,
        index,
        event,
    };
    Ok(object.events.into_iter().enumerate().map(placed).collect())
}

fn not_a_trace(file: &str, line: u64, reason: &impl ToString) -> TraceError {
    TraceError::NotATrace {
        file: file.to_owned(),
        line: line.max(1),
        reason: reason.to_string(),
    }
}

/// Reads an array of events. The closing bracket may be missing: the format does not require it, and a program that is killed does not
/// write it.
fn array<S: Sink>(
    text: &str,
    lines_before: u64,
    file: &str,
    ordered: &mut ReorderBuffer<'_, S>,
) -> Result<Vec<Placed>, TraceError> {
    let mut events = Vec::new();
    let (mut at, mut line) = (1, lines_before + 1);
    loop {
        let before = at;
        at += text[at..].len() - text[at..].trim_start().len();
        line += newlines(&text[before..at]);
        match text[at..].chars().next() {
            None => return Ok(events),
            Some(']') => break,
            Some(',') if !events.is_empty() => {
                at += 1;
                continue;
            }
            Some(_) => {}
        }
        let mut values = serde_json::Deserializer::from_str(&text[at..]).into_iter();
        match values.next() {
            Some(Ok(event)) => {
                let index = events.len();
                events.push(Placed { line, index, event });
            }
            Some(Err(error)) if error.is_eof() => {
                let field = format!("traceEvents[{}]", events.len());
                ordered.refuse(line, &field, "the file ends within this event".to_owned())?;
                return Ok(events);
            }
            Some(Err(error)) => return Err(not_a_trace(file, line + error.line() as u64 - 1, &error)),
            None => return Ok(events),
        }
        let end = at + values.byte_offset();
        line += newlines(&text[at..end]);
        at = end;
    }
    match text[at + 1..].trim() {
        "" => Ok(events),
        _ => Err(not_a_trace(file, line, &"there is more after the last event")),
    }
}

fn newlines(text: &str) -> u64 {
    text.bytes().filter(|byte| *byte == b'\n').count() as u64
}
