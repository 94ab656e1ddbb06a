//! Writes a recording as a trace for Perfetto's viewer: frame timelines as in Android's FrameTimeline, counters and hitches.
//!
//! Only the needed messages of Perfetto's schema are written, with its names and numbers.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Write};
use std::ops::Range;

use evenstep_trace::{MeasuredFrame, Present, SwapChainName};

use super::protobuf::{self, Message};

/// The types of a `TrackEvent`.
const SLICE_BEGIN: i32 = 1;
const SLICE_END: i32 = 2;
const INSTANT: i32 = 3;
const COUNTER: i32 = 4;

/// How a frame was presented, and its kind of jank.
#[derive(Clone, Copy)]
struct Verdict {
    present_type: i32,
    jank_type: i32,
}

const ON_TIME: Verdict = Verdict {
    present_type: 1,
    jank_type: 1,
};
/// The jank type is the application's missed deadline, although a recording does not say who missed it.
const LATE: Verdict = Verdict {
    present_type: 2,
    jank_type: 64,
};
/// A frame of which only the frame time is known.
const UNKNOWN: Verdict = Verdict {
    present_type: 5,
    jank_type: 0,
};
const DROPPED: Verdict = Verdict {
    present_type: 4,
    jank_type: 1024,
};

/// The prediction types `PREDICTION_VALID` and `PREDICTION_UNKNOWN`.
const PREDICTED: i32 = 1;
const NOT_PREDICTED: i32 = 3;

/// Added to all times, in milliseconds. A recording begins near zero, and work on its first frame may have begun before that.
const START_MS: f64 = 10_000.0;

/// The number of newest intervals whose median predicts the next frame.
const RECENT: usize = 31;

/// A frame is late if it is displayed more than this many medians after the previous frame.
const LATE_BEYOND: f64 = 1.5;

/// A late frame is a hitch if it exceeds the limit above by more than this, in milliseconds, as in the analysis.
const HITCH_BEYOND_MS: f64 = 7.5;

/// The tracks of a chain, as offsets from its first track number, which is the track of its process.
const FRAME_TIME: u64 = 1;
const ANIMATION_ERROR: u64 = 2;
const PRESENTS: u64 = 3;
const STEPS: u64 = 4;
const TICKS: u64 = 5;
const TRACKS: u64 = 6;

/// The number of bytes that are written at once.
const BLOCK: usize = 1 << 16;

/// Writes a trace frame by frame. Memory is bounded by the number of swap chains.
pub(crate) struct PerfettoWriter<W: Write> {
    packets: Packets<W>,
    chains: BTreeMap<SwapChainName, Chain>,
}

/// The packets of a trace.
struct Packets<W> {
    output: W,
    /// The bytes that are not written yet.
    bytes: Vec<u8>,
    has_begun: bool,
    /// The cookie of the newest frame on a timeline.
    cookie: i64,
}

struct Chain {
    pid: i32,
    layer: String,
    /// The first track number of the chain.
    tracks: u64,
    displayed: Option<f64>,
    /// The newest intervals, ordered by time and ordered by length.
    recent: VecDeque<f64>,
    sorted: Vec<f64>,
    /// The sum of the frame times, for recordings without any other clock.
    elapsed: f64,
    /// The number of steps so far; `None` before the first frame with a number of steps.
    ticks: Option<u64>,
}

impl<W: Write> PerfettoWriter<W> {
    pub(crate) fn new(output: W) -> Self {
        Self {
            packets: Packets {
                output,
                bytes: Vec::with_capacity(2 * BLOCK),
                has_begun: false,
                cookie: 0,
            },
            chains: BTreeMap::new(),
        }
    }

    /// Writes a frame.
    pub(crate) fn write(&mut self, name: &SwapChainName, frame: &MeasuredFrame) -> io::Result<()> {
        if let Some(chain) = self.chains.get_mut(name) {
            chain.write(&mut self.packets, frame);
        } else {
            let mut chain = Chain::begin(&mut self.packets, name, self.chains.len());
            chain.write(&mut self.packets, frame);
            self.chains.insert(name.clone(), chain);
        }
        if self.packets.bytes.len() >= BLOCK {
            self.packets.write()?;
        }
        Ok(())
    }

    /// Writes the remaining bytes.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.packets.write()?;
        self.packets.output.flush()
    }
}

