//! Perfetto's traces: the frames of Android's FrameTimeline, each from the start of its work to its display.
//!
//! A trace is a sequence of packets, each with its length, in protobuf's encoding. Names and numbers of fields are from Perfetto's
//! schema.

use std::collections::HashMap;
use std::time::Duration;

use crate::error::TraceError;
use crate::read::columns::Columns;
use crate::read::frame_builder::Rows;
use crate::read::present::{LateBy, Present};
use crate::read::protobuf::{DecodeError, Fields, Value, bytes, numbers};
use crate::read::row::Row;

/// The byte before each packet: field 1 of the message `Trace`, with a length.
const PACKET: u8 = 1 << 3 | 2;

/// The number of first bytes of a packet that distinguish it from text: the numbers of fields are not characters.
const ENOUGH: usize = 16;

/// Clocks with at least this id count from the previous packet, so their times alone are meaningless.
const FIRST_SEQUENCE_CLOCK: u64 = 64;

const PRESENT_UNKNOWN: [u64; 2] = [0, 5];
const PRESENT_DROPPED: u64 = 4;

/// Android's `JankType` of a frame on time.
const JANK_NONE: u64 = 1;

/// The bits of Android's `JankType`, and what each says made a frame late.
const JANK: [(u64, LateBy); 3] = [
    (1 << 6, LateBy::Program),
    // SurfaceFlinger's schedule, its work on the processor and the graphics card, and what is queued before it; the display's driver.
    (1 << 1 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 9, LateBy::Compositor),
    // A buffer that waited behind another, a wrong prediction, and what Android does not know.
    (1 << 2 | 1 << 7 | 1 << 8, LateBy::Queue),
];

/// This many short frames without one are a pause. Most frames of a program that waits for its user may be far apart, so a short frame
/// is the first decile.
const PAUSE: f64 = 1.5;

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
pub(crate) fn read(trace: &[u8], file: &str, rows: &mut Rows<'_>) -> Result<(), TraceError> {
    rows.begin(Columns::of_presented_instants());
    let (mut timeline, mut rest, mut packets) = (Timeline::default(), Fields(trace), 0);
    while !rest.0.is_empty() {
        let at = trace.len() - rest.0.len();
        packets += 1;
        let field = rest.field().inspect_err(|_| rest.0 = &[]);
        let packet = match field {
            Ok((1, Value::Bytes(packet))) => timeline.read(packet, rows),
            Ok(_) => Err("no packet begins here"),
            Err(DecodeError::Ends) => Err("the file ends within this packet"),
            Err(DecodeError::Malformed(reason)) => Err(reason),
        };
        if let Err(reason) = packet {
            rows.refuse(packets, &format!("packet at byte {at}"), reason.to_owned())?;
        }
    }
    if timeline.surfaces == 0 {
        let reason = format!(
            "it is a Perfetto trace, and none of its packets, {packets}, is of Android's FrameTimeline, which the data source \
             android.surfaceflinger.frametimeline records since Android 12"
        );
        return Err(TraceError::not_a_trace(file, packets.max(1), reason));
    }
    timeline.finish(rows);
    Ok(())
}

/// A frame of a layer, from its `ActualSurfaceFrameStart` on.
struct Frame {
    chain: usize,
    process: u64,
    start: u64,
    end: u64,
    token: u64,
    display_token: u64,
    present_type: u64,
    jank: u64,
    is_after_pause: bool,
}

/// When a frame was expected to start and to be ready.
struct Expected {
    token: (u64, u64),
    start: u64,
    end: u64,
}

/// The frames of a trace.
#[derive(Default)]
struct Timeline {
    /// The name of each process, as known at its first frame, because a later name would split its chains.
    processes: HashMap<u64, String>,
    /// Frames of layers, and the tokens of frames of the display, that have begun, by the cookie of the event that ends them.
    open: HashMap<u64, Frame>,
    open_displays: HashMap<u64, u64>,
    open_expected: HashMap<u64, Expected>,
    /// The expected frames that ended, by process and token.
    expected: HashMap<(u64, u64), Expected>,
    /// The time at which each display frame ended, by token.
    displayed: HashMap<u64, u64>,
    ended: Vec<Frame>,
    /// The time of the first event.
    origin: Option<u64>,
    surfaces: u64,
}

