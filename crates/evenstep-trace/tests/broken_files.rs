//! Files that are cut off, damaged, or commonly malformed: readable rows are read, and every error is reported with its position.

use std::io::{self, Read};
use std::time::Duration;

use evenstep_trace::{Analysis, BadRows, Format, Trace, TraceError};
use proptest::prelude::*;

fn parse(text: &str, rows: BadRows) -> Result<Trace, TraceError> {
    Trace::parse(text.as_bytes(), "a.csv", rows)
}

fn millis(trace: &Trace) -> Vec<f64> {
    let deltas = trace.main_chain().deltas.iter();
    deltas.map(|delta| delta.as_secs_f64() * 1e3).collect()
}

#[test]
fn a_stray_quote_costs_its_own_row_and_no_other() {
    let rows: Vec<String> = (0..1_200).map(|n| format!("game.exe,{n},16.7\n")).collect();
    let mut text = format!("Application,TimeInMs,MsBetweenPresents\n{}", rows.concat());
    text = text.replace("game.exe,50,", "\"game.exe,50,");
    let trace = parse(&text, BadRows::Skip).unwrap();
    assert_eq!((trace.main_chain().deltas.len(), trace.skipped.len()), (1_199, 1));
    assert_eq!(
        trace.skipped[0].to_string(),
        "a.csv:52: Application: a quote is not closed on its line"
    );
    let message = parse(&text, BadRows::Fail).unwrap_err().to_string();
    assert!(
        message.starts_with("a.csv:52: Application: a quote is not closed"),
        "{message}"
    );
}

#[test]
fn a_stray_quote_in_a_list_costs_its_own_row() {
    let trace = parse("16\n\"17\n18\n19\n", BadRows::Skip).unwrap();
    assert_eq!((millis(&trace), trace.skipped[0].line), (vec![16.0, 18.0, 19.0], 2));
}

#[test]
fn quoted_fields_may_hold_delimiters_and_quotes() {
    let text = "Application,MsBetweenPresents\n\"a, \"\"b\"\"\",16\n\"a, \"\"b\"\"\",17\n";
    let trace = parse(text, BadRows::Fail).unwrap();
    assert_eq!(trace.main_chain().name.application, "a, \"b\"");
    assert_eq!(millis(&trace), [16.0, 17.0]);
}

#[test]
fn a_line_without_an_end_costs_its_own_row() {
    let text = format!("FrameTime\n16\n{}\n17\n", "9".repeat(1 << 20));
    let trace = parse(&text, BadRows::Skip).unwrap();
    assert_eq!((millis(&trace), trace.skipped[0].line), (vec![16.0, 17.0], 3));
    assert!(
        trace.skipped[0].reason.contains("longer than 65536 bytes"),
        "{}",
        trace.skipped[0]
    );
}

fn event(time: f64) -> String {
    format!("{{\"pid\":5,\"tid\":6,\"ts\":{time},\"ph\":\"B\",\"name\":\"BeginFrame\"}}")
}

/// The end of an event as Chrome writes it, without a name.
const END: &str = "{\"pid\":5,\"tid\":6,\"ts\":1500,\"ph\":\"E\"}";

#[test]
fn a_chrome_trace_may_lack_its_closing_bracket_and_names_of_ends() {
    let (one, other) = (event(1000.5), event(17_500.5));
    for text in [
        format!("[{one},\n{END},\n{other}]\n"),
        format!("[{one},\n{END},\n{other}\n"),
        format!("[{one},\n{END},\n{other},\n"),
        format!("[\n{one},{END},{other}"),
        format!("{{\"traceEvents\":[{one},{END},{other}],\"displayTimeUnit\":\"ms\"}}"),
    ] {
        let trace = parse(&text, BadRows::Fail).unwrap();
        assert_eq!(
            (trace.format, millis(&trace)),
            (Format::ChromeTrace, vec![16.5]),
            "{text}"
        );
    }
}

#[test]
fn a_trace_of_chrome_that_is_cut_off_or_has_a_wrong_event_names_the_place() {
    let text = format!("\n[{},\n{},\n{{\"pid\":5,\"na", event(1000.5), event(17_500.5));
    let message = parse(&text, BadRows::Fail).unwrap_err().to_string();
    assert!(
        message.starts_with("a.csv:4: is no frame-time trace: EOF while parsing"),
        "{message}"
    );
    let wrong = text.replace("17500.5", "\"noon\"").replace(",\n{\"pid\":5,\"na", "]");
    let message = parse(&wrong, BadRows::Fail).unwrap_err().to_string();
    assert!(
        message.starts_with("a.csv:1: traceEvents[1].ts: \"noon\" is no time"),
        "{message}"
    );
    let trace = parse(&wrong, BadRows::Skip).unwrap_err();
    assert!(matches!(trace, TraceError::NoFrames { skipped: 1, .. }), "{trace}");
}

#[test]
fn fraps_may_run_for_more_than_an_hour() {
    let hour = 3_600_000.0;
    let text = format!(
        "Frame, Time (ms)\n1, {:.3}\n2, {:.3}\n3, {:.3}\n",
        hour - 10.0,
        hour + 6.5,
        3.0 * hour
    );
    let trace = parse(
        &text.replace(&format!("{:.3}", 3.0 * hour), "3600024.250"),
        BadRows::Fail,
    )
    .unwrap();
    assert_eq!((trace.format, millis(&trace)), (Format::Fraps, vec![16.5, 17.75]));
}

