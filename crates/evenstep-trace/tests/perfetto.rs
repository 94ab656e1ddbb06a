//! Traces of Perfetto: frames of Android's FrameTimeline, in a file that another library wrote; complete, cut off and damaged.

use std::io::Read;

use evenstep_trace::{Analysis, BadRows, Format, Trace, TraceError};
use proptest::prelude::*;

/// `traces/README.md` describes how the file was made.
const ANDROID: &[u8] = include_bytes!("traces/android-frametimeline.pftrace");

fn parse(bytes: &[u8], rows: BadRows) -> Result<Trace, TraceError> {
    Trace::parse(bytes, "a.pftrace", rows)
}

#[test]
fn frames_of_a_layer_are_displayed_when_the_frame_of_the_display_ends() {
    let trace = parse(ANDROID, BadRows::Fail).unwrap();
    assert_eq!(trace.format, Format::Perfetto);
    let names: Vec<String> = trace.chains.iter().map(|chain| chain.name.to_string()).collect();
    assert_eq!(
        names,
        ["game:main/4711/TX - com.example.game/.Main#7"],
        "the status bar has a single frame, which takes no time"
    );
    let period = 16.666_667;
    let chain = trace.main_chain();
    assert_eq!((chain.presents.len(), chain.deltas.len()), (56, 55));
    let first = chain.presents[0];
    for (n, present) in chain.presents.iter().enumerate() {
        let jitter = |n: usize| (n * 7919 % 1009) as f64 * 1e-4;
        let vsync = n as f64 * period;
        let is_late = n % 25 == 20;
        let work = if is_late { 18.0 } else { 6.0 + (n % 5) as f64 * 0.5 };
        let near = |value: f64, expected: f64| assert!((value - expected).abs() < 1e-6, "{n}: {value} {expected}");
        near(present.started.unwrap() - first.started.unwrap(), vsync + jitter(n));
        near(present.presented - present.started.unwrap(), work);
        assert_eq!(present.displayed.is_none(), n == 48);
        if let Some(displayed) = present.displayed {
            let refreshes = if is_late { 3.0 } else { 2.0 };
            near(
                displayed - present.started.unwrap(),
                refreshes * period + 0.15 - 0.3 - jitter(n),
            );
        }
    }
    assert_eq!(trace.warnings, Vec::<String>::new());
    let analysis = Analysis::read(ANDROID, "a.pftrace", BadRows::Fail).unwrap();
    let metrics = &analysis.chains[0].metrics;
    assert_eq!((metrics.displayed, metrics.not_displayed), (Some(55), Some(1)));
    assert_eq!(*metrics, chain.metrics());
}

#[test]
fn a_trace_that_is_cut_off_names_its_last_packet_or_is_read_up_to_it() {
    let mut cut_in_packets = 0;
    for length in (400..ANDROID.len()).step_by(7) {
        match parse(&ANDROID[..length], BadRows::Fail) {
            // The file ends between two packets.
            Ok(trace) => assert!(trace.main_chain().presents.len() <= 56),
            Err(TraceError::Row(problem)) => {
                assert_eq!(problem.reason, "the file ends within this packet");
                let at: usize = problem.field.strip_prefix("packet at byte ").unwrap().parse().unwrap();
                assert!(at < length && ANDROID[at] == b'\n', "{problem}");
                cut_in_packets += 1;
            }
            Err(error) => assert!(matches!(error, TraceError::NoFrames { .. }), "{error}"),
        }
    }
    assert!(cut_in_packets > 1_000, "{cut_in_packets}");
    let half = parse(&ANDROID[..ANDROID.len() / 2], BadRows::Skip).unwrap();
    let (whole, frames) = (parse(ANDROID, BadRows::Fail).unwrap(), half.main_chain().presents.len());
    assert!((20..30).contains(&frames), "{frames}");
    assert_eq!(half.main_chain().deltas, whole.main_chain().deltas[..frames - 1]);
    assert_eq!(half.skipped.len(), 1);
}

