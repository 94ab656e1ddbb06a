//! Reads a file that arrives in pieces: detects its format, and passes its rows to a sink.

use std::io;

use crate::error::{BadRows, TraceError};
use crate::read::decoder::Decoder;
use crate::read::format::Format;
use crate::read::frame_builder::{FrameBuilder, Rows};
use crate::read::lines::{Line, LineSplitter, MAX_LINE_BYTES};
use crate::read::opening::Preface;
use crate::read::sink::Sink;
use crate::read::table::Table;
use crate::read::{json, perfetto};

/// The number of bytes that are read at once: few enough for the second-level cache.
const PIECE: usize = 64 * 1024;

/// What is known of a file when it has been read.
#[derive(Clone)]
pub(crate) struct Read {
    pub(crate) format: Format,
    /// Warnings about the file, each a sentence.
    pub(crate) warnings: Vec<String>,
}

/// Reads a whole file into a sink.
pub(crate) fn read(
    input: &mut dyn io::Read,
    file: &str,
    bad_rows: BadRows,
    sink: &mut dyn Sink,
) -> Result<Read, TraceError> {
    let mut reader = Reader::new(file, bad_rows);
    let mut piece = vec![0; PIECE];
    loop {
        match input.read(&mut piece) {
            Ok(0) => return reader.complete(sink),
            Ok(count) => reader.push(&piece[..count], false, sink)?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(source) => return Err(TraceError::unreadable(file, source)),
        }
    }
}

/// Reads a file that arrives in pieces. Where it is cut into pieces changes nothing.
#[derive(Clone)]
pub(crate) struct Reader {
    decoder: Decoder,
    splitter: LineSplitter,
    content: Content,
}

#[derive(Clone)]
struct Content {
    file: String,
    kind: Kind,
    format: Option<Format>,
    builder: FrameBuilder,
}

#[derive(Clone)]
enum Kind {
    /// The first text, until it is known whether it is JSON.
    Text(Vec<u8>),
    /// All of a file that is read at its end: the bytes of a Perfetto trace, or JSON as text.
    Whole(Vec<u8>),
    Preface(Preface),
    Table(Box<Table>),
}

impl Reader {
    pub(crate) fn new(file: &str, bad_rows: BadRows) -> Self {
        Self {
            decoder: Decoder::default(),
            splitter: LineSplitter::default(),
            content: Content {
                file: file.to_owned(),
                kind: Kind::Text(Vec::new()),
                format: None,
                builder: FrameBuilder::new(file, bad_rows),
            },
        }
    }

    /// The format of the file, once it is known.
    pub(crate) fn format(&self) -> Option<Format> {
        self.content.format
    }

    /// Ends the whole file: its last line counts also without a line ending.
    pub(crate) fn complete(mut self, sink: &mut dyn Sink) -> Result<Read, TraceError> {
        self.push(&[], true, sink)?;
        self.end(sink)
    }

    /// Ends the file after its last complete line.
    pub(crate) fn end(self, sink: &mut dyn Sink) -> Result<Read, TraceError> {
        let mut content = self.content;
        let Some(format) = content.format else {
            return Err(TraceError::Empty { file: content.file });
        };
        let builder = &mut content.builder;
        let mut rows = Rows { builder, sink };
        if let Kind::Table(table) = &content.kind {
            let warnings: Vec<String> = table.values.warnings(rows.columns()).collect();
            warnings.into_iter().for_each(|warning| rows.warn(warning));
        }
        let warnings = rows.finish(format)?;
        Ok(Read { format, warnings })
    }

    /// Reads the next bytes. A line counts once its line ending has been read, and the last one at the end.
    pub(crate) fn push(&mut self, bytes: &[u8], is_at_end: bool, sink: &mut dyn Sink) -> Result<(), TraceError> {
        let text = self.decoder.text(bytes, is_at_end);
        if self.decoder.is_perfetto() && self.content.format.is_none() {
            self.content.kind = Kind::Whole(Vec::new());
            self.content.format = Some(Format::Perfetto);
        }
        self.text(&text, is_at_end, sink)
    }

    fn text(&mut self, text: &[u8], is_at_end: bool, sink: &mut dyn Sink) -> Result<(), TraceError> {
        let Self { splitter, content, .. } = self;
        match &mut content.kind {
            Kind::Text(head) => {
                head.extend_from_slice(text);
                let first = head.iter().find(|byte| !byte.is_ascii_whitespace()).copied();
                if first.is_none() && !is_at_end && head.len() < MAX_LINE_BYTES {
                    return Ok(());
                }
                let head = std::mem::take(head);
                content.kind = Kind::Preface(Preface::default());
                if let Some(b'{' | b'[') = first {
                    content.kind = Kind::Whole(Vec::new());
                    content.format = Some(Format::ChromeTrace);
                }
                self.text(&head, is_at_end, sink)
            }
            Kind::Whole(all) => {
                all.extend_from_slice(text);
                if is_at_end {
                    let all = std::mem::take(all);
                    let builder = &mut content.builder;
                    let rows = &mut Rows { builder, sink };
                    match content.format {
                        Some(Format::Perfetto) => perfetto::read(&all, &content.file, rows)?,
                        _ => content.format = Some(json::read(&all, &content.file, rows)?),
                    }
                }
                Ok(())
            }
            _ => splitter.push(text, is_at_end, |line| content.line(line, sink)),
        }
    }
}

impl Content {
    fn line(&mut self, line: &Line<'_>, sink: &mut dyn Sink) -> Result<(), TraceError> {
        let builder = &mut self.builder;
        let rows = &mut Rows { builder, sink };
        match &mut self.kind {
            Kind::Table(table) => table.read(line, rows),
            Kind::Preface(preface) => {
                let Some(opening) = preface.read(line, &self.file)? else {
                    return Ok(());
                };
                self.kind = Kind::Table(Box::new(Table::new(opening.delimiter)));
                self.format = Some(opening.format);
                rows.begin(opening.columns);
                match opening.is_header {
                    true => Ok(()),
                    false => self.line(line, sink),
                }
            }
            Kind::Text(_) | Kind::Whole(_) => Ok(()),
        }
    }
}
