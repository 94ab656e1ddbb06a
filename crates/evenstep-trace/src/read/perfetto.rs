//! Perfetto's traces: the frames of Android's FrameTimeline, each from the start of its work to its display.
//!
//! A trace is a sequence of packets, each with its length, in protobuf's encoding. Names and numbers of fields are those of Perfetto's
//! schema. One packet at a time is in memory, and frames wait in bounded queues for the events that complete them.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::Duration;

use crate::error::TraceError;
use crate::read::protobuf::{Broken, Fields, Value, varint};
use crate::read::reorder_buffer::ReorderBuffer;
use crate::read::row::Row;

/// The byte before each packet: field 1 of the message `Trace`, with a length.
const PACKET: u8 = 1 << 3 | 2;

/// The longest packet that is read, in bytes. Longer packets are skipped: those of frames are short.
const LONGEST_PACKET: u64 = 1 << 20;

/// How many frames may wait for their end event, and how many ended frames may wait for the end of the display frame.
const MOST_WAITING: usize = 4096;
const MOST_ENDED: usize = 512;

/// Clocks with at least this id count from the previous packet, so their times alone are meaningless.
const FIRST_SEQUENCE_CLOCK: u64 = 64;

const PRESENT_UNKNOWN: [u64; 2] = [0, 5];
const PRESENT_DROPPED: u64 = 4;

const JANK_TYPES: [(u64, &str); 15] = [
    (1 << 1, "SurfaceFlinger scheduling"),
    (1 << 2, "prediction error"),
    (1 << 3, "display HAL"),
    (1 << 4, "SurfaceFlinger's CPU deadline missed"),
    (1 << 5, "SurfaceFlinger's GPU deadline missed"),
    (1 << 6, "app deadline missed"),
    (1 << 7, "buffer stuffing"),
    (1 << 8, "unknown"),
    (1 << 9, "SurfaceFlinger stuffing"),
    (1 << 10, "dropped"),
    (1 << 11, "not animating"),
    (1 << 12, "app resynced"),
    (1 << 13, "display off"),
    (1 << 14, "display mode change"),
    (1 << 15, "display power change"),
];

/// Whether a file that begins with these bytes is a Perfetto trace; `None` if more bytes are needed to decide. A text may begin with an
/// empty line, which is the same byte as the one before a packet, but a whole packet does not follow.
pub(crate) fn begins(bytes: &[u8], is_at_end: bool) -> Option<bool> {
    let unknown = if is_at_end { Some(false) } else { None };
    match bytes.first() {
        None => return unknown,
        Some(&PACKET) => {}
        Some(_) => return Some(false),
    }
    let mut rest = &bytes[1..];
    let length = match varint(&mut rest) {
        Ok(length) if length <= LONGEST_PACKET => length as usize,
        Ok(_) | Err(Broken::Malformed(_)) => return Some(false),
        Err(Broken::Ends) => return unknown,
    };
    let Some(packet) = rest.get(..length) else {
        return unknown;
    };
    let is_whole = length > 0 && Fields(packet).all(|field| field.is_ok());
    match rest.get(length) {
        _ if !is_whole => Some(false),
        Some(&next) => Some(next == PACKET),
        None => is_at_end.then_some(true),
    }
}

/// A frame of a layer, from its `ActualSurfaceFrameStart` on.
#[derive(Clone)]
struct Frame {
    chain: usize,
    start: u64,
    end: u64,
    display_token: u64,
    present_type: u64,
}

/// A frame that has begun, which an event with its cookie ends.
#[derive(Clone)]
enum Begun {
    Surface(Frame),
    /// A frame of the display, with its token.
    Display(u64),
}

/// A trace that is being read. A frame is displayed at the end of the display frame that contains it; if the trace has no display frames,
/// at its own end.
#[derive(Clone, Default)]
pub(crate) struct Perfetto {
    /// The bytes of the next packet so far, and where they begin in the file.
    bytes: Vec<u8>,
    at: u64,
    /// How many bytes of a packet that is too long to be a frame's are still to be passed over, and where it begins.
    passing: u64,
    passed_packet: u64,
    packets: u64,
    /// Whether the rest of the file is not a sequence of packets.
    is_broken: bool,
    timeline: Timeline,
}

