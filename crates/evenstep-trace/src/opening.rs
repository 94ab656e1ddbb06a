//! How a file begins: what it is, and where its rows start.

use std::io::{self, BufRead};

use crate::columns::{Columns, normalized};
use crate::events::ATRACE_MARK;
use crate::gfxinfo;
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
    /// What was read of the content itself, where there is no header.
    pub(crate) content: Vec<u8>,
}

impl Opening {
    /// A file without a header, which begins with `content`.
    fn headless(format: Format, lines: u64, content: &[u8]) -> Self {
        Self {
            format,
            columns: match format {
                Format::Plain => Columns::plain(),
                _ => Columns::of_instants(),
            },
            delimiter: b';',
            lines: lines - 1,
            content: content.to_vec(),
        }
    }
}

/// Reads as far as the header, or the first row where there is none.
pub(crate) fn read(input: &mut impl BufRead, file: &str) -> Result<Opening, TraceError> {
    let unreadable = |source| TraceError::unreadable(file, source);
    let (mut lines, mut skips_next) = (0, false);
    while let Some(line) = next_line(input).map_err(unreadable)? {
        lines += 1;
        let not_a_trace = |reason: String| TraceError::NotATrace {
            file: file.to_owned(),
            line: lines,
            reason,
        };
        let text = as_text(&line).ok_or_else(|| not_a_trace("it is not text".to_owned()))?;
        let text = text.trim_start_matches('\u{feff}').trim_end_matches(['\r', '\n']);
        let is_preface = text.trim().is_empty() || text.starts_with("//") || text.starts_with('#');
        if std::mem::take(&mut skips_next) || is_preface || is_mangohud_preface(text) {
            // The names of the machine's parts are followed by the parts.
            skips_next = text.starts_with(MANGOHUD_MACHINE);
            continue;
        }
        return interpret(text, &line, lines).map_err(not_a_trace);
    }
    Err(TraceError::Empty { file: file.to_owned() })
}

/// How MangoHud names the parts of the machine.
const MANGOHUD_MACHINE: &str = "os,cpu,gpu";

/// What MangoHud writes before the names of its columns: versions, titles and the machine.
fn is_mangohud_preface(text: &str) -> bool {
    let is_version = text
        .strip_prefix('v')
        .is_some_and(|rest| rest.starts_with(|char: char| char.is_ascii_digit()));
    let is_title = text.starts_with("---") && !text.contains(gfxinfo::SECTION);
    is_version || is_title || text.starts_with(MANGOHUD_MACHINE)
}

/// The next line with its end; none at the end of the file. An endless line is cut off.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    io::Read::take(input, LONGEST_LINE).read_until(b'\n', &mut line)?;
    Ok(Some(line).filter(|line| !line.is_empty()))
}

/// A line that is text; one that was cut off may end within a character.
fn as_text(line: &[u8]) -> Option<&str> {
    let text = match std::str::from_utf8(line) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => std::str::from_utf8(&line[..error.valid_up_to()]).ok()?,
        Err(_) => return None,
    };
    (!text.contains('\0')).then_some(text)
}

fn interpret(text: &str, line: &[u8], lines: u64) -> Result<Opening, String> {
    if crate::milliseconds::parse(text).is_ok() {
        return Ok(Opening::headless(Format::Plain, lines, line));
    }
    if gfxinfo::begins(text) {
        return Ok(Opening::headless(Format::Gfxinfo, lines, line));
    }
    if text.starts_with(['{', '[']) {
        return Ok(Opening::headless(Format::ChromeTrace, lines, line));
    }
    if text.contains(ATRACE_MARK) {
        return Ok(Opening::headless(Format::Atrace, lines, line));
    }
    let delimiter = if text.matches(';').count() > text.matches(',').count() {
        b';'
    } else {
        b','
    };
    let names = split_header(text, delimiter);
    let (format, columns) = Columns::find(&names).ok_or_else(|| {
        let shown: String = text.chars().take(40).collect();
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
        content: Vec::new(),
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