impl Timeline {
    /// Reads a packet. The error says why the packet is invalid.
    fn read(&mut self, packet: &[u8], rows: &mut Rows<'_>) -> Result<(), &'static str> {
        let [tree, compressed, track, event] = bytes(packet, [2, 50, 60, 76])?;
        let [time, clock] = numbers(packet, [8, 58])?;
        if compressed.is_some() {
            return Err("it is compressed; write the trace again with `traceconv decompress_packets`");
        }
        self.name_processes(tree.unwrap_or_default())?;
        self.name_process_of_track(track.unwrap_or_default())?;
        let Some(event) = event else { return Ok(()) };
        let time = time.ok_or("a frame's event has no timestamp")?;
        if clock.is_some_and(|clock| clock >= FIRST_SEQUENCE_CLOCK) {
            return Err("a frame's timestamp is of a clock that counts from the previous packet");
        }
        self.origin.get_or_insert(time);
        let [display, expected, surface, end] = bytes(event, [2, 3, 4, 5])?;
        if let Some(display) = display {
            let [cookie, token] = numbers(display, [1, 2])?.map(Option::unwrap_or_default);
            self.open_displays.insert(cookie, token);
        }
        if let Some(expected) = expected {
            let [cookie, token, process] = numbers(expected, [1, 2, 4])?.map(Option::unwrap_or_default);
            let (token, start, end) = ((process, token), time, time);
            self.open_expected.insert(cookie, Expected { token, start, end });
        }
        if let Some(surface) = surface {
            self.begin_surface(surface, time, rows)?;
        }
        if let Some(end) = end {
            let [cookie] = numbers(end, [1])?.map(Option::unwrap_or_default);
            self.end(cookie, time);
        }
        Ok(())
    }

    /// Reads a `ProcessTree`.
    fn name_processes(&mut self, tree: &[u8]) -> Result<(), &'static str> {
        for field in Fields(tree) {
            if let (1, Value::Bytes(process)) = field? {
                let [pid] = numbers(process, [1])?.map(Option::unwrap_or_default);
                // The first argument is the program.
                let program = Fields(process).flatten().find_map(|field| match field {
                    (3, Value::Bytes(argument)) => Some(argument),
                    _ => None,
                });
                self.name_process(pid, program.unwrap_or_default());
            }
        }
        Ok(())
    }