impl Chain {
    /// Describes the tracks of a swap chain.
    fn begin<W: Write>(packets: &mut Packets<W>, name: &SwapChainName, number: usize) -> Self {
        let pid = name.process.parse().unwrap_or(number as i32 + 1);
        let tracks = TRACKS * number as u64 + 1;
        let application = if name.application.is_empty() {
            "recording"
        } else {
            &name.application
        };
        packets.track(tracks, |track| {
            track.message(3, |process| {
                process.signed(1, pid);
                process.text(6, application);
            });
        });
        packets.counter_track(tracks, FRAME_TIME, "frame time", "ms");
        packets.counter_track(tracks, ANIMATION_ERROR, "animation error", "ms");
        packets.slice_track(tracks, PRESENTS, "presents");
        Self {
            pid,
            // Without a process name, the rest of the chain's name.
            layer: match name.swap_chain.as_str() {
                "" => name.to_string(),
                swap_chain => swap_chain.to_owned(),
            },
            tracks,
            displayed: None,
            recent: VecDeque::new(),
            sorted: Vec::new(),
            elapsed: 0.0,
            ticks: None,
        }
    }

    fn write<W: Write>(&mut self, packets: &mut Packets<W>, frame: &MeasuredFrame) {
        let delta = frame.delta.map(|delta| delta.as_secs_f64() * 1e3);
        self.elapsed += delta.unwrap_or_default();
        if let Some(delta) = delta {
            let end = frame.present.map_or(self.elapsed, |present| present.presented);
            packets.counter(self.tracks + FRAME_TIME, end, delta);
            if let Some(steps) = frame.steps {
                self.steps(packets, end - delta..end, steps);
            }
            if frame.present.is_none() {
                let token = frame.metrics.row as i64 + 1;
                self.actual(packets, token, UNKNOWN, NOT_PREDICTED, end - delta..end);
            }
        }
        if let Some(present) = &frame.present {
            self.present(packets, present, frame.metrics.animation_error);
        }
    }

    /// Writes the number of steps of a frame, and its ticks as a slice over the time that they simulate.
    fn steps<W: Write>(&mut self, packets: &mut Packets<W>, time: Range<f64>, steps: u64) {
        let (number, ticks) = (self.tracks + STEPS, self.tracks + TICKS);
        let first = self.ticks.unwrap_or_else(|| {
            packets.counter_track(self.tracks, STEPS, "steps", "steps");
            packets.slice_track(self.tracks, TICKS, "ticks");
            0
        });
        let next = first.saturating_add(steps);
        self.ticks = Some(next);
        packets.counter(number, time.end, steps as f64);
        if steps > 0 {
            let name = match steps {
                1 => format!("tick {first}"),
                _ => format!("ticks {first} to {}", next - 1),
            };
            packets.slice(ticks, time, &name);
        }
    }

    fn present<W: Write>(&mut self, packets: &mut Packets<W>, present: &Present, animation_error: Option<f64>) {
        let (presents, token) = (self.tracks + PRESENTS, present.row as i64 + 1);
        packets.present(presents, token, present);
        let change = present.displayed.zip(self.displayed).map(|(now, before)| now - before);
        let median = self.median();
        let late_beyond = median.map(|median| LATE_BEYOND * median);
        let verdict = match (present.displayed, change.zip(late_beyond)) {
            (None, _) => DROPPED,
            (Some(_), Some((change, beyond))) if change > beyond => LATE,
            (Some(_), _) => ON_TIME,
        };
        let start = present.started.unwrap_or(present.presented);
        let expected = self.displayed.zip(median);
        if let Some((before, median)) = expected {
            self.expected(packets, token, start..(before + median).max(start));
        }
        let prediction_type = if expected.is_some() { PREDICTED } else { NOT_PREDICTED };
        let end = present.displayed.unwrap_or(present.presented).max(start);
        self.actual(packets, token, verdict, prediction_type, start..end);
        let Some(now) = present.displayed else {
            packets.event(presents, INSTANT, present.presented, Some("never displayed"));
            return;
        };
        if let (Some(before), Some(change), Some(beyond)) = (self.displayed, change, late_beyond)
            && change > beyond
        {
            let name = if change > beyond + HITCH_BEYOND_MS {
                "hitch"
            } else {
                "missed refresh"
            };
            packets.slice(presents, before..now, name);
        }
        if let Some(error) = animation_error {
            packets.counter(self.tracks + ANIMATION_ERROR, now, error);
        }
        self.show(now);
    }

    /// Writes a frame on the expected timeline, as an `ExpectedSurfaceFrameStart`.
    fn expected<W: Write>(&self, packets: &mut Packets<W>, token: i64, time: Range<f64>) {
        packets.frame(time, 3, |start| self.identify(start, token));
    }