/// Files of every kind, each with some frames.
fn files() -> Vec<String> {
    let presents = "Application,ProcessID,SwapChainAddress,TimeInSeconds,MsBetweenPresents,MsUntilDisplayed,Dropped\n";
    let row = |n: usize| format!("game.exe,7,0x1,{:.4},16.7,9.5,0\n", n as f64 * 0.0167);
    let rows: String = (0..40).map(row).collect();
    let mangohud: String = (0..40).map(|n| format!("60,16.7,{}\n", n * 16_700_000)).collect();
    let events: Vec<String> = (0..40).map(|n| event(f64::from(n) * 16_700.0)).collect();
    vec![
        format!("{presents}{rows}"),
        "16.7\n".repeat(40),
        format!("os,cpu,gpu\na,b,c\nfps,frametime,elapsed\n{mangohud}"),
        format!("[{}]", events.join(",\n")),
        format!("{{\"traceEvents\":[{}]}}", events.join(",\n")),
        format!(
            "{{\"Runs\":[{{\"CaptureData\":{{\"MsBetweenPresents\":[{}]}}}}]}}",
            ["16.7"; 40].join(",\n")
        ),
    ]
}

/// A reader that returns the given numbers of bytes per read, is interrupted by signals, and may fail at the end.
struct Faulty<'b> {
    bytes: &'b [u8],
    portions: Vec<usize>,
    reads: usize,
    fails_at_end: bool,
}

impl Read for Faulty<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reads += 1;
        let portion = self.portions[self.reads % self.portions.len()];
        if portion == 0 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        if self.bytes.is_empty() && self.fails_at_end {
            return Err(io::Error::other("the disk is gone"));
        }
        let count = portion.min(buffer.len()).min(self.bytes.len());
        buffer[..count].copy_from_slice(&self.bytes[..count]);
        self.bytes = &self.bytes[count..];
        Ok(count)
    }
}

/// Whether a message is one line that names the file, and a line in the file if the error is about a line.
fn names_file_and_line(error: &TraceError) -> bool {
    let text = error.to_string();
    let has_place = match error {
        TraceError::Row(problem) => problem.line > 0 && !problem.field.is_empty() && !problem.reason.is_empty(),
        TraceError::NotATrace { line, reason, .. } => *line > 0 && !reason.is_empty(),
        _ => true,
    };
    has_place && text.starts_with("a.csv") && text.lines().count() == 1
}

proptest! {
    #[test]
    fn short_reads_and_signals_change_nothing(
        file in 0..6_usize,
        mut portions in prop::collection::vec(0..50_usize, 1..10),
    ) {
        portions.push(7);
        let text = files().swap_remove(file);
        let faulty = Faulty { bytes: text.as_bytes(), portions, reads: 0, fails_at_end: false };
        let whole = parse(&text, BadRows::Fail).unwrap();
        prop_assert_eq!(Trace::parse(faulty, "a.csv", BadRows::Fail).unwrap(), whole);
    }

    #[test]
    fn a_file_that_fails_while_it_is_read_is_an_error(
        file in 0..6_usize,
        at in 0.0..1.0_f64,
        mut portions in prop::collection::vec(0..50_usize, 1..10),
    ) {
        portions.push(7);
        let text = files().swap_remove(file);
        let bytes = &text.as_bytes()[..(at * text.len() as f64) as usize];
        let faulty = Faulty { bytes, portions, reads: 0, fails_at_end: true };
        let error = Trace::parse(faulty, "a.csv", BadRows::Skip).unwrap_err();
        prop_assert!(error.to_string().contains("the disk is gone"), "{}", error);
    }

    #[test]
    fn a_file_that_is_cut_off_or_damaged_is_read_as_far_as_it_can_be_or_named(
        file in 0..6_usize,
        cut in 0.0..1.2_f64,
        damage in prop::collection::vec((0.0..1.0_f64, any::<u8>()), 0..4),
        quote in prop::option::of(0.0..1.0_f64),
    ) {
        let mut bytes = files().swap_remove(file).into_bytes();
        bytes.truncate((cut * bytes.len() as f64) as usize);
        for (at, byte) in damage.into_iter().chain(quote.map(|at| (at, b'"'))) {
            let place = (at * bytes.len() as f64) as usize;
            if let Some(damaged) = bytes.get_mut(place) {
                *damaged = byte;
            }
        }
        for rows in [BadRows::Fail, BadRows::Skip] {
            let trace = Trace::parse(bytes.as_slice(), "a.csv", rows);
            let analysis = Analysis::read(bytes.as_slice(), "a.csv", rows);
            prop_assert_eq!(trace.is_ok(), analysis.is_ok());
            match trace {
                Ok(trace) => {
                    prop_assert!(trace.chains.iter().all(|chain| chain.deltas.iter().any(|delta| *delta > Duration::ZERO)));
                    prop_assert!(trace.skipped.iter().all(|problem| problem.line > 0 && !problem.field.is_empty()));
                }
                Err(error) => prop_assert!(names_file_and_line(&error), "{}", error),
            }
        }
    }

    #[test]
    fn damage_to_one_row_of_a_table_costs_at_most_two(row in 1..38_usize, byte in any::<u8>(), column in 0..30_usize) {
        let mut bytes = files().swap_remove(0).into_bytes();
        let starts: Vec<usize> = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect();
        bytes[starts[row] + column] = byte;
        let trace = Trace::parse(bytes.as_slice(), "a.csv", BadRows::Skip).unwrap();
        prop_assert!(trace.main_chain().deltas.len() >= 38, "{}", trace.main_chain().deltas.len());
    }
}