    /// Reads a `TrackDescriptor`.
    fn name_process_of_track(&mut self, track: &[u8]) -> Result<(), &'static str> {
        let [process] = bytes(track, [3])?.map(Option::unwrap_or_default);
        let [pid] = numbers(process, [1])?.map(Option::unwrap_or_default);
        let [name] = bytes(process, [6])?.map(Option::unwrap_or_default);
        self.name_process(pid, name);
        Ok(())
    }

    fn name_process(&mut self, pid: u64, name: &[u8]) {
        if !name.is_empty() {
            let name = String::from_utf8_lossy(name);
            self.processes.entry(pid).or_insert_with(|| name.into_owned());
        }
    }

    fn begin_surface(&mut self, start: &[u8], time: u64, rows: &mut Rows<'_>) -> Result<(), &'static str> {
        let [cookie, token, display_token, pid, present_type, jank] =
            numbers(start, [1, 2, 3, 4, 6, 9])?.map(Option::unwrap_or_default);
        // A change of a layer without a new buffer is not a frame.
        if numbers(start, [11])? == [Some(0)] {
            return Ok(());
        }
        let [layer] = bytes(start, [5])?.map(Option::unwrap_or_default);
        let application = self.processes.entry(pid).or_insert_with(|| package(layer));
        let names = [application.as_bytes(), &pid.to_string().into_bytes(), layer];
        let frame = Frame {
            chain: rows.chain_index(names),
            process: pid,
            start: time,
            end: time,
            token,
            display_token,
            present_type,
            jank,
            is_after_pause: false,
        };
        self.surfaces += 1;
        self.open.insert(cookie, frame);
        Ok(())
    }

    /// Ends the frame with this cookie.
    fn end(&mut self, cookie: u64, time: u64) {
        if let Some(expected) = self.open_expected.remove(&cookie) {
            self.expected.insert(expected.token, Expected { end: time, ..expected });
        }
        if let Some(token) = self.open_displays.remove(&cookie) {
            self.displayed.insert(token, time);
        }
        if let Some(frame) = self.open.remove(&cookie) {
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
        let late_by = JANK.into_iter().find(|(bits, _)| frame.jank & bits != 0);
        let present = Present {
            is_after_pause: frame.is_after_pause,
            late_by: late_by.map(|(_, late_by)| late_by),
            ..Present::default()
        };
        Row {
            present,
            time: presented.map(milliseconds),
            start: started.map(milliseconds),
            until_displayed: until_displayed.filter(|time| *time > 0.0),
            ..Row::at(Duration::from_nanos(frame.start))
        }
    }

    /// Marks the frames before which nothing was to be drawn: those that Android expected only after the frame before was ready and
    /// could have been followed by another; where it states no expectation, those on time after a gap.
    fn find_pauses(&mut self) {
        let mut chains: HashMap<usize, Vec<usize>> = HashMap::new();
        for (index, frame) in self.ended.iter().enumerate() {
            chains.entry(frame.chain).or_default().push(index);
        }
        for chain in chains.into_values() {
            let at = |index: usize| &self.ended[index];
            let expected = |frame: &Frame| self.expected.get(&(frame.process, frame.token));
            let steps = chain.windows(2).map(|pair| at(pair[1]).start - at(pair[0]).start);
            let mut steps: Vec<u64> = steps.collect();
            steps.sort_unstable();
            let tenth_percentile = steps.get(steps.len() / 10).copied().unwrap_or_default() as f64;
            let is_pause = |pair: &&[usize]| {
                let (before, frame) = (at(pair[0]), at(pair[1]));
                let ready = expected(before).map_or(before.end, |expected| expected.end.max(before.end));
                let begin = match expected(frame) {
                    Some(expected) => expected.start,
                    None if frame.jank == JANK_NONE => frame.start,
                    None => return false,
                };
                begin.saturating_sub(ready) as f64 > PAUSE * tenth_percentile
            };
            let after_pauses: Vec<usize> = chain.windows(2).filter(is_pause).map(|pair| pair[1]).collect();
            after_pauses
                .into_iter()
                .for_each(|index| self.ended[index].is_after_pause = true);
        }
    }

    /// Passes all frames to the sink.
    fn finish(mut self, rows: &mut Rows<'_>) {
        self.ended.sort_by_key(|frame| frame.start);
        self.find_pauses();
        for frame in &self.ended {
            rows.push_to(frame.chain, self.row(frame));
        }
        if !self.open.is_empty() {
            rows.warn(format!(
                "{} frames have no end in the trace and are left out",
                self.open.len()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_frames_of_the_display_a_frame_is_displayed_when_it_ends_unless_it_was_dropped_or_nothing_is_known() {
        for (present_type, is_displayed) in [(0, false), (1, true), (2, true), (3, true), (4, false), (5, false)] {
            let frame = Frame {
                chain: 0,
                process: 0,
                start: 2_000_000,
                end: 9_000_000,
                token: 0,
                display_token: 0,
                present_type,
                jank: 0,
                is_after_pause: false,
            };
            let row = Timeline::default().row(&frame);
            let times = is_displayed.then_some((2.0, 7.0));
            assert_eq!(row.time.zip(row.until_displayed), times, "{present_type}");
        }
    }
}
