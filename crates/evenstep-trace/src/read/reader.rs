//! Reads a file that arrives in pieces: detects its format, and passes its rows to a sink.

use std::io;

use crate::error::{BadRows, TraceError};
use crate::read::columns::Columns;
use crate::read::decoder::Decoder;
use crate::read::format::Format;
use crate::read::gfxinfo::Gfxinfo;
use crate::read::lines::{LONGEST_LINE, Line, LineSplitter};
use crate::read::opening::Preface;
use crate::read::reorder_buffer::{ReorderBuffer, Sink};
use crate::read::table::Table;
use crate::read::{atrace, json, perfetto};

/// The number of bytes that are read at once: few enough for the second-level cache.
const PIECE: usize = 64 * 1024;

/// The result of reading a file.
pub(crate) struct Read<S> {
    pub(crate) format: Format,
    /// Warnings about the file, each a sentence.
    pub(crate) warnings: Vec<String>,
    pub(crate) sink: S,
}

/// Reads a whole file into a sink.
pub(crate) fn read<S: Sink>(
    input: &mut dyn io::Read,
    file: &str,
    bad_rows: BadRows,
    sink: S,
) -> Result<Read<S>, TraceError> {
    let mut reader = Reader::new(file, bad_rows, sink);
    let mut piece = vec![0; PIECE];
    loop {
        match input.read(&mut piece) {
            Ok(0) => return reader.complete(),
            Ok(count) => reader.push(&piece[..count])?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(source) => return Err(TraceError::unreadable(file, source)),
        }
    }
}

/// Reads a file that arrives in pieces. Where it is cut into pieces changes nothing.
#[derive(Clone)]
pub(crate) struct Reader<S> {
    parser: Parser,
    sink: S,
}

impl<S: Sink> Reader<S> {
    pub(crate) fn new(file: &str, bad_rows: BadRows, sink: S) -> Self {
        let parser = Parser {
            decoder: Decoder::default(),
            splitter: LineSplitter::default(),
            content: Content {
                file: file.to_owned(),
                kind: Kind::Bytes(Vec::new()),
                format: None,
                ordered: ReorderBuffer::new(file, bad_rows),
            },
        };
        Self { parser, sink }
    }

    /// Reads the next bytes. A line counts once its line ending has been read.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), TraceError> {
        // What is read of a piece waits in memory until it is passed on.
        bytes.chunks(PIECE).try_for_each(|piece| {
            let result = self.parser.push(piece, false);
            self.parser.content.ordered.drain_into(&mut self.sink);
            result
        })
    }

    /// The format of the file, once it is known.
    pub(crate) fn format(&self) -> Option<Format> {
        self.parser.content.format
    }

    /// The result of the whole file: its last line counts also without a line ending.
    pub(crate) fn complete(mut self) -> Result<Read<S>, TraceError> {
        self.parser.push(&[], true)?;
        self.end()
    }

    /// The result of the complete lines.
    pub(crate) fn end(mut self) -> Result<Read<S>, TraceError> {
        let Content {
            file,
            kind,
            format,
            mut ordered,
        } = self.parser.content;
        let Some(format) = format else {
            return Err(TraceError::Empty { file });
        };
        if let Kind::Table(table) = kind {
            table.finish(&mut ordered);
        }
        let warnings = ordered.finish(format)?;
        ordered.drain_into(&mut self.sink);
        Ok(Read {
            format,
            warnings,
            sink: self.sink,
        })
    }
}

/// Not generic, so that the readers of all formats are compiled once.
#[derive(Clone)]
struct Parser {
    decoder: Decoder,
    splitter: LineSplitter,
    content: Content,
}

#[derive(Clone)]
struct Content {
    file: String,
    kind: Kind,
    format: Option<Format>,
    ordered: ReorderBuffer,
}

