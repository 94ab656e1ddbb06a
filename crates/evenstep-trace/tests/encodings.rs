//! The same recording in different forms: UTF-16 and byte order marks, .NET's spellings of missing numbers, and columns that are empty or
//! contradict each other.

use std::fmt::Write as _;

use evenstep_trace::live::GrowingAnalysis;
use evenstep_trace::{BadRows, Trace};
use proptest::prelude::*;

fn read(bytes: &[u8]) -> Result<Trace, String> {
    Trace::parse(bytes, "a.csv", BadRows::Skip).map_err(|error| error.to_string())
}

fn millis(trace: &Trace) -> Vec<f64> {
    let deltas = trace.main_chain().deltas.iter();
    deltas.map(|delta| delta.as_secs_f64() * 1e3).collect()
}

/// The encodings in which editors and shells write text: UTF-8 with a byte order mark, and UTF-16 as PowerShell's `>` writes it on
/// Windows.
fn encodings(text: &str) -> [Vec<u8>; 3] {
    let marked = format!("\u{feff}{text}");
    let little = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big = marked.encode_utf16().flat_map(u16::to_be_bytes).collect();
    [marked.into_bytes(), little, big]
}

fn rows() -> impl Strategy<Value = String> {
    let number = (1..99_u8, 0..10_000_u16).prop_map(|(ms, rest)| format!("{ms}.{rest:04}"));
    let list = prop::collection::vec(number.clone(), 1..80).prop_map(|numbers| numbers.join("\r\n"));
    let table = prop::collection::vec((number, "[a-z\u{e9}\u{4e2d}]{1,9}"), 1..80).prop_map(|rows| {
        let mut text = String::from("Application,MsBetweenPresents,MsUntilDisplayed\n");
        for (ms, name) in rows {
            let _ = writeln!(text, "{name}.exe,{ms},9.5");
        }
        text
    });
    let mangohud = (1..60_u32).prop_map(|count| {
        let row = |n: u32| format!("60,16.7,{}\n", u64::from(n) * 16_700_000);
        let rows: String = (0..count).map(row).collect();
        format!("os,cpu,gpu\na,b,c\nfps,frametime,elapsed\n{rows}")
    });
    let json = prop::collection::vec(1..99_u8, 1..50)
        .prop_map(|numbers| format!("{{\"Runs\":[{{\"CaptureData\":{{\"MsBetweenPresents\":{numbers:?}}}}}]}}"));
    let events = "[{\"name\":\"BeginFrame\",\"ts\":1000},{\"name\":\"BeginFrame\",\"ts\":17000}]".to_owned();
    prop_oneof![list, table, mangohud, json, Just(events)]
}

proptest! {
    #[test]
    fn a_recording_is_the_same_in_every_encoding(text in rows(), size in 1..40_usize) {
        let plain = read(text.as_bytes());
        let growing = |bytes: &[u8]| {
            let mut growing = GrowingAnalysis::new("a.csv", BadRows::Skip);
            let pushed = bytes.chunks(size).try_for_each(|piece| growing.push(piece));
            pushed.and_then(|()| growing.complete()).map_err(|error| error.to_string())
        };
        let grown = growing(text.as_bytes());
        for bytes in encodings(&text) {
            prop_assert_eq!(&read(&bytes), &plain);
            prop_assert_eq!(&growing(&bytes), &grown);
        }
        prop_assert!(plain.is_ok(), "{:?}", plain);
    }
}

/// A number of CapFrameX as .NET's serializers write it, with its value.
fn number(least: f64) -> impl Strategy<Value = (String, Option<f64>)> {
    prop_oneof![
        6 => (least..40.0_f64).prop_map(|value| (format!("{value:.4}"), Some((value * 1e4).round() / 1e4))),
        1 => Just(("null".to_owned(), None)),
        1 => Just(("\"NaN\"".to_owned(), None)),
        1 => Just(("\"12.5\"".to_owned(), Some(12.5))),
        1 => Just(("\"Infinity\"".to_owned(), None)),
    ]
}

fn is_true() -> impl Strategy<Value = (String, bool)> {
    let ways = ["true", "1", "1.0", "\"True\"", "false", "0", "\"false\"", "null"];
    (0..ways.len()).prop_map(move |way| (ways[way].to_owned(), way < 4))
}