impl Perfetto {
    /// Reads the next bytes.
    pub(crate) fn push(
        &mut self,
        bytes: &[u8],
        is_at_end: bool,
        ordered: &mut ReorderBuffer,
    ) -> Result<(), TraceError> {
        self.bytes.extend_from_slice(bytes);
        let all = std::mem::take(&mut self.bytes);
        let mut rest = all.as_slice();
        while !self.is_broken && !rest.is_empty() {
            if self.passing > 0 {
                let passed = rest.len().min(usize::try_from(self.passing).unwrap_or(usize::MAX));
                self.passing -= passed as u64;
                rest = self.pass(rest, passed);
                continue;
            }
            let (packet, end) = match packet(rest) {
                Ok(Packet::Whole(header, length)) => (Ok(&rest[header..header + length]), header + length),
                Ok(Packet::Long(header, length)) => {
                    (self.passing, self.passed_packet) = (length, self.at);
                    self.packets += 1;
                    rest = self.pass(rest, header);
                    continue;
                }
                Ok(Packet::Partial) if !is_at_end => break,
                Ok(Packet::Partial) => (Err(ENDS), rest.len()),
                Err(reason) => (Err(reason), rest.len()),
            };
            self.packets += 1;
            self.is_broken = packet.is_err();
            if let Err(reason) = packet.and_then(|packet| self.timeline.read(packet, ordered)) {
                let field = format!("packet at byte {}", self.at);
                ordered.refuse(self.packets, &field, reason.to_owned())?;
            }
            rest = self.pass(rest, end);
        }
        if is_at_end && self.passing > 0 {
            let field = format!("packet at byte {}", self.passed_packet);
            ordered.refuse(self.packets, &field, ENDS.to_owned())?;
        }
        self.bytes = if self.is_broken { Vec::new() } else { rest.to_vec() };
        Ok(())
    }

    /// The bytes after the first ones.
    fn pass<'b>(&mut self, bytes: &'b [u8], count: usize) -> &'b [u8] {
        self.at += count as u64;
        &bytes[count..]
    }

    /// Passes on all remaining frames.
    pub(crate) fn finish(self, file: &str, ordered: &mut ReorderBuffer) -> Result<(), TraceError> {
        if self.timeline.surfaces == 0 {
            return Err(TraceError::NotATrace {
                file: file.to_owned(),
                line: self.packets.max(1),
                reason: format!(
                    "it is a Perfetto trace, and none of its packets, {}, is of Android's FrameTimeline, which the data source \
                     android.surfaceflinger.frametimeline records since Android 12",
                    self.packets
                ),
            });
        }
        self.timeline.finish(ordered);
        Ok(())
    }
}

/// Why the last packet of a file cannot be read.
const ENDS: &str = "the file ends within this packet";

/// The beginning of some bytes.
enum Packet {
    /// A packet, with the lengths of what precedes it and of itself.
    Whole(usize, usize),
    /// A packet that is too long to be a frame's.
    Long(usize, u64),
    /// More bytes are needed.
    Partial,
}

/// Finds the packet at the beginning of bytes, or says why the rest of the file is not a sequence of packets.
fn packet(bytes: &[u8]) -> Result<Packet, &'static str> {
    let Some((&PACKET, mut rest)) = bytes.split_first() else {
        return Err("no packet begins here; the rest of the file cannot be read");
    };
    match varint(&mut rest) {
        Err(Broken::Malformed(reason)) => Err(reason),
        Err(Broken::Ends) => Ok(Packet::Partial),
        Ok(length) => Ok({
            let header = bytes.len() - rest.len();
            match usize::try_from(length) {
                Ok(length) if length as u64 <= LONGEST_PACKET && length <= rest.len() => Packet::Whole(header, length),
                Ok(length) if length as u64 <= LONGEST_PACKET => Packet::Partial,
                _ => Packet::Long(header, length),
            }
        }),
    }
}

