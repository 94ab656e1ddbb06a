//! Chrome's traces: a frame is the time between two `BeginFrame` events, as the *Trace Event Format* describes them.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use crate::error::TraceError;
use crate::read::columns::Columns;
use crate::read::frame_builder::Rows;
use crate::read::row::Row;

/// An event. Fields may have any type: only relevant events are checked.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Event {
    name: Value,
    pid: Value,
    tid: Value,
    /// Microseconds.
    ts: Value,
    args: Value,
}

/// What an event says about a frame of its chain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Begun,
    /// The frame was drawn.
    Drawn,
    /// The frame never reached the screen.
    Dropped,
    /// The page needs no frames from here on.
    Idle,
}

/// Process, thread and layer tree: a page and an embedded frame may share a thread.
type Chain = (String, String, String);

struct Frame {
    start: Duration,
    number: Value,
    is_dropped: bool,
    is_after_pause: bool,
}

/// The frames of a chain.
#[derive(Default)]
struct Frames {
    frames: Vec<Frame>,
    is_idle: bool,
    /// Whether the trace says what became of the frames: versions before 2021 do not number them.
    are_known: bool,
}

/// Reads events. They are in the order of the threads that wrote them, and are sorted by time.
///
/// A frame that was neither drawn nor dropped had nothing new to show. Drawn frames are displayed at equal times after they began, as far
/// as the trace says.
pub(crate) fn read(events: Vec<Event>, file: &str, rows: &mut Rows<'_>) -> Result<(), TraceError> {
    let mut chains: BTreeMap<Chain, Frames> = BTreeMap::new();
    let (mut names, mut found) = (HashMap::new(), Vec::new());
    let count = events.len();
    for (index, event) in events.into_iter().enumerate() {
        let process = id(&event.pid);
        let kind = match event.name.as_str() {
            Some("BeginFrame") => Kind::Begun,
            Some("DrawFrame") => Kind::Drawn,
            Some("DroppedFrame") => Kind::Dropped,
            Some("NeedsBeginFrameChanged") if event.args["data"]["needsBeginFrame"] == 0 => Kind::Idle,
            Some("process_name") => {
                let name = event.args["name"].as_str().unwrap_or_default();
                names.insert(process, name.to_owned());
                continue;
            }
            _ => continue,
        };
        let microseconds = event.ts.as_f64();
        match microseconds.and_then(|time| Duration::try_from_secs_f64(time * 1e-6).ok()) {
            Some(time) => {
                let tree = match &event.args["layerTreeId"] {
                    Value::Null => String::new(),
                    tree => format!("layer tree {}", id(tree)),
                };
                let chain = (process, id(&event.tid), tree);
                found.push((time, chain, kind, event.args["frameSeqId"].clone()));
            }
            None if kind == Kind::Begun => {
                let reason = format!("{} is no time in microseconds", event.ts);
                rows.refuse(1, &format!("traceEvents[{index}].ts"), reason)?;
            }
            None => {}
        }
    }
    if !found.iter().any(|(.., kind, _)| *kind == Kind::Begun) {
        let reason = format!(
            "none of the {count} events of this Chrome trace is a BeginFrame; record again with the category \
             disabled-by-default-devtools.timeline.frame (devtools.timeline.frame), as the panel Performance of the developer tools does"
        );
        return Err(TraceError::not_a_trace(file, 1, reason));
    }
    found.sort_by_key(|(time, ..)| *time);
    for (time, chain, kind, number) in found {
        chains.entry(chain).or_default().add(time, kind, number);
    }
    rows.begin(Columns::of_presented_instants());
    let mut frames: Vec<(&Chain, bool, &Frame)> = Vec::new();
    for (chain, of_chain) in &chains {
        frames.extend(of_chain.frames.iter().map(|frame| (chain, of_chain.are_known, frame)));
    }
    frames.sort_by_key(|(.., frame)| frame.start);
    for ((process, thread, tree), are_known, frame) in frames {
        let application = names.get(process).map_or("", String::as_str);
        let is_alone = chains
            .keys()
            .filter(|(other, own, _)| (other, own) == (process, thread))
            .count()
            == 1;
        let swap_chain = if is_alone {
            thread.clone()
        } else {
            format!("{thread} {tree}")
        };
        let names = [application, process, &swap_chain].map(str::as_bytes);
        let time = are_known.then_some(frame.start.as_secs_f64() * 1e3);
        let mut row = Row {
            time,
            until_displayed: (!frame.is_dropped).then_some(0.0),
            ..Row::at(frame.start)
        };
        row.present.is_after_pause = frame.is_after_pause;
        rows.push(names, row);
    }
    Ok(())
}

impl Frames {
    fn add(&mut self, time: Duration, kind: Kind, number: Value) {
        self.are_known |= !number.is_null();
        match kind {
            Kind::Begun => self.frames.push(Frame {
                start: time,
                number,
                is_dropped: false,
                is_after_pause: std::mem::take(&mut self.is_idle),
            }),
            Kind::Idle => self.is_idle = true,
            Kind::Drawn | Kind::Dropped => {
                if let Some(frame) = self.frames.iter_mut().rev().find(|frame| frame.number == number) {
                    frame.is_dropped = kind == Kind::Dropped;
                }
            }
        }
    }
}

/// The number of a process, a thread or a layer tree, which some tools write as text.
fn id(id: &Value) -> String {
    match id {
        Value::Null => "0".to_owned(),
        Value::String(id) => id.clone(),
        id => id.to_string(),
    }
}
