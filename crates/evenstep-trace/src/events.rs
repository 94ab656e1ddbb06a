//! Traces that hold events rather than rows: a frame is the time between two of them.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::time::Duration;

use serde::Deserialize;

use crate::trace::Key;
use crate::{RowProblem, TraceError};

/// What every line of an atrace has that a program wrote itself.
pub(crate) const ATRACE_MARK: &str = ": tracing_mark_write: ";

/// How Android's Choreographer announces a frame.
const ATRACE_FRAME: &str = "|Choreographer#doFrame";

/// Reads the starts of frames from an Android atrace in text.
///
/// A line is `TASK-TID (TGID) [CPU] FLAGS SECONDS: tracing_mark_write: B|PID|Choreographer#doFrame N`.
pub(crate) fn read_atrace(
    input: impl Read,
    file: &str,
    mut found: impl FnMut(Key, Duration),
) -> Result<(), TraceError> {
    for (index, line) in BufReader::new(input).split(b'\n').enumerate() {
        let line = line.map_err(|source| TraceError::Unreadable {
            file: file.to_owned(),
            source,
        })?;
        let line = String::from_utf8_lossy(&line);
        let Some((head, mark)) = line.split_once(ATRACE_MARK) else {
            continue;
        };
        let Some((process, _)) = mark.strip_prefix("B|").and_then(|rest| rest.split_once(ATRACE_FRAME)) else {
            continue;
        };
        let mut words = head.split_whitespace();
        let (task, time) = (words.next().unwrap_or_default(), words.next_back().unwrap_or_default());
        let start = time.parse().ok().and_then(from_seconds).ok_or_else(|| {
            TraceError::Row(RowProblem {
                file: file.to_owned(),
                line: index as u64 + 1,
                field: "timestamp".to_owned(),
                reason: format!("{time:?} is no number of seconds"),
            })
        })?;
        found((task.to_owned(), process.to_owned(), String::new()), start);
    }
    Ok(())
}

fn from_seconds(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds).ok()
}

/// An event of a Chrome trace.
#[derive(Deserialize)]
pub(crate) struct Event {
    name: String,
    #[serde(default)]
    pid: i64,
    #[serde(default)]
    tid: i64,
    /// Microseconds.
    #[serde(default)]
    ts: f64,
    #[serde(default)]
    args: serde_json::Value,
}

/// Tells the starts of frames of a Chrome trace: its `BeginFrame` events, as the *Trace Event Format* describes them.
pub(crate) fn frames(events: &[Event], mut found: impl FnMut(Key, Duration)) {
    let names: HashMap<i64, String> = events.iter().filter_map(process_name).collect();
    for event in events.iter().filter(|event| event.name == "BeginFrame") {
        let application = names.get(&event.pid).cloned().unwrap_or_default();
        if let Some(time) = from_seconds(event.ts * 1e-6) {
            found((application, event.pid.to_string(), event.tid.to_string()), time);
        }
    }
}

fn process_name(event: &Event) -> Option<(i64, String)> {
    let name = event.args.get("name").filter(|_| event.name == "process_name")?;
    Some((event.pid, name.as_str()?.to_owned()))
}
