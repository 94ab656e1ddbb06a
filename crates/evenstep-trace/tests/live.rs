//! The analysis of a recording while it is being written equals the analysis of the complete file.

use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use evenstep_trace::live::{CurrentAnalysis, FileEvent, GrowingAnalysis, RECENT_FRAMES, WatchedFile};
use evenstep_trace::{Analysis, BadRows, Trace, TraceError};
use proptest::prelude::*;

fn whole(text: &[u8], rows: BadRows) -> Result<Analysis, String> {
    Analysis::read(text, "a.csv", rows).map_err(|error| error.to_string())
}

fn analysis_or_message(current: Result<CurrentAnalysis, TraceError>) -> Result<Analysis, String> {
    current
        .map(|current| current.analysis)
        .map_err(|error| error.to_string())
}

/// The analysis of the complete lines of a text.
fn complete_lines(text: &[u8], rows: BadRows) -> Result<Analysis, String> {
    let end = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    whole(&text[..end], rows)
}

/// Frame times in milliseconds, some of them long.
fn delta(number: usize) -> f64 {
    let jitter = (number * 7919 % 1009) as f64 * 1e-3;
    if number % 97 == 96 { 60.0 } else { 16.0 + jitter }
}

fn plain(rows: usize) -> String {
    (0..rows).fold(String::new(), |text, row| text + &format!("{:.3}\n", delta(row)))
}

/// Two programs whose rows are out of order, with display times.
fn presentmon(rows: usize) -> String {
    let header = "Application,ProcessID,SwapChainAddress,TimeInMs,MsBetweenPresents,MsUntilDisplayed,MsCPUBusy\r\n";
    let mut text = header.to_owned();
    for row in 0..rows {
        let (row, game) = (row ^ 1, row % 2);
        let (time, delta) = (row as f64 * 8.4, delta(row));
        let _ = write!(
            text,
            "game{game}.exe,{game},0x1,{time:.4},{delta:.4},9.1,{delta:.3}\r\n"
        );
    }
    text
}

/// A MangoHud log with the lines about the machine before the header.
fn mangohud(rows: usize) -> String {
    let mut text = "v1\nv0.7.2\n---------------------SYSTEM INFO---------------------\nos,cpu,gpu,ram,kernel,driver\n\
                    Debian,Ryzen,Radeon,32,6.1,Mesa\n--------------------FRAME METRICS--------------------\nfps,frametime,elapsed\n"
        .to_owned();
    let mut elapsed = 0.0;
    for row in 0..rows {
        elapsed += delta(row) * 1e6;
        let _ = writeln!(text, "{:.1},{:.4},{elapsed:.0}", 1e3 / delta(row), delta(row));
    }
    text
}

fn log(rows: usize) -> String {
    let header = "FrameTimeNs,Steps,Alpha,DrawnMs,ClampedMs,SuspendedMs,DroppedSteps\n";
    (0..rows).fold(header.to_owned(), |text, row| {
        text + &format!("{},1,0.5,10,0,0,0\n", (delta(row) * 1e6) as u64)
    })
}

fn any_file() -> impl Strategy<Value = Vec<u8>> {
    let kind = prop::sample::select(vec![plain as fn(usize) -> String, presentmon, mangohud, log]);
    let damage = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3);
    (kind, 0..150_usize, damage, any::<prop::sample::Index>()).prop_map(|(kind, rows, damage, end)| {
        let mut text = kind(rows).into_bytes();
        for (at, byte) in damage {
            if let Some(old) = text.len().checked_sub(1).map(|last| at.index(last + 1)) {
                text[old] = byte;
            }
        }
        // Sometimes the last line is incomplete.
        let cut = end.index(40);
        text.truncate(text.len().saturating_sub(cut.saturating_sub(20)));
        text
    })
}

proptest! {
    #[test]
    fn a_file_in_any_pieces_has_the_same_results(
        text in any_file(), mut sizes in prop::collection::vec(1..2_000_usize, 0..8), is_lenient in any::<bool>(),
    ) {
        let rows = if is_lenient { BadRows::Skip } else { BadRows::Fail };
        let mut growing = GrowingAnalysis::new("a.csv", rows);
        sizes.push(3_000);
        let (mut read, mut failed) = (0, None);
        for size in sizes.iter().cycle() {
            let end = (read + size).min(text.len());
            if let Err(error) = growing.push(&text[read..end]) {
                failed = Some(error.to_string());
                break;
            }
            read = end;
            prop_assert_eq!(analysis_or_message(growing.current()), complete_lines(&text[..read], rows));
            if read == text.len() {
                break;
            }
        }
        let ours = failed.map_or_else(|| analysis_or_message(growing.complete()), Err);
        prop_assert_eq!(ours, whole(&text, rows));
    }
}

#[test]
fn more_rows_than_the_window_give_the_same_result_and_the_newest_are_kept() {
    for text in [plain(9_000), presentmon(9_000), mangohud(9_000), log(9_000)] {
        let mut growing = GrowingAnalysis::new("a.csv", BadRows::Fail);
        for piece in text.as_bytes().chunks(70_001) {
            growing.push(piece).unwrap();
            growing.current().unwrap();
        }
        let current = growing.complete().unwrap();
        let trace = Trace::parse(text.as_bytes(), "a.csv", BadRows::Fail).unwrap();
        assert_eq!(current.recent.len(), trace.chains.len());
        for (recent, all) in current.recent.iter().zip(&trace.chains) {
            assert_eq!((&recent.name, recent.deltas.len()), (&all.name, RECENT_FRAMES));
            assert!(all.deltas.ends_with(&recent.deltas) && all.presents.ends_with(&recent.presents));
        }
        assert_eq!(
            analysis_or_message(Ok(current)),
            whole(text.as_bytes(), BadRows::Fail),
            "{}",
            &text[..40]
        );
    }
}

