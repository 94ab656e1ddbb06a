//! How a file begins: what it is, and where its rows start.

use std::io::{self, BufRead};

use crate::columns::{Columns, normalized};
use crate::{Format, TraceError};

/// The most bytes of a line that are looked at before the file counts as something else.
const LONGEST_LINE: u64 = 64 * 1024;

/// What the first lines of a file say.
pub(crate) struct Opening {
    pub(crate) format: Format,
    pub(crate) columns: Columns,
    pub(crate) delimiter: u8,
    /// Lines that were read.
    pub(crate) lines: u64,
    /// A first row that was read with them, where there is no header.
    pub(crate) first_row: Option<String>,
}

/// Reads as far as the header, or the first row where there is none.
pub(crate) fn read(input: &mut impl BufRead, file: &str) -> Result<Opening, TraceError> {
    let unreadable = |source| TraceError::Unreadable {
        file: file.to_owned(),
        source,
    };
    let mut lines = 0;
    while let Some(line) = next_line(input).map_err(unreadable)? {
        lines += 1;
        let not_a_trace = |reason: String| TraceError::NotATrace {
            file: file.to_owned(),
            line: lines,
            reason,
        };
        let line = String::from_utf8(line).map_err(|_| not_a_trace("it is not text".to_owned()))?;
        let line = line.trim_start_matches('\u{feff}').trim_end_matches(['\r', '\n']);
        if line.trim().is_empty() || line.starts_with("//") || line.starts_with('#') {
            continue;
        }
        return interpret(line, lines).map_err(not_a_trace);
    }
    Err(TraceError::Empty { file: file.to_owned() })
}

/// The next line with its end; none at the end of the file. An endless line is cut off.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    io::Read::take(input, LONGEST_LINE).read_until(b'\n', &mut line)?;
    Ok(Some(line).filter(|line| !line.is_empty()))
}

fn interpret(line: &str, lines: u64) -> Result<Opening, String> {
    let number = line.trim();
    if crate::milliseconds::parse(number).is_ok() {
        return Ok(Opening {
            format: Format::Plain,
            columns: Columns::plain(),
            delimiter: b';',
            lines,
            first_row: Some(number.to_owned()),
        });
    }
    if line.starts_with(['{', '[']) {
        return Err("it is JSON".to_owned());
    }
    let delimiter = if line.matches(';').count() > line.matches(',').count() {
        b';'
    } else {
        b','
    };
    let names = split_header(line, delimiter);
    let (format, columns) = Columns::find(&names).ok_or_else(|| {
        let shown: String = line.chars().take(40).collect();
        let has_a_time = names.iter().any(|name| normalized(name).contains("time"));
        let hint = if has_a_time {
            "no column holds the time between frames"
        } else {
            "it begins with"
        };
        format!("{hint} {shown:?}")
    })?;
    Ok(Opening {
        format,
        columns,
        delimiter,
        lines,
        first_row: None,
    })
}

fn split_header(line: &str, delimiter: u8) -> Vec<String> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .delimiter(delimiter)
        .from_reader(line.as_bytes());
    let record = reader.records().next().and_then(Result::ok).unwrap_or_default();
    record.iter().map(str::to_owned).collect()
}