    /// Writes a frame on the actual timeline, as an `ActualSurfaceFrameStart`.
    fn actual<W: Write>(
        &self,
        packets: &mut Packets<W>,
        token: i64,
        verdict: Verdict,
        prediction_type: i32,
        time: Range<f64>,
    ) {
        packets.frame(time, 4, |start| {
            self.identify(start, token);
            start.signed(6, verdict.present_type);
            start.number(7, u64::from(verdict.jank_type == ON_TIME.jank_type));
            start.signed(9, verdict.jank_type);
            start.signed(10, prediction_type);
            // is_buffer: true.
            start.number(11, 1);
        });
    }

    /// Writes the fields that expected and actual frames share: the tokens of the frame and of the display frame, the process and the
    /// layer.
    fn identify(&self, start: &mut Message<'_>, token: i64) {
        start.signed(2, token);
        start.signed(3, token);
        start.signed(4, self.pid);
        start.text(5, &self.layer);
    }

    /// The median of the newest intervals between displayed frames; `None` if there are too few.
    fn median(&self) -> Option<f64> {
        let is_few = self.sorted.len() < RECENT / 2;
        self.sorted.get(self.sorted.len() / 2).copied().filter(|_| !is_few)
    }

    fn show(&mut self, now: f64) {
        if let Some(before) = self.displayed.replace(now) {
            let place = |sorted: &[f64], interval: f64| sorted.partition_point(|one| one.total_cmp(&interval).is_lt());
            if self.recent.len() == RECENT
                && let Some(oldest) = self.recent.pop_front()
            {
                self.sorted.remove(place(&self.sorted, oldest));
            }
            let interval = now - before;
            self.recent.push_back(interval);
            self.sorted.insert(place(&self.sorted, interval), interval);
        }
    }
}

