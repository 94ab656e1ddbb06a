//! The first lines of a file: its format, and where its rows begin.

use std::io::BufRead;

use crate::error::TraceError;
use crate::read::columns::{Columns, normalized};
use crate::read::format::Format;
use crate::read::lines::{Line, Lines};
use crate::read::machine::Machine;
use crate::read::record::header;
use crate::read::{atrace, gfxinfo, number};

/// The result of reading the first lines of a file.
pub(crate) struct Opening {
    pub(crate) format: Format,
    pub(crate) columns: Columns,
    pub(crate) delimiter: u8,
    pub(crate) machine: Machine,
    /// Whether the line that identified the format is a header, not data.
    pub(crate) is_header: bool,
}

impl Opening {
    /// A file without a header.
    fn headless(format: Format) -> Self {
        Self {
            format,
            columns: match format {
                Format::Plain => Columns::plain(),
                _ => Columns::of_instants(),
            },
            delimiter: b';',
            machine: Machine::default(),
            is_header: false,
        }
    }

    /// Reads the machine from the first row of a file, as OCAT writes it.
    pub(crate) fn learn_first_row(&mut self, row: &[u8]) {
        if self.is_header {
            self.machine.learn_row(self.columns.names(), row, self.delimiter);
        }
    }
}

/// Reads the header; without a header, reads up to the first row.
pub(crate) fn read(lines: &mut Lines<impl BufRead>, file: &str) -> Result<Opening, TraceError> {
    let unreadable = |source| TraceError::unreadable(file, source);
    let mut preface = Preface::default();
    while let Some(line) = lines.next().map_err(unreadable)? {
        let Some(mut opening) = preface.read(&line, file)? else {
            continue;
        };
        if !opening.is_header {
            lines.put_back();
        } else if let Some(row) = lines.next().map_err(unreadable)? {
            opening.learn_first_row(row.text);
            lines.put_back();
        }
        return Ok(opening);
    }
    Err(TraceError::Empty { file: file.to_owned() })
}

/// The lines before the one that identifies the format.
#[derive(Default)]
pub(crate) struct Preface {
    machine: Machine,
    /// The names of the machine's parts, whose values are on the next line.
    parts: Option<Vec<String>>,
}

impl Preface {
    /// Interprets a line; `None` if it belongs to the preface.
    pub(crate) fn read(&mut self, line: &Line<'_>, file: &str) -> Result<Option<Opening>, TraceError> {
        let not_a_trace = |reason: String| TraceError::NotATrace {
            file: file.to_owned(),
            line: line.number,
            reason,
        };
        let text = as_text(line.text).ok_or_else(|| not_a_trace("it is not text".to_owned()))?;
        let text = text.trim_start_matches('\u{feff}');
        let is_comment = text.trim().is_empty() || text.starts_with("//") || text.starts_with('#');
        let is_preface = is_comment || is_mangohud_preface(text) || atrace::is_preface(text);
        if let Some(names) = self.parts.take() {
            self.machine.learn_row(&names, text.as_bytes(), b',');
            return Ok(None);
        }
        if is_preface {
            let setting = text.strip_prefix("//").and_then(|text| text.split_once('='));
            if let Some((name, value)) = setting {
                self.machine.learn(name, value);
            }
            self.parts = text.starts_with(MANGOHUD_MACHINE).then(|| header(text, b','));
            return Ok(None);
        }
        let mut opening = interpret(text).map_err(not_a_trace)?;
        opening.machine = std::mem::take(&mut self.machine);
        Ok(Some(opening))
    }
}

/// The header of the line in which MangoHud describes the machine.
const MANGOHUD_MACHINE: &str = "os,cpu,gpu";

/// Whether a line is one of the lines that MangoHud writes before the names of its columns: versions, titles and the machine.
fn is_mangohud_preface(text: &str) -> bool {
    let is_version = text
        .strip_prefix('v')
        .is_some_and(|rest| rest.starts_with(|char: char| char.is_ascii_digit()));
    let is_title = text.starts_with("---") && !text.contains(gfxinfo::SECTION);
    is_version || is_title || text.starts_with(MANGOHUD_MACHINE)
}

/// A line as text. A truncated line may end within a character.
fn as_text(line: &[u8]) -> Option<&str> {
    let text = match std::str::from_utf8(line) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => std::str::from_utf8(&line[..error.valid_up_to()]).ok()?,
        Err(_) => return None,
    };
    (!text.contains('\0')).then_some(text)
}

fn interpret(text: &str) -> Result<Opening, String> {
    if number::frame_time(text.trim().as_bytes()).is_ok() {
        return Ok(Opening::headless(Format::Plain));
    }
    if gfxinfo::begins(text) {
        return Ok(Opening::headless(Format::Gfxinfo));
    }
    if text.trim_start().starts_with(['{', '[']) {
        return Ok(Opening::headless(Format::ChromeTrace));
    }
    if atrace::begins(text) {
        return Ok(Opening::headless(Format::Atrace));
    }
    let delimiter = if text.matches(';').count() > text.matches(',').count() {
        b';'
    } else {
        b','
    };
    let names = header(text, delimiter);
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
        machine: Machine::default(),
        is_header: true,
    })
}
