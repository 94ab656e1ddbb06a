//! A recording as a trace for Perfetto's viewer: timelines of frames as Android's FrameTimeline has them, counters and hitches.
//!
//! The messages are those of Perfetto's schema that are needed, with its names and numbers.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, BufWriter, Write};
use std::ops::Range;

use evenstep_trace::{MeasuredFrame, Present, SwapChainName};
use prost::{Message, Oneof};

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

/// What the viewer shows as an argument of an event.
#[derive(Clone, PartialEq, Message)]
struct DebugAnnotation {
    #[prost(string, tag = "10")]
    name: String,
    #[prost(int64, optional, tag = "4")]
    int_value: Option<i64>,
    #[prost(double, optional, tag = "5")]
    double_value: Option<f64>,
}

const SLICE_BEGIN: i32 = 1;
const SLICE_END: i32 = 2;
const INSTANT: i32 = 3;
const COUNTER: i32 = 4;

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

/// How a frame was presented, and the jank that it was.
#[derive(Clone, Copy)]
struct Verdict {
    present_type: i32,
    jank_type: i32,
}

const ON_TIME: Verdict = Verdict {
    present_type: 1,
    jank_type: 1,
};
/// The jank is the application's missed deadline: a recording does not say whose it was.
const LATE: Verdict = Verdict {
    present_type: 2,
    jank_type: 64,
};
/// A frame of which only the time is known.
const UNKNOWN: Verdict = Verdict {
    present_type: 5,
    jank_type: 0,
};
const DROPPED: Verdict = Verdict {
    present_type: 4,
    jank_type: 1024,
};

/// `PREDICTION_VALID` and `PREDICTION_UNKNOWN`.
const PREDICTED: i32 = 1;
const NOT_PREDICTED: i32 = 3;

/// Times of a recording begin near zero, and work on its first frame may have begun before.
const START_MS: f64 = 10_000.0;

/// The intervals whose median is when the next frame is expected.
const RECENT: usize = 31;

/// A frame is late if it is displayed longer after the one before than this many medians.
const LATE_BEYOND: f64 = 1.5;

/// A hitch is late by this much more, in milliseconds, as in the analysis.
const HITCH_BEYOND_MS: f64 = 7.5;

/// Writes a trace as frames come. Memory is bounded by the number of swap chains.
pub(crate) struct PerfettoWriter<W: Write> {
    output: BufWriter<W>,
    bytes: Vec<u8>,
    chains: BTreeMap<SwapChainName, Chain>,
    cookie: i64,
}

struct Chain {
    pid: i32,
    layer: String,
    /// The first of its numbers of tracks: its process, its frame time, its animation error, its presents.
    tracks: u64,
    displayed: Option<f64>,
    /// The newest intervals, in the order of time and in that of length.
    recent: VecDeque<f64>,
    sorted: Vec<f64>,
    /// The sum of the frame times, for recordings without any other clock.
    elapsed: f64,
}

impl<W: Write> PerfettoWriter<W> {
    pub(crate) fn new(output: W) -> Self {
        Self {
            output: BufWriter::with_capacity(1 << 16, output),
            bytes: Vec::new(),
            chains: BTreeMap::new(),
            cookie: 0,
        }
    }

    /// Writes what is known of a frame.
    pub(crate) fn write(&mut self, name: &SwapChainName, frame: &MeasuredFrame) -> io::Result<()> {
        let (name, mut chain) = match self.chains.remove_entry(name) {
            Some(known) => known,
            None => (name.clone(), self.begin(name)?),
        };
        let written = self.write_of(&mut chain, frame);
        self.chains.insert(name, chain);
        written
    }