/// The frames of a trace that is being read.
#[derive(Clone, Default)]
struct Timeline {
    /// The name of each process, as known at its first frame, because a later name would split its chains.
    processes: HashMap<u64, String>,
    /// Frames that have begun, by cookie. Cookies increase.
    begun: BTreeMap<u64, Begun>,
    /// The time at which each display frame ended, by token. Tokens increase.
    displayed: BTreeMap<u64, u64>,
    ended: VecDeque<Frame>,
    /// The time of the first event.
    origin: Option<u64>,
    surfaces: u64,
    /// The number of frames with each of the [`JANK_TYPES`], and the number with any of them.
    janks: [u64; JANK_TYPES.len()],
    janky: u64,
    endless: u64,
}

impl Timeline {
    /// Reads a packet. The error says why the packet is invalid.
    fn read(&mut self, packet: &[u8], ordered: &mut ReorderBuffer) -> Result<(), &'static str> {
        let (mut time, mut clock, mut event) = (None, 0, None);
        for field in Fields(packet) {
            match field? {
                (2, Value::Bytes(tree)) => self.name_processes(tree)?,
                (8, Value::Number(nanos)) => time = Some(nanos),
                (50, Value::Bytes(_)) => {
                    return Err("it is compressed; write the trace again with `traceconv decompress_packets`");
                }
                (58, Value::Number(id)) => clock = id,
                (60, Value::Bytes(track)) => self.name_process_of_track(track)?,
                (76, Value::Bytes(frame)) => event = Some(frame),
                _ => {}
            }
        }
        let Some(event) = event else { return Ok(()) };
        let time = time.ok_or("a frame's event has no timestamp")?;
        if clock >= FIRST_SEQUENCE_CLOCK {
            return Err("a frame's timestamp is of a clock that counts from the previous packet");
        }
        self.origin.get_or_insert(time);
        for field in Fields(event) {
            match field? {
                (2, Value::Bytes(start)) => {
                    let (mut cookie, mut token) = (0, 0);
                    for field in Fields(start) {
                        match field? {
                            (1, Value::Number(number)) => cookie = number,
                            (2, Value::Number(number)) => token = number,
                            _ => {}
                        }
                    }
                    self.begin(cookie, Begun::Display(token));
                }
                (4, Value::Bytes(start)) => self.begin_surface(start, time, ordered)?,
                (5, Value::Bytes(end)) => {
                    for field in Fields(end) {
                        if let (1, Value::Number(cookie)) = field? {
                            self.end(cookie, time, ordered);
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads a `ProcessTree`.
    fn name_processes(&mut self, tree: &[u8]) -> Result<(), &'static str> {
        for field in Fields(tree) {
            if let (1, Value::Bytes(process)) = field? {
                let (mut pid, mut name) = (0, None);
                for field in Fields(process) {
                    match field? {
                        (1, Value::Number(number)) => pid = number,
                        // The first argument is the program.
                        (3, Value::Bytes(argument)) => name = name.or(Some(argument)),
                        _ => {}
                    }
                }
                self.name_process(pid, name.unwrap_or_default());
            }
        }
        Ok(())
    }

    /// Reads a `TrackDescriptor`.
    fn name_process_of_track(&mut self, track: &[u8]) -> Result<(), &'static str> {
        for field in Fields(track) {
            if let (3, Value::Bytes(process)) = field? {
                let (mut pid, mut name) = (0, &[][..]);
                for field in Fields(process) {
                    match field? {
                        (1, Value::Number(number)) => pid = number,
                        (6, Value::Bytes(text)) => name = text,
                        _ => {}
                    }
                }
                self.name_process(pid, name);
            }
        }
        Ok(())
    }

    fn name_process(&mut self, pid: u64, name: &[u8]) {
        if !name.is_empty() {
            let name = String::from_utf8_lossy(name);
            self.processes.entry(pid).or_insert_with(|| name.into_owned());
        }
    }

    fn begin_surface(&mut self, start: &[u8], time: u64, ordered: &mut ReorderBuffer) -> Result<(), &'static str> {
        let (mut cookie, mut pid, mut layer, mut jank, mut is_buffer) = (0, 0, &[][..], 0, true);
        let (mut display_token, mut present_type) = (0, 0);
        for field in Fields(start) {
            match field? {
                (1, Value::Number(number)) => cookie = number,
                (3, Value::Number(number)) => display_token = number,
                (4, Value::Number(number)) => pid = number,
                (5, Value::Bytes(name)) => layer = name,
                (6, Value::Number(number)) => present_type = number,
                (9, Value::Number(bits)) => jank = bits,
                (11, Value::Number(number)) => is_buffer = number != 0,
                _ => {}
            }
        }
        // A change of a layer without a new buffer is not a frame.
        if !is_buffer {
            return Ok(());
        }
        let application = self.processes.entry(pid).or_insert_with(|| package(layer));
        let names = [application.as_bytes(), &pid.to_string().into_bytes(), layer];
        let frame = Frame {
            chain: ordered.chain_index(names),
            start: time,
            end: time,
            display_token,
            present_type,
        };
        self.surfaces += 1;
        let mut is_janky = false;
        for (count, (bit, _)) in self.janks.iter_mut().zip(JANK_TYPES) {
            *count += u64::from(jank & bit != 0);
            is_janky |= jank & bit != 0;
        }
        self.janky += u64::from(is_janky);
        self.begin(cookie, Begun::Surface(frame));
        Ok(())
    }

    fn begin(&mut self, cookie: u64, begun: Begun) {
        let lost = insert_bounded(&mut self.begun, cookie, begun);
        self.endless += u64::from(matches!(lost, Some(Begun::Surface(_))));
    }

    /// Ends the frame with this cookie. The end of an expected frame has no entry and is ignored.
    fn end(&mut self, cookie: u64, time: u64, ordered: &mut ReorderBuffer) {
        match self.begun.remove(&cookie) {
            Some(Begun::Display(token)) => {
                insert_bounded(&mut self.displayed, token, time);
            }
            Some(Begun::Surface(frame)) => {
                self.ended.push_back(Frame { end: time, ..frame });
                if self.ended.len() > MOST_ENDED {
                    self.emit(ordered);
                }
            }
            None => {}
        }
    }

    /// Passes the frame that ended first to the sink.
    fn emit(&mut self, ordered: &mut ReorderBuffer) {
        let Some(frame) = self.ended.pop_front() else { return };
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
        let row = Row {
            time: presented.map(milliseconds).into(),
            start: started.map(milliseconds).into(),
            until_displayed: until_displayed.filter(|time| *time > 0.0).into(),
            ..Row::at(Duration::from_nanos(frame.start))
        };
        ordered.push_to(frame.chain, row);
    }

    /// Passes all remaining frames to the sink.
    fn finish(mut self, ordered: &mut ReorderBuffer) {
        while !self.ended.is_empty() {
            self.emit(ordered);
        }
        let begun = self.begun.values();
        let endless = self.endless + begun.filter(|begun| matches!(begun, Begun::Surface(_))).count() as u64;
        if endless > 0 {
            ordered.warn(format!("{endless} frames have no end in the trace and are left out"));
        }
        if self.janky > 0 {
            let mut kinds: Vec<_> = self
                .janks
                .into_iter()
                .zip(JANK_TYPES)
                .filter(|(count, _)| *count > 0)
                .collect();
            kinds.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
            let kinds: Vec<String> = kinds
                .iter()
                .map(|(count, (_, name))| format!("{count} {name}"))
                .collect();
            ordered.warn(format!(
                "the trace itself calls {} of {} frames janky: {}",
                self.janky,
                self.surfaces,
                kinds.join(", ")
            ));
        }
    }
}

/// Inserts a value. If the map then has too many values, removes and returns the one with the lowest key; otherwise returns the value that
/// was replaced.
fn insert_bounded<V>(map: &mut BTreeMap<u64, V>, key: u64, value: V) -> Option<V> {
    let before = map.insert(key, value);
    if map.len() > MOST_WAITING {
        return map.pop_first().map(|(_, lost)| lost);
    }
    before
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
