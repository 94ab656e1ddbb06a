//! Detects the format of a file and reads its rows into a sink.

use std::io::{self, BufReader, Read as _};

use crate::error::{BadRows, TraceError};
use crate::read::columns::Columns;
use crate::read::decoder::Decoded;
use crate::read::format::Format;
use crate::read::json::Json;
use crate::read::lines::Lines;
use crate::read::machine::Machine;
use crate::read::reorder_buffer::{ReorderBuffer, Sink};
use crate::read::{atrace, chrome, gfxinfo, opening, perfetto, table};

/// The result of reading a file.
pub(crate) struct Read<S> {
    pub(crate) format: Format,
    pub(crate) machine: Machine,
    /// Warnings about the file, each a sentence.
    pub(crate) warnings: Vec<String>,
    pub(crate) sink: S,
}

/// Reads a trace into a sink.
pub(crate) fn read<S: Sink>(
    input: &mut dyn io::Read,
    file: &str,
    bad_rows: BadRows,
    mut sink: S,
) -> Result<Read<S>, TraceError> {
    let (format, machine, warnings) = read_into(input, file, bad_rows, &mut sink)?;
    Ok(Read {
        format,
        machine,
        warnings,
        sink,
    })
}

/// Not generic, so that all readers are compiled once: generic ones would be compiled again for each kind of input and sink, in
/// each crate that reads a trace.
fn read_into(
    input: &mut dyn io::Read,
    file: &str,
    bad_rows: BadRows,
    sink: &mut dyn Sink,
) -> Result<(Format, Machine, Vec<String>), TraceError> {
    let (is_perfetto, input) = peek(input).map_err(|source| TraceError::unreadable(file, source))?;
    if is_perfetto {
        let columns = Columns::of_timeline();
        let mut ordered = ReorderBuffer::new(file, bad_rows, &columns, sink);
        perfetto::read(BufReader::with_capacity(1 << 16, input), file, &mut ordered)?;
        let (_, warnings) = ordered.finish(Format::Perfetto)?;
        return Ok((Format::Perfetto, Machine::default(), warnings));
    }
    let input = Decoded::new(input).map_err(|source| TraceError::unreadable(file, source))?;
    let mut lines = Lines::new(BufReader::with_capacity(1 << 16, input));
    let opening = opening::read(&mut lines, file)?;
    let (mut format, mut machine) = (opening.format, opening.machine);
    let ordered = |columns| ReorderBuffer::new(file, bad_rows, columns, sink);
    let (_, warnings) = match format {
        Format::ChromeTrace => match Json::read(lines, file)? {
            Json::Chrome(text) => {
                let mut ordered = ordered(&opening.columns);
                chrome::read(&text, file, &mut ordered)?;
                ordered.finish(format)?
            }
            Json::CapFrameX(capture) => {
                format = Format::CapFrameXJson;
                machine = capture.machine();
                let columns = Columns::of_capframex(capture.has_times());
                let mut ordered = ordered(&columns);
                capture.read(&mut ordered)?;
                ordered.finish(format)?
            }
        },
        Format::Atrace => {
            let mut ordered = ordered(&opening.columns);
            atrace::read(lines, file, &mut ordered)?;
            ordered.finish(format)?
        }
        Format::Gfxinfo => {
            let mut ordered = ordered(&opening.columns);
            gfxinfo::read(lines, file, &mut ordered)?;
            ordered.finish(format)?
        }
        _ => {
            let mut ordered = ordered(&opening.columns);
            table::read(lines, file, &opening.columns, opening.delimiter, &mut ordered)?;
            ordered.finish(format)?
        }
    };
    Ok((format, machine, warnings))
}

/// Reads bytes until it is known whether the file is a Perfetto trace, which is not text. Returns the whole input.
fn peek<R: io::Read>(mut input: R) -> io::Result<(bool, impl io::Read)> {
    let mut head = Vec::new();
    let mut is_at_end = false;
    let is_perfetto = loop {
        match perfetto::begins(&head, is_at_end) {
            Some(is_perfetto) => break is_perfetto,
            None => is_at_end = input.by_ref().take(4096).read_to_end(&mut head)? == 0,
        }
    };
    Ok((is_perfetto, io::Cursor::new(head).chain(input)))
}
