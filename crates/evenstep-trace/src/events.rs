//! Traces that hold events rather than rows: a frame is the time between two of them.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::time::Duration;

use serde::Deserialize;

use crate::order::{InOrder, Sink};
use crate::present::Row;
use crate::{RowProblem, TraceError};

/// What every line of an atrace has that a program wrote itself.
pub(crate) const ATRACE_MARK: &str = ": tracing_mark_write: ";

/// How Android's Choreographer announces a frame.
const ATRACE_FRAME: &str = "|Choreographer#doFrame";

/// Reads the starts of frames from an Android atrace in text.
///
/// A line is `TASK-TID (TGID) [CPU] FLAGS SECONDS: tracing_mark_write: B|PID|Choreographer#doFrame N`.
pub(crate) fn read_atrace<S: Sink>(
    input: impl Read,
    file: &str,
    ordered: &mut InOrder<'_, S>,
) -> Result<(), TraceError> {
    for (index, line) in BufReader::new(input).split(b'\n').enumerate() {
        let line = line.map_err(|source| TraceError::unreadable(file, source))?;
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
        ordered.push([task.as_bytes(), process.as_bytes(), b""], Row::at(start));
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
/// They come in the order of the threads that wrote them.
pub(crate) fn frames<S: Sink>(mut events: Vec<Event>, ordered: &mut InOrder<'_, S>) {
    events.sort_by(|one, other| one.ts.total_cmp(&other.ts));
    let names: HashMap<i64, String> = events.iter().filter_map(process_name).collect();
    for event in events.iter().filter(|event| event.name == "BeginFrame") {
        let application = names.get(&event.pid).map_or("", String::as_str);
        if let Some(time) = from_seconds(event.ts * 1e-6) {
            let (process, thread) = (event.pid.to_string(), event.tid.to_string());
            let names = [application, &process, &thread].map(str::as_bytes);
            ordered.push(names, Row::at(time));
        }
    }
}

fn process_name(event: &Event) -> Option<(i64, String)> {
    let name = event.args.get("name").filter(|_| event.name == "process_name")?;
    Some((event.pid, name.as_str()?.to_owned()))
}