#[test]
fn the_error_for_a_trace_without_frames_names_the_data_source() {
    // A packet that contains only a time.
    let message = parse(&[10, 2, 8 << 3, 1], BadRows::Fail).unwrap_err().to_string();
    assert!(
        message.starts_with("a.pftrace:1: is no frame-time trace: it is a Perfetto trace"),
        "{message}"
    );
    assert!(message.contains("android.surfaceflinger.frametimeline"), "{message}");
    // A packet that is compressed.
    let message = parse(&[10, 2, 8 << 3, 1, 10, 4, 0x92, 3, 1, 0], BadRows::Fail)
        .unwrap_err()
        .to_string();
    assert!(
        message.starts_with("a.pftrace:2: packet at byte 4: it is compressed"),
        "{message}"
    );
}

#[test]
fn a_text_may_begin_with_an_empty_line() {
    for text in ["\n16.5\n17.5\n", "\n\n\n16.5\n17.5\n", "\n\r\nFrameTime\n16.5\n17.5\n"] {
        let trace = parse(text.as_bytes(), BadRows::Fail).unwrap();
        assert_eq!(trace.main_chain().deltas.len(), 2, "{text:?}");
    }
}

/// A field of protobuf.
fn field(number: u64, value: u64) -> Vec<u8> {
    let varint = |mut value: u64| {
        let mut bytes = Vec::new();
        while value > 127 {
            bytes.push(value as u8 | 128);
            value >>= 7;
        }
        bytes.push(value as u8);
        bytes
    };
    [varint(number << 3), varint(value)].concat()
}

fn message(number: u8, parts: &[Vec<u8>]) -> Vec<u8> {
    let body = parts.concat();
    let length = body.len();
    let length = if length < 128 {
        vec![length as u8]
    } else {
        vec![length as u8 | 128, (length >> 7) as u8]
    };
    [&length_delimited(number)[..], &length, &body].concat()
}

fn length_delimited(number: u8) -> Vec<u8> {
    match number {
        0..=15 => vec![number << 3 | 2],
        _ => vec![(number << 3 | 2) | 128, number >> 4],
    }
}

/// A frame: when Android expected it, when it took place, in microseconds, and its `jank_type`.
#[derive(Clone, Copy)]
struct AndroidFrame {
    expected: Option<(u64, u64)>,
    actual: (u64, u64),
    jank: u64,
}

fn android(frames: &[AndroidFrame]) -> Vec<u8> {
    let packet =
        |time: u64, event: Vec<u8>| message(1, &[field(8, 1_000_000_000 + 1000 * time), message(76, &[event])]);
    let layer = || [&[5 << 3 | 2, 9][..], b"TX - a/b#"].concat();
    let mut events = Vec::new();
    for (n, frame) in (0..).zip(frames) {
        let (cookie, token) = (4 * n, 100 + 2 * n);
        let parts = |cookie| {
            vec![
                field(1, cookie),
                field(2, token),
                field(3, token + 1),
                field(4, 77),
                layer(),
            ]
        };
        if let Some((start, end)) = frame.expected {
            events.push((start, message(3, &parts(cookie))));
            events.push((end, message(5, &[field(1, cookie)])));
        }
        let (start, end) = frame.actual;
        let actual = [parts(cookie + 1), vec![field(6, 1), field(9, frame.jank), field(11, 1)]].concat();
        events.push((start, message(4, &actual)));
        events.push((end, message(5, &[field(1, cookie + 1)])));
    }
    events.sort_by_key(|(time, _)| *time);
    events
        .into_iter()
        .flat_map(|(time, event)| packet(time, event))
        .collect()
}

/// Bursts of frames that take 4 ms, on time, with this many refreshes between them in which nothing was to be drawn.
fn bursts(refresh: u64, pause: u64, is_expected: bool) -> Vec<AndroidFrame> {
    let mut frames = Vec::new();
    for n in 0..600 {
        let start = 100_000 + (n + n / 100 * pause) * refresh;
        let expected = is_expected.then_some((start - refresh, start + refresh));
        let actual = (start, start + 4_000 + n * 7919 % 300);
        frames.push(AndroidFrame {
            expected,
            actual,
            jank: 1,
        });
    }
    frames
}