#[derive(Clone)]
enum Kind {
    /// The first bytes, until it is known whether they are text.
    Bytes(Vec<u8>),
    /// The first text, until it is known whether it is JSON.
    Text(Vec<u8>),
    /// All of a file that is read at its end: the bytes of a Perfetto trace, or JSON as text.
    Whole(Vec<u8>),
    Preface(Preface),
    Table(Box<Table>),
    Atrace,
    Gfxinfo(Gfxinfo),
}

impl Parser {
    fn push(&mut self, bytes: &[u8], is_at_end: bool) -> Result<(), TraceError> {
        let content = &mut self.content;
        if let Kind::Bytes(head) = &mut content.kind {
            head.extend_from_slice(bytes);
            let Some(is_perfetto) = perfetto::begins(head, is_at_end) else {
                return Ok(());
            };
            let head = std::mem::take(head);
            content.kind = Kind::Text(Vec::new());
            if is_perfetto {
                content.begin(Format::Perfetto, Columns::of_presented_instants());
                content.kind = Kind::Whole(Vec::new());
            }
            return self.push(&head, is_at_end);
        }
        if content.format == Some(Format::Perfetto) {
            return self.text(bytes, is_at_end);
        }
        let mut text = self.decoder.text(bytes);
        if is_at_end {
            let last = self.decoder.finish();
            text.to_mut().extend_from_slice(&last);
        }
        self.text(&text, is_at_end)
    }

    fn text(&mut self, text: &[u8], is_at_end: bool) -> Result<(), TraceError> {
        let Self { splitter, content, .. } = self;
        match &mut content.kind {
            Kind::Text(head) => {
                head.extend_from_slice(text);
                let first = head.iter().find(|byte| !byte.is_ascii_whitespace()).copied();
                if first.is_none() && !is_at_end && head.len() < LONGEST_LINE {
                    return Ok(());
                }
                let head = std::mem::take(head);
                content.kind = Kind::Preface(Preface::default());
                if let Some(b'{' | b'[') = first {
                    content.kind = Kind::Whole(Vec::new());
                    content.format = Some(Format::ChromeTrace);
                }
                self.text(&head, is_at_end)
            }
            Kind::Whole(all) => {
                all.extend_from_slice(text);
                if is_at_end {
                    let all = std::mem::take(all);
                    let (file, ordered) = (&content.file, &mut content.ordered);
                    match content.format {
                        Some(Format::Perfetto) => perfetto::read(&all, file, ordered)?,
                        _ => content.format = Some(json::read(&all, file, ordered)?),
                    }
                }
                Ok(())
            }
            _ => {
                splitter.push(text, |line| content.line(line))?;
                match is_at_end {
                    true => splitter.finish(|line| content.line(line)),
                    false => Ok(()),
                }
            }
        }
    }
}

impl Content {
    fn begin(&mut self, format: Format, columns: Columns) {
        self.format = Some(format);
        self.ordered.begin(columns);
    }

    fn line(&mut self, line: &Line<'_>) -> Result<(), TraceError> {
        match &mut self.kind {
            Kind::Table(table) => table.read(line, &mut self.ordered),
            Kind::Atrace => atrace::read(line, &mut self.ordered),
            Kind::Gfxinfo(gfxinfo) => gfxinfo.read(line, &mut self.ordered),
            Kind::Preface(preface) => {
                let Some(opening) = preface.read(line, &self.file)? else {
                    return Ok(());
                };
                self.kind = match opening.format {
                    Format::Atrace => Kind::Atrace,
                    Format::Gfxinfo => Kind::Gfxinfo(Gfxinfo::default()),
                    _ => Kind::Table(Box::new(Table::new(opening.delimiter))),
                };
                self.begin(opening.format, opening.columns);
                match opening.is_header {
                    true => Ok(()),
                    false => self.line(line),
                }
            }
            Kind::Bytes(_) | Kind::Text(_) | Kind::Whole(_) => Ok(()),
        }
    }
}