proptest! {
    #[test]
    fn captures_of_capframex_are_read_with_every_way_to_say_nothing(
        rows in prop::collection::vec((number(1.0), number(0.5), is_true()), 1..40),
        null in 0..16_u8,
        name in prop::sample::select(vec!["", "\"ProcessName\":null", "\"ProcessName\":\"game.exe\""]),
    ) {
        let column = |index: u8, values: Vec<&str>| match null >> index & 1 {
            1 => "null".to_owned(),
            _ => format!("[{}]", values.join(",")),
        };
        let seconds: Vec<String> = (0..rows.len()).map(|n| format!("{:.2}", n as f64 * 0.02)).collect();
        let text = format!(
            "{{\"Info\":{{{name}}},\"Runs\":[{{\"CaptureData\":{{\"MsBetweenPresents\":{},\"TimeInSeconds\":{},\"MsUntilDisplayed\":{},\
             \"Dropped\":{},\"MsBetweenDisplayChange\":{}}}}}]}}",
            format_args!("[{}]", rows.iter().map(|row| row.0.0.as_str()).collect::<Vec<_>>().join(",")),
            column(0, seconds.iter().map(String::as_str).collect()),
            column(1, rows.iter().map(|row| row.1.0.as_str()).collect()),
            column(2, rows.iter().map(|row| row.2.0.as_str()).collect()),
            column(3, vec!["\"NaN\""; rows.len()]),
        );
        let deltas: Vec<f64> = rows.iter().filter_map(|row| row.0.1).collect();
        let Ok(trace) = read(text.as_bytes()) else {
            prop_assert!(deltas.is_empty(), "{:?}", read(text.as_bytes()));
            return Ok(());
        };
        let same = millis(&trace).iter().zip(&deltas).all(|(ours, truth)| (ours - truth).abs() < 1e-5);
        prop_assert!(same && millis(&trace).len() == deltas.len());
        prop_assert_eq!(trace.skipped.len(), rows.len() - deltas.len());
        let application = if name.contains("game") { "game.exe" } else { "" };
        prop_assert_eq!(&trace.main_chain().name.application, application);
        if null & 1 == 0 {
            let presents = &trace.main_chain().presents;
            let (mut last, mut back) = (f64::NEG_INFINITY, 0);
            let shown = rows.iter().filter(|row| row.0.1.is_some()).zip(presents).map(|(row, present)| {
                let is_dropped = row.2.1 && null >> 2 & 1 == 0;
                let until = row.1.1.filter(|_| null >> 1 & 1 == 0 && !is_dropped);
                // A display does not go back, unless for more than three rows.
                let at = until.map(|until| present.presented + until);
                back = if at.is_some_and(|at| at < last) && back < 3 { back + 1 } else if at.is_some() { 0 } else { back };
                let at = at.filter(|_| back == 0);
                last = at.unwrap_or(last);
                at.is_some()
            });
            let shown: Vec<bool> = shown.collect();
            let ours = presents.iter().map(|present| present.displayed.is_some());
            prop_assert!(ours.eq(shown));
        }
    }
}

#[test]
fn a_capframex_column_that_is_shorter_than_the_others_is_reported() {
    let text = "{\"Runs\":[{\"CaptureData\":{\"MsBetweenPresents\":[16,17,16],\"MsUntilDisplayed\":[5,5]}}]}";
    let trace = read(text.as_bytes()).unwrap();
    assert_eq!(
        trace.warnings,
        [
            "Runs[0].CaptureData has 2 numbers in MsUntilDisplayed and 3 in MsBetweenPresents; missing values count as unknown"
        ]
    );
}

#[test]
fn a_clock_that_contradicts_the_intervals_is_not_believed() {
    let mut text = String::from("TimeInMs,MsBetweenPresents\n");
    for n in 0..100 {
        let _ = writeln!(text, "{:.4},16.6667", f64::from(n) * 16.6667 / 30.0);
    }
    let trace = read(text.as_bytes()).unwrap();
    let last = trace.main_chain().presents[99].presented;
    assert!((last - 99.0 * 16.6667).abs() < 1e-6, "{last}");
    assert!(
        trace.warnings[1].contains("99 frames take 1.650 s by MsBetweenPresents and 0.055 s by TimeInMs"),
        "{:?}",
        trace.warnings
    );
}

#[test]
fn an_unreadable_clock_is_reported() {
    let mut text = String::from("TimeInDateTime,MsBetweenPresents,MsUntilDisplayed\n");
    for _ in 0..100 {
        text += "yesterday,16.7,9\n";
    }
    assert_eq!(
        read(text.as_bytes()).unwrap().warnings,
        [
            "no row has a time in TimeInDateTime that can be read: 100 of 100 have none, so it is unknown when they were \
          presented and displayed"
        ]
    );
}

#[test]
fn a_list_of_running_times_is_distinguished_from_frame_times() {
    let text: String = (1..60).map(|n| format!("{:.1}\n", f64::from(n) * 16.7)).collect();
    let warnings = read(text.as_bytes()).unwrap().warnings;
    assert!(
        warnings.len() == 1 && warnings[0].starts_with("the numbers grow from 16.7 to 985.3"),
        "{warnings:?}"
    );
    let text: String = (1..60).map(|n| format!("{:.1}\n", 16.7 + f64::from(n % 3))).collect();
    assert!(read(text.as_bytes()).unwrap().warnings.is_empty());
}