#[test]
fn time_in_which_an_android_program_had_nothing_to_draw_is_no_hitch_and_a_late_frame_is_one() {
    for refresh in [8_333, 11_111, 16_667] {
        for pause in [4, 10, 60, 600] {
            for is_expected in [true, false] {
                let case = format!("{refresh} µs, {pause} refreshes, expected {is_expected}");
                let mut frames = bursts(refresh, pause, is_expected);
                let measured = |frames: &[AndroidFrame]| {
                    let analysis = Analysis::read(&android(frames)[..], "a.pftrace", BadRows::Fail).unwrap();
                    analysis.chains[0].metrics.clone()
                };
                let metrics = measured(&frames);
                assert_eq!(metrics.hitches, [], "{case}");
                assert_eq!(metrics.stutter_time_pct, 0.0, "{case}");
                let rate = 1e6 / refresh as f64;
                assert!(
                    (metrics.fps_average / rate - 1.0).abs() < 0.01,
                    "{case}: {}",
                    metrics.fps_average
                );
                // The program was busy when a frame was due: Android expected it long before it began.
                for frame in &mut frames[250..] {
                    frame.actual.0 += 30 * refresh;
                    frame.actual.1 += 30 * refresh;
                    frame.expected = frame
                        .expected
                        .map(|(start, end)| (start + 30 * refresh, end + 30 * refresh));
                }
                frames[250].expected = frames[250]
                    .expected
                    .map(|(start, end)| (start - 30 * refresh, end - 30 * refresh));
                frames[250].jank = 64;
                let metrics = measured(&frames);
                assert_eq!(metrics.hitches.len(), 1, "{case}: {:?}", metrics.hitches);
            }
        }
    }
}

#[test]
fn what_android_says_made_a_frame_late_is_a_fact_of_its_present() {
    use evenstep_trace::LateBy::{Compositor, Program, Queue};
    for (jank, late_by) in [
        (0, None),
        (1, None),
        (64, Some(Program)),
        (64 | 128, Some(Program)),
        (2, Some(Compositor)),
        (8, Some(Compositor)),
        (16, Some(Compositor)),
        (32, Some(Compositor)),
        (4, Some(Queue)),
        (128, Some(Queue)),
        (256, Some(Queue)),
    ] {
        let mut frames = bursts(8_333, 0, true);
        frames[300].jank = jank;
        let trace = parse(&android(&frames), BadRows::Fail).unwrap();
        assert_eq!(trace.main_chain().presents[300].late_by, late_by, "{jank}");
        assert_eq!(trace.main_chain().presents[301].late_by, None);
    }
}

/// A reader that returns a few bytes at a time.
struct Pieces<'b>(&'b [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = buffer.len().min(self.1);
        self.0.read(&mut buffer[..most])
    }
}

proptest! {
    #[test]
    fn a_damaged_trace_in_pieces_is_read_as_far_as_it_can_be_or_named(
        size in 1..5000_usize,
        damage in prop::collection::vec((0..ANDROID.len(), any::<u8>()), 0..6),
    ) {
        let mut bytes = ANDROID.to_vec();
        for (at, byte) in &damage {
            bytes[*at] = *byte;
        }
        for rows in [BadRows::Fail, BadRows::Skip] {
            let read = parse(&bytes, rows);
            let in_pieces = Trace::parse(Pieces(&bytes, size), "a.pftrace", rows);
            match (read, in_pieces) {
                (Ok(one), Ok(other)) => prop_assert_eq!(one, other),
                (Err(one), Err(other)) => {
                    prop_assert_eq!(one.to_string(), other.to_string());
                    prop_assert!(!damage.is_empty() && one.to_string().lines().count() == 1);
                }
                (one, other) => prop_assert!(false, "{one:?} {other:?}"),
            }
        }
    }
}
