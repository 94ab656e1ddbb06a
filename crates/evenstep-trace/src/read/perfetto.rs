//! Perfetto's traces: the frames of Android's FrameTimeline, each from the start of its work to its display.
//!
//! A trace is a sequence of packets, each with its length, in protobuf's encoding. Names and numbers of fields are those of Perfetto's
//! schema.

use std::collections::HashMap;
use std::time::Duration;

use crate::error::TraceError;
use crate::read::columns::Columns;
use crate::read::protobuf::{Broken, Fields, Value, bytes, number, values};
use crate::read::reorder_buffer::Ordered;
use crate::read::row::Row;

/// The byte before each packet: field 1 of the message `Trace`, with a length.
const PACKET: u8 = 1 << 3 | 2;

/// The first bytes of a packet, of which some are in no text: the numbers of fields.
const ENOUGH: usize = 16;

/// Clocks with at least this id count from the previous packet, so their times alone are meaningless.
const FIRST_SEQUENCE_CLOCK: u64 = 64;

const PRESENT_UNKNOWN: [u64; 2] = [0, 5];
const PRESENT_DROPPED: u64 = 4;

/// Whether a file that begins with these bytes is a Perfetto trace; `None` if more bytes are needed to decide. A text may begin with an
/// empty line, which is the same byte as the one before a packet.
pub(crate) fn begins(bytes: &[u8], is_at_end: bool) -> Option<bool> {
    let is_of_no_text = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    match bytes.first() {
        Some(&PACKET) if bytes.len() >= ENOUGH || is_at_end => Some(bytes.iter().take(ENOUGH).any(is_of_no_text)),
        Some(&PACKET) => None,
        None if !is_at_end => None,
        _ => Some(false),
    }
}

/// Reads a trace. A frame is displayed at the end of the display frame that contains it; if the trace has no display frames, at its own
/// end.
pub(crate) fn read(trace: &[u8], file: &str, ordered: &mut Ordered<'_>) -> Result<(), TraceError> {
    ordered.begin(Columns::of_presented_instants());
    let (mut timeline, mut rest, mut packets) = (Timeline::default(), Fields(trace), 0);
    while !rest.0.is_empty() {
        let at = trace.len() - rest.0.len();
        packets += 1;
        let field = rest.field().inspect_err(|_| rest.0 = &[]);
        let packet = match field {
            Ok((1, Value::Bytes(packet))) => timeline.read(packet, ordered),
            Ok(_) => Err("no packet begins here"),
            Err(Broken::Ends) => Err("the file ends within this packet"),
            Err(Broken::Malformed(reason)) => Err(reason),
        };
        if let Err(reason) = packet {
            ordered.refuse(packets, &format!("packet at byte {at}"), reason.to_owned())?;
        }
    }
    if timeline.surfaces == 0 {
        return Err(TraceError::NotATrace {
            file: file.to_owned(),
            line: packets.max(1),
            reason: format!(
                "it is a Perfetto trace, and none of its packets, {packets}, is of Android's FrameTimeline, which the data source \
                 android.surfaceflinger.frametimeline records since Android 12"
            ),
        });
    }
    timeline.finish(ordered);
    Ok(())
}

/// A frame of a layer, from its `ActualSurfaceFrameStart` on.
struct Frame {
    chain: usize,
    start: u64,
    end: u64,
    display_token: u64,
    present_type: u64,
}

/// The frames of a trace.
#[derive(Default)]
struct Timeline {
    /// The name of each process, as known at its first frame, because a later name would split its chains.
    processes: HashMap<u64, String>,
    /// Frames of layers, and the tokens of frames of the display, that have begun, by the cookie of the event that ends them.
    begun: HashMap<u64, Frame>,
    begun_displays: HashMap<u64, u64>,
    /// The time at which each display frame ended, by token.
    displayed: HashMap<u64, u64>,
    ended: Vec<Frame>,
    /// The time of the first event.
    origin: Option<u64>,
    surfaces: u64,
}

impl Timeline {
    /// Reads a packet. The error says why the packet is invalid.
    fn read(&mut self, packet: &[u8], ordered: &mut Ordered<'_>) -> Result<(), &'static str> {
        let [tree, time, compressed, clock, track, event] = values(packet, [2, 8, 50, 58, 60, 76])?;
        if compressed.is_some() {
            return Err("it is compressed; write the trace again with `traceconv decompress_packets`");
        }
        self.name_processes(bytes(tree))?;
        self.name_process_of_track(bytes(track))?;
        let event = bytes(event);
        if event.is_empty() {
            return Ok(());
        }
        let Some(Value::Number(time)) = time else {
            return Err("a frame's event has no timestamp");
        };
        if number(clock) >= FIRST_SEQUENCE_CLOCK {
            return Err("a frame's timestamp is of a clock that counts from the previous packet");
        }
        self.origin.get_or_insert(time);
        let [display, surface, end] = values(event, [2, 4, 5])?;
        if display.is_some() {
            let [cookie, token] = values(bytes(display), [1, 2])?;
            self.begun_displays.insert(number(cookie), number(token));
        }
        if surface.is_some() {
            self.begin_surface(bytes(surface), time, ordered)?;
        }
        if end.is_some() {
            let [cookie] = values(bytes(end), [1])?;
            self.end(number(cookie), time);
        }
        Ok(())
    }

    /// Reads a `ProcessTree`.
    fn name_processes(&mut self, tree: &[u8]) -> Result<(), &'static str> {
        for field in Fields(tree) {
            if let (1, Value::Bytes(process)) = field? {
                // The first argument is the program.
                let [pid, argument] = values(process, [1, 3])?;
                self.name_process(number(pid), bytes(argument));
            }
        }
        Ok(())
    }