#[test]
fn a_format_that_can_be_read_only_as_a_whole_is_refused() {
    for text in ["{\"traceEvents\": [\n", "\n\u{8}\u{1}packets of Perfetto"] {
        let error = GrowingAnalysis::new("a.json", BadRows::Skip)
            .push(text.as_bytes())
            .unwrap_err();
        assert!(matches!(error, TraceError::NoTable { .. }), "{error}");
        let message = error.to_string();
        assert!(
            message.starts_with("a.json: ") && message.contains("; give it to"),
            "{message}"
        );
    }
}

/// A folder, the path of a file in it that does not exist yet, and the watched file.
fn watched() -> (tempfile::TempDir, PathBuf, WatchedFile) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.csv");
    let watched = WatchedFile::new(&path, BadRows::Skip);
    (folder, path, watched)
}

fn append(path: &Path, text: &str) {
    let mut file = OpenOptions::new().append(true).create(true).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

fn frames(watched: &WatchedFile) -> usize {
    watched.current().unwrap().analysis.chains[0].metrics.frames
}

#[test]
fn the_file_and_its_header_may_be_written_late_and_an_incomplete_line_waits() {
    let (_folder, path, mut watched) = watched();
    assert_eq!(watched.poll().unwrap(), FileEvent::Missing);
    append(&path, "");
    assert_eq!(watched.poll().unwrap(), FileEvent::Unchanged);
    assert!(matches!(watched.current(), Err(TraceError::Empty { .. })));
    append(&path, "v1\nv0.7.2\nos,cpu,gpu\nDebian,Ryzen,Radeon\nfps,frame");
    assert_eq!(watched.poll().unwrap(), FileEvent::Grew);
    assert!(matches!(watched.current(), Err(TraceError::Empty { .. })));
    append(&path, "time,elapsed\n");
    assert_eq!(watched.poll().unwrap(), FileEvent::Grew);
    assert!(matches!(watched.current(), Err(TraceError::NoFrames { .. })));
    append(&path, "60,16.6,16600000\n60,16.");
    watched.poll().unwrap();
    assert_eq!(frames(&watched), 1);
    append(&path, "7,33300000\n60,17,50300000");
    watched.poll().unwrap();
    assert_eq!(frames(&watched), 2);
    assert_eq!(watched.poll().unwrap(), FileEvent::Unchanged);
    let complete = watched.complete().unwrap().analysis;
    let expected = Analysis::read(
        fs::File::open(&path).unwrap(),
        &path.display().to_string(),
        BadRows::Skip,
    );
    assert_eq!(complete, expected.unwrap());
    assert_eq!(complete.chains[0].metrics.frames, 3);
}

#[test]
fn a_file_that_is_truncated_or_replaced_is_read_from_its_beginning() {
    let (folder, path, mut watched) = watched();
    append(&path, "16\n16\n16\n16\n");
    assert_eq!(watched.poll().unwrap(), FileEvent::Grew);
    fs::write(&path, "20\n").unwrap();
    assert_eq!(watched.poll().unwrap(), FileEvent::Restarted);
    assert_eq!(frames(&watched), 1);
    let other = folder.path().join("other.csv");
    fs::write(&other, "30\n30\n30\n").unwrap();
    fs::rename(&other, &path).unwrap();
    assert_eq!(watched.poll().unwrap(), FileEvent::Restarted);
    assert_eq!(frames(&watched), 3);
    append(&path, "30\n");
    assert_eq!(watched.poll().unwrap(), FileEvent::Grew);
    assert_eq!(frames(&watched), 4);
}

#[test]
fn the_analysis_of_a_removed_file_is_kept_until_another_file_exists() {
    let (_folder, path, mut watched) = watched();
    append(&path, "16\n17\n");
    watched.poll().unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(watched.poll().unwrap(), FileEvent::Missing);
    assert_eq!(frames(&watched), 2);
    append(&path, "40\n");
    assert_eq!(watched.poll().unwrap(), FileEvent::Restarted);
    assert_eq!(frames(&watched), 1);
}

#[test]
fn a_bad_row_is_skipped_and_reported_or_is_an_error() {
    let (_folder, path, mut watched) = watched();
    append(&path, "16\nsixteen\n17\n");
    watched.poll().unwrap();
    let current = watched.current().unwrap();
    assert_eq!(current.analysis.warnings, ["1 unreadable rows were skipped"]);
    assert_eq!(current.last_skipped.unwrap().line, 2);
    assert_eq!(frames(&watched), 2);
    let error = WatchedFile::new(&path, BadRows::Fail).poll().unwrap_err().to_string();
    assert!(error.contains("game.csv:2: frame time: "), "{error}");
}

#[test]
fn folders_and_pipes_are_refused_and_an_absent_file_is_missing() {
    let (folder, _, watched) = watched();
    let error = WatchedFile::new(folder.path(), BadRows::Skip)
        .poll()
        .unwrap_err()
        .to_string();
    assert!(error.contains("it is not a regular file"), "{error}");
    assert!(matches!(watched.complete(), Err(TraceError::Unreadable { .. })));
}

#[test]
fn a_file_of_many_megabytes_is_read_in_parts() {
    let (_folder, path, mut watched) = watched();
    let row = format!("{:99}\n", 16);
    fs::write(&path, row.repeat(90_000)).unwrap();
    let polls = std::iter::from_fn(|| Some(watched.poll().unwrap())).take_while(|news| *news == FileEvent::Grew);
    assert_eq!(polls.count(), 3);
    assert_eq!(frames(&watched), 90_000);
}