    /// Writes what is still kept back.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.output.flush()
    }

    /// The tracks of a swap chain.
    fn begin(&mut self, name: &SwapChainName) -> io::Result<Chain> {
        let number = self.chains.len();
        let pid = name.process.parse().unwrap_or(number as i32 + 1);
        let tracks = 4 * number as u64 + 1;
        let application = if name.application.is_empty() {
            "recording"
        } else {
            &name.application
        };
        let process = TrackDescriptor {
            uuid: tracks,
            process: Some(ProcessDescriptor {
                pid,
                process_name: application.to_owned(),
            }),
            ..TrackDescriptor::default()
        };
        self.packet(None, Data::Track(process))?;
        for (index, name, unit) in [
            (1, "frame time", Some("ms")),
            (2, "animation error", Some("ms")),
            (3, "presents", None),
        ] {
            let track = TrackDescriptor {
                uuid: tracks + index,
                name: Some(name.to_owned()),
                parent_uuid: Some(tracks),
                counter: unit.map(|unit| CounterDescriptor {
                    unit_name: unit.to_owned(),
                }),
                process: None,
            };
            self.packet(None, Data::Track(track))?;
        }
        Ok(Chain {
            pid,
            // Without one, what there is of a name.
            layer: match name.swap_chain.as_str() {
                "" => name.to_string(),
                swap_chain => swap_chain.to_owned(),
            },
            tracks,
            displayed: None,
            recent: VecDeque::new(),
            sorted: Vec::new(),
            elapsed: 0.0,
        })
    }

    fn write_of(&mut self, chain: &mut Chain, frame: &MeasuredFrame) -> io::Result<()> {
        let delta = frame.delta.map(|delta| delta.as_secs_f64() * 1e3);
        chain.elapsed += delta.unwrap_or_default();
        let Some(present) = &frame.present else {
            let Some(delta) = delta else { return Ok(()) };
            self.counter(chain.tracks + 1, chain.elapsed, delta)?;
            let token = frame.metrics.row as i64 + 1;
            return self.actual(
                chain,
                token,
                UNKNOWN,
                NOT_PREDICTED,
                chain.elapsed - delta..chain.elapsed,
            );
        };
        if let Some(delta) = delta {
            self.counter(chain.tracks + 1, present.presented, delta)?;
        }
        let (presents, token) = (chain.tracks + 3, present.row as i64 + 1);
        self.present(presents, token, present)?;
        let change = present.displayed.zip(chain.displayed).map(|(now, before)| now - before);
        let median = chain.median();
        let late_beyond = median.map(|median| LATE_BEYOND * median);
        let verdict = match (present.displayed, change.zip(late_beyond)) {
            (None, _) => DROPPED,
            (Some(_), Some((change, beyond))) if change > beyond => LATE,
            (Some(_), _) => ON_TIME,
        };
        let start = present.started.unwrap_or(present.presented);
        let expected = chain.displayed.zip(median);
        if let Some((before, median)) = expected {
            self.cookie += 1;
            let expected = Timeline::Expected(ExpectedStart {
                cookie: self.cookie,
                token,
                display_frame_token: token,
                pid: chain.pid,
                layer_name: chain.layer.clone(),
            });
            self.timeline(start, (before + median).max(start), expected)?;
        }
        let prediction_type = if expected.is_some() { PREDICTED } else { NOT_PREDICTED };
        let end = present.displayed.unwrap_or(present.presented).max(start);
        self.actual(chain, token, verdict, prediction_type, start..end)?;
        match (present.displayed, chain.displayed) {
            (Some(now), before) => {
                if let (Some(before), Some(change), Some(beyond)) = (before, change, late_beyond)
                    && change > beyond
                {
                    let name = if change > beyond + HITCH_BEYOND_MS {
                        "hitch"
                    } else {
                        "missed refresh"
                    };
                    self.event(presents, SLICE_BEGIN, before, Some(name))?;
                    self.event(presents, SLICE_END, now, None)?;
                }
                if let Some(error) = frame.metrics.animation_error {
                    self.counter(chain.tracks + 2, now, error)?;
                }
                chain.show(now);
            }
            (None, _) => self.event(presents, INSTANT, present.presented, Some("never displayed"))?,
        }
        Ok(())
    }

    /// Writes a frame on the actual timeline.
    fn actual(
        &mut self,
        chain: &Chain,
        token: i64,
        verdict: Verdict,
        prediction_type: i32,
        time: Range<f64>,
    ) -> io::Result<()> {
        self.cookie += 1;
        let actual = Timeline::Actual(ActualStart {
            cookie: self.cookie,
            token,
            display_frame_token: token,
            pid: chain.pid,
            layer_name: chain.layer.clone(),
            present_type: verdict.present_type,
            on_time_finish: verdict.jank_type == ON_TIME.jank_type,
            jank_type: verdict.jank_type,
            prediction_type,
            is_buffer: true,
        });
        self.timeline(time.start, time.end, actual)
    }

    /// Writes a present. Its arguments are what the timeline does not hold, so that the trace can be read as a recording.
    fn present(&mut self, track_uuid: u64, token: i64, present: &Present) -> io::Result<()> {
        let frame = DebugAnnotation {
            name: "frame_token".to_owned(),
            int_value: Some(token),
            double_value: None,
        };
        let simulated = present.simulated.filter(|_| present.is_simulated_told);
        let simulated = simulated.map(|time| DebugAnnotation {
            name: "animation_time_ms".to_owned(),
            int_value: None,
            double_value: Some(time),
        });
        let event = TrackEvent {
            r#type: INSTANT,
            track_uuid,
            name: Some("present".to_owned()),
            debug_annotations: [frame].into_iter().chain(simulated).collect(),
            double_counter_value: None,
        };
        self.packet(Some(present.presented), Data::Event(event))
    }

    fn timeline(&mut self, start: f64, end: f64, event: Timeline) -> io::Result<()> {
        let cookie = self.cookie;
        for (time, event) in [(start, event), (end, Timeline::End(FrameEnd { cookie }))] {
            self.packet(Some(time), Data::Timeline(FrameTimelineEvent { event: Some(event) }))?;
        }
        Ok(())
    }

    fn counter(&mut self, track_uuid: u64, time: f64, value: f64) -> io::Result<()> {
        let event = TrackEvent {
            r#type: COUNTER,
            track_uuid,
            double_counter_value: Some(value),
            ..TrackEvent::default()
        };
        self.packet(Some(time), Data::Event(event))
    }

    fn event(&mut self, track_uuid: u64, r#type: i32, time: f64, name: Option<&str>) -> io::Result<()> {
        let event = TrackEvent {
            r#type,
            track_uuid,
            name: name.map(str::to_owned),
            ..TrackEvent::default()
        };
        self.packet(Some(time), Data::Event(event))
    }

    /// Writes a packet: field 1 of the message `Trace`.
    fn packet(&mut self, time: Option<f64>, data: Data) -> io::Result<()> {
        const FIELD: u8 = 1 << 3 | 2;
        let is_first = self.chains.is_empty() && self.bytes.is_empty();
        let packet = TracePacket {
            // The time is nonnegative and below 2⁶⁴ ns, or this is its nearest.
            timestamp: time.map(|time| ((START_MS + time) * 1e6).round() as u64),
            trusted_packet_sequence_id: 1,
            // The state of the sequence begins.
            sequence_flags: is_first.then_some(1),
            data: Some(data),
        };
        self.bytes.clear();
        self.bytes.push(FIELD);
        packet
            .encode_length_delimited(&mut self.bytes)
            .map_err(io::Error::other)?;
        self.output.write_all(&self.bytes)
    }
}

impl Chain {
    /// The median of the newest intervals between displayed frames; none of a few.
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

#[cfg(test)]
mod tests {
    use evenstep_trace::{Analysis, BadRows};

    use super::*;

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

    /// The trace that is written of a recording.
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
    /// A recording, and what is read of the trace that is written of it.
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