    /// Reads a `TrackDescriptor`.
    fn name_process_of_track(&mut self, track: &[u8]) -> Result<(), &'static str> {
        let [process] = values(track, [3])?;
        let [pid, name] = values(bytes(process), [1, 6])?;
        self.name_process(number(pid), bytes(name));
        Ok(())
    }

    fn name_process(&mut self, pid: u64, name: &[u8]) {
        if !name.is_empty() {
            let name = String::from_utf8_lossy(name);
            self.processes.entry(pid).or_insert_with(|| name.into_owned());
        }
    }

    fn begin_surface(&mut self, start: &[u8], time: u64, ordered: &mut Ordered<'_>) -> Result<(), &'static str> {
        let [cookie, display_token, pid, layer, present_type, is_buffer] = values(start, [1, 3, 4, 5, 6, 11])?;
        // A change of a layer without a new buffer is not a frame.
        if is_buffer == Some(Value::Number(0)) {
            return Ok(());
        }
        let (pid, layer) = (number(pid), bytes(layer));
        let application = self.processes.entry(pid).or_insert_with(|| package(layer));
        let names = [application.as_bytes(), &pid.to_string().into_bytes(), layer];
        let frame = Frame {
            chain: ordered.chain_index(names),
            start: time,
            end: time,
            display_token: number(display_token),
            present_type: number(present_type),
        };
        self.surfaces += 1;
        self.begun.insert(number(cookie), frame);
        Ok(())
    }

    /// Ends the frame with this cookie. The end of an expected frame has no entry and is ignored.
    fn end(&mut self, cookie: u64, time: u64) {
        if let Some(token) = self.begun_displays.remove(&cookie) {
            self.displayed.insert(token, time);
        }
        if let Some(frame) = self.begun.remove(&cookie) {
            self.ended.push(Frame { end: time, ..frame });
        }
    }

    /// The row of a frame that has ended.
    fn row(&self, frame: &Frame) -> Row {
        let origin = self.origin.unwrap_or_default();
        // Differences between times since one boot fit into 63 bits.
        let milliseconds = |time: u64| time.wrapping_sub(origin).cast_signed() as f64 * 1e-6;
        let is_of_display = !self.displayed.is_empty();
        let displayed = match frame.present_type {
            PRESENT_DROPPED => None,
            _ if is_of_display => self.displayed.get(&frame.display_token).copied(),
            known if PRESENT_UNKNOWN.contains(&known) => None,
            _ => Some(frame.end),
        };
        // A frame of Android's ends when its buffer was complete and queued.
        let presented = match is_of_display {
            true => Some(frame.end),
            false => displayed.map(|_| frame.start),
        };
        let until_displayed = displayed
            .zip(presented)
            .map(|(at, since)| milliseconds(at) - milliseconds(since));
        let started = Some(frame.start).filter(|start| presented.is_some_and(|presented| *start < presented));
        Row {
            time: presented.map(milliseconds).into(),
            start: started.map(milliseconds).into(),
            until_displayed: until_displayed.filter(|time| *time > 0.0).into(),
            ..Row::at(Duration::from_nanos(frame.start))
        }
    }

    /// Passes all frames to the sink.
    fn finish(mut self, ordered: &mut Ordered<'_>) {
        self.ended.sort_by_key(|frame| frame.start);
        for frame in &self.ended {
            ordered.push_to(frame.chain, self.row(frame));
        }
        if !self.begun.is_empty() {
            ordered.warn(format!(
                "{} frames have no end in the trace and are left out",
                self.begun.len()
            ));
        }
    }
}

/// The application in the name of an Android layer: `TX - com.example.game/com.example.game.Main#7`,
/// `SurfaceView[com.example.game/…](BLAST)#9`.
fn package(layer: &[u8]) -> String {
    let layer = String::from_utf8_lossy(layer);
    let layer = layer.strip_prefix("TX - ").unwrap_or(&layer);
    let layer = layer.strip_prefix("SurfaceView[").unwrap_or(layer);
    layer
        .split_once('/')
        .map_or_else(String::new, |(package, _)| package.to_owned())
}