impl<W: Write> Packets<W> {
    /// A `TrackDescriptor`.
    fn track(&mut self, uuid: u64, describe: impl FnOnce(&mut Message<'_>)) {
        self.packet(None, 60, |track| {
            track.number(1, uuid);
            describe(track);
        });
    }

    fn counter_track(&mut self, chain: u64, number: u64, name: &str, unit: &str) {
        self.track(chain + number, |track| {
            track.text(2, name);
            track.number(5, chain);
            track.message(8, |counter| counter.text(6, unit));
        });
    }

    fn slice_track(&mut self, chain: u64, number: u64, name: &str) {
        self.track(chain + number, |track| {
            track.text(2, name);
            track.number(5, chain);
        });
    }

    /// Writes a present. Its arguments hold the values that the timeline lacks, so that the trace can be read as a recording.
    fn present(&mut self, track: u64, token: i64, present: &Present) {
        self.packet(Some(present.presented), 11, |event| {
            event.message(4, |annotation| {
                annotation.signed(4, token);
                annotation.text(10, "frame_token");
            });
            if let Some(time) = present.simulated.filter(|_| present.is_simulated_told) {
                event.message(4, |annotation| {
                    annotation.real(5, time);
                    annotation.text(10, "animation_time_ms");
                });
            }
            event.signed(9, INSTANT);
            event.number(11, track);
            event.text(23, "present");
        });
    }

    fn counter(&mut self, track: u64, time: f64, value: f64) {
        self.packet(Some(time), 11, |event| {
            event.signed(9, COUNTER);
            event.number(11, track);
            event.real(44, value);
        });
    }

    fn slice(&mut self, track: u64, time: Range<f64>, name: &str) {
        self.event(track, SLICE_BEGIN, time.start, Some(name));
        self.event(track, SLICE_END, time.end, None);
    }

    fn event(&mut self, track: u64, kind: i32, time: f64, name: Option<&str>) {
        self.packet(Some(time), 11, |event| {
            event.signed(9, kind);
            event.number(11, track);
            if let Some(name) = name {
                event.text(23, name);
            }
        });
    }

    /// Writes the start and the end of a frame on a timeline, as two `FrameTimelineEvent`s. `field` selects the kind of the start.
    fn frame(&mut self, time: Range<f64>, field: u32, fill: impl FnOnce(&mut Message<'_>)) {
        self.cookie += 1;
        let cookie = self.cookie;
        self.packet(Some(time.start), 76, |event| {
            event.message(field, |start| {
                start.signed(1, cookie);
                fill(start);
            });
        });
        self.packet(Some(time.end), 76, |event| {
            event.message(5, |end| end.signed(1, cookie))
        });
    }

    /// Appends a `TracePacket` with a message in this field.
    fn packet(&mut self, time: Option<f64>, field: u32, fill: impl FnOnce(&mut Message<'_>)) {
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        protobuf::push(&mut self.bytes, 1, |packet| {
            if let Some(time) = time {
                // The cast saturates at 0 and at 2⁶⁴ - 1 ns.
                packet.number(8, ((START_MS + time) * 1e6 + 0.5) as u64);
            }
            packet.number(10, 1);
            packet.message(field, fill);
            if is_first {
                // sequence_flags: the incremental state begins here.
                packet.number(13, 1);
            }
        });
    }

    fn write(&mut self) -> io::Result<()> {
        self.output.write_all(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use evenstep_trace::{Analysis, BadRows};
    use prost::{Message, Oneof};

    use super::*;

    #[derive(Clone, PartialEq, Message)]
    struct TracePacket {
        #[prost(uint64, optional, tag = "8")]
        timestamp: Option<u64>,
        #[prost(uint32, tag = "10")]
        trusted_packet_sequence_id: u32,
        #[prost(uint32, optional, tag = "13")]
        sequence_flags: Option<u32>,
        #[prost(oneof = "Data", tags = "11, 60, 76")]
        data: Option<Data>,
    }

    #[derive(Clone, PartialEq, Oneof)]
    enum Data {
        #[prost(message, tag = "11")]
        Event(TrackEvent),
        #[prost(message, tag = "60")]
        Track(TrackDescriptor),
        #[prost(message, tag = "76")]
        Timeline(FrameTimelineEvent),
    }

    #[derive(Clone, PartialEq, Message)]
    struct TrackEvent {
        #[prost(message, repeated, tag = "4")]
        debug_annotations: Vec<DebugAnnotation>,
        #[prost(int32, tag = "9")]
        r#type: i32,
        #[prost(uint64, tag = "11")]
        track_uuid: u64,
        #[prost(string, optional, tag = "23")]
        name: Option<String>,
        #[prost(double, optional, tag = "44")]
        double_counter_value: Option<f64>,
    }

    /// An argument of an event, as the viewer shows it.
    #[derive(Clone, PartialEq, Message)]
    struct DebugAnnotation {
        #[prost(string, tag = "10")]
        name: String,
        #[prost(int64, optional, tag = "4")]
        int_value: Option<i64>,
        #[prost(double, optional, tag = "5")]
        double_value: Option<f64>,
    }

    #[derive(Clone, PartialEq, Message)]
    struct TrackDescriptor {
        #[prost(uint64, tag = "1")]
        uuid: u64,
        #[prost(string, optional, tag = "2")]
        name: Option<String>,
        #[prost(message, optional, tag = "3")]
        process: Option<ProcessDescriptor>,
        #[prost(uint64, optional, tag = "5")]
        parent_uuid: Option<u64>,
        #[prost(message, optional, tag = "8")]
        counter: Option<CounterDescriptor>,
    }

    #[derive(Clone, PartialEq, Message)]
    struct ProcessDescriptor {
        #[prost(int32, tag = "1")]
        pid: i32,
        #[prost(string, tag = "6")]
        process_name: String,
    }

    #[derive(Clone, PartialEq, Message)]
    struct CounterDescriptor {
        #[prost(string, tag = "6")]
        unit_name: String,
    }

    #[derive(Clone, PartialEq, Message)]
    struct FrameTimelineEvent {
        #[prost(oneof = "Timeline", tags = "3, 4, 5")]
        event: Option<Timeline>,
    }

    #[derive(Clone, PartialEq, Oneof)]
    enum Timeline {
        #[prost(message, tag = "3")]
        Expected(ExpectedStart),
        #[prost(message, tag = "4")]
        Actual(ActualStart),
        #[prost(message, tag = "5")]
        End(FrameEnd),
    }

    /// `ExpectedSurfaceFrameStart`.
    #[derive(Clone, PartialEq, Message)]
    struct ExpectedStart {
        #[prost(int64, tag = "1")]
        cookie: i64,
        #[prost(int64, tag = "2")]
        token: i64,
        #[prost(int64, tag = "3")]
        display_frame_token: i64,
        #[prost(int32, tag = "4")]
        pid: i32,
        #[prost(string, tag = "5")]
        layer_name: String,
    }

    /// `ActualSurfaceFrameStart`.
    #[derive(Clone, PartialEq, Message)]
    struct ActualStart {
        #[prost(int64, tag = "1")]
        cookie: i64,
        #[prost(int64, tag = "2")]
        token: i64,
        #[prost(int64, tag = "3")]
        display_frame_token: i64,
        #[prost(int32, tag = "4")]
        pid: i32,
        #[prost(string, tag = "5")]
        layer_name: String,
        #[prost(int32, tag = "6")]
        present_type: i32,
        #[prost(bool, tag = "7")]
        on_time_finish: bool,
        #[prost(int32, tag = "9")]
        jank_type: i32,
        #[prost(int32, tag = "10")]
        prediction_type: i32,
        #[prost(bool, tag = "11")]
        is_buffer: bool,
    }

    #[derive(Clone, Copy, PartialEq, Message)]
    struct FrameEnd {
        #[prost(int64, tag = "1")]
        cookie: i64,
    }

    #[derive(Clone, PartialEq, Message)]
    struct Trace {
        #[prost(message, repeated, tag = "1")]
        packets: Vec<TracePacket>,
    }

    /// Sixty frames at 100 Hz, of which one is never displayed and the next is displayed 20 ms late.
    fn recording() -> String {
        let mut text =
            "Application,ProcessID,SwapChainAddress,TimeInMs,MsBetweenPresents,MsUntilDisplayed\n".to_owned();
        for frame in 0..60 {
            let until = match frame {
                40 => "NA".to_owned(),
                41 => "25".to_owned(),
                _ => "5".to_owned(),
            };
            text += &format!("game,77,0x1,{},10,{until}\n", 10 * frame);
        }
        text
    }

    /// Writes a recording as a trace, and decodes it.
    fn written(text: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = PerfettoWriter::new(&mut bytes);
        Analysis::read_frames(text.as_bytes(), "a.csv", BadRows::Fail, |name, frame| {
            writer.write(name, frame).unwrap();
        })
        .unwrap();
        writer.finish().unwrap();
        bytes
    }

    fn trace(text: &str) -> Trace {
        Trace::decode(written(text).as_slice()).unwrap()
    }

    #[test]
    fn each_frame_has_a_timeline_from_its_start_to_its_display_and_what_it_missed() {
        let trace = trace(&recording());
        let ms = |packet: &TracePacket| packet.timestamp.unwrap() as f64 / 1e6 - START_MS;
        let (mut actual, mut begun, mut slices) = (Vec::new(), BTreeMap::new(), Vec::new());
        for packet in &trace.packets {
            match packet.data.clone().unwrap() {
                Data::Timeline(FrameTimelineEvent { event }) => match event.unwrap() {
                    Timeline::Actual(start) => drop(begun.insert(start.cookie, (ms(packet), Some(start)))),
                    Timeline::Expected(start) => drop(begun.insert(start.cookie, (ms(packet), None))),
                    Timeline::End(end) => {
                        let (start, frame) = begun.remove(&end.cookie).unwrap();
                        actual.extend(frame.map(|frame| (start, ms(packet), frame)));
                    }
                },
                Data::Event(event) if event.r#type == SLICE_BEGIN => slices.push((ms(packet), event.name.unwrap())),
                _ => {}
            }
        }
        assert!(begun.is_empty());
        assert_eq!(actual.len(), 60);
        for (number, (start, end, frame)) in actual.iter().enumerate() {
            let (until, jank) = match number {
                40 => (0.0, DROPPED),
                41 => (25.0, LATE),
                _ => (5.0, ON_TIME),
            };
            assert_eq!(
                (frame.pid, frame.present_type, frame.jank_type),
                (77, jank.present_type, jank.jank_type)
            );
            assert!((start - 10.0 * number as f64).abs() < 1e-6 && (end - start - until).abs() < 1e-6);
        }
        assert_eq!(slices.len(), 1);
        assert!(
            (slices[0].0 - 395.0).abs() < 1e-6 && slices[0].1 == "hitch",
            "{slices:?}"
        );
    }

    #[test]
    fn a_list_of_frame_times_is_a_counter() {
        let trace = trace("16\n17\n40\n");
        let values = trace.packets.iter().filter_map(|packet| match &packet.data {
            Some(Data::Event(event)) => event.double_counter_value,
            _ => None,
        });
        assert_eq!(values.collect::<Vec<_>>(), [16.0, 17.0, 40.0]);
    }

    #[test]
    fn steps_of_a_program_are_a_counter_and_its_ticks_slices_of_the_time_that_they_simulate() {
        let trace = trace(
            "FrameTimeNs,Steps,Alpha\n10000000,0,0.5\n20000000,1,0.5\n30000000,3,0\n10000000,18446744073709551615,0\n",
        );
        let mut names = BTreeMap::new();
        let (mut steps, mut ticks) = (Vec::new(), Vec::new());
        for packet in &trace.packets {
            match packet.data.clone().unwrap() {
                Data::Track(track) => drop(names.insert(track.uuid, track.name.unwrap_or_default())),
                Data::Event(event) => match names[&event.track_uuid].as_str() {
                    "steps" => steps.push(event.double_counter_value.unwrap()),
                    "ticks" => ticks.push((packet.timestamp.unwrap() as f64 / 1e6 - START_MS, event.name)),
                    _ => {}
                },
                Data::Timeline(_) => {}
            }
        }
        assert_eq!(steps, [0.0, 1.0, 3.0, u64::MAX as f64]);
        let slice = |start: f64, end: f64, name: &str| [(start, Some(name.to_owned())), (end, None)];
        let last = format!("ticks 4 to {}", u64::MAX - 1);
        let expected = [
            slice(10.0, 30.0, "tick 0"),
            slice(30.0, 60.0, "ticks 1 to 3"),
            slice(60.0, 70.0, &last),
        ];
        assert_eq!(ticks, expected.concat());
    }

    /// A recording, and the recording that is read back from its trace.
    fn both(text: &str) -> [evenstep_trace::Trace; 2] {
        [text.as_bytes(), &written(text)].map(|bytes| evenstep_trace::Trace::parse(bytes, "a", BadRows::Fail).unwrap())
    }

    #[test]
    fn a_trace_is_read_as_the_recording_that_it_was_written_of() {
        let mut told =
            "Application,ProcessID,SwapChainAddress,TimeInSeconds,MsBetweenPresents,MsUntilDisplayed,AnimationTime\n"
                .to_owned();
        let mut started =
            "Application,ProcessID,SwapChainAddress,CPUStartTime,FrameTime,CPUBusy,DisplayLatency\n".to_owned();
        let mut start = 0.0;
        for frame in 0..400 {
            let (chain, delta) = (frame % 3 / 2, 7.0 + f64::from(frame * 7919 % 1009) * 1e-2);
            let until = if frame % 17 == 3 {
                "NA".to_owned()
            } else {
                format!("{:.3}", 5.0 + delta / 3.0)
            };
            start += delta;
            told += &format!(
                "game,77,0x{chain},{:.7},{delta:.4},{until},{:.4}\n",
                start / 1e3,
                0.5 * start
            );
            started += &format!(
                "game,77,0x{chain},{start:.4},{:.4},{:.4},{until}\n",
                delta * 1.5,
                delta / 4.0
            );
        }
        for text in [recording(), told, started] {
            let [own, read] = both(&text);
            assert_eq!(own.chains.len(), read.chains.len());
            for (own, read) in own.chains.iter().zip(&read.chains) {
                assert_eq!(read.name, own.name);
                assert_eq!(own.presents.len(), read.presents.len());
                let (measured, expected) = (read.measure(), own.measure());
                let is_same = |one: Option<f64>, other: Option<f64>| match (one, other) {
                    (Some(one), Some(other)) => (one - other).abs() < 3e-6,
                    (one, other) => one == other,
                };
                for (one, other) in measured.iter().zip(&expected) {
                    assert!(
                        is_same(one.between_presents, other.between_presents),
                        "{one:?} {other:?}"
                    );
                    assert!(
                        is_same(one.between_display_change, other.between_display_change),
                        "{one:?} {other:?}"
                    );
                    assert!(is_same(one.animation_error, other.animation_error), "{one:?} {other:?}");
                }
                assert!(expected.iter().any(|row| row.between_display_change.is_some()));
            }
        }
    }

    #[test]
    fn frame_times_of_a_trace_are_those_of_the_recording_but_for_the_first_or_the_last() {
        let millis = |trace: &evenstep_trace::Trace| -> Vec<f64> {
            trace
                .main_chain()
                .deltas
                .iter()
                .map(|delta| delta.as_secs_f64() * 1e3)
                .collect()
        };
        for (text, left_out) in [("16.5\n17.25\n40\n9\n".to_owned(), 3), (recording(), 0)] {
            let [own, read] = both(&text);
            let mut expected = millis(&own);
            expected.remove(left_out);
            assert_eq!(millis(&read), expected);
        }
    }
}
