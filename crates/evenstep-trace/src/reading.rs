//! Reads a file of any format, row by row.

use std::io::{BufReader, Cursor, Read};

use csv::ByteRecord;

use crate::columns::{Columns, Unit};
use crate::json::Json;
use crate::number;
use crate::opening::{self, Opening};
use crate::order::{InOrder, Sink};
use crate::present::Row;
use crate::{Format, RowProblem, Rows, TraceError, events, gfxinfo, milliseconds};

/// Reads a trace into a sink. Answers with what it was, what is odd about it, and the sink.
pub(crate) fn read<S: Sink>(
    input: impl Read,
    file: &str,
    rows: Rows,
    sink: S,
) -> Result<(Format, Vec<String>, S), TraceError> {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut opening = opening::read(&mut input, file)?;
    let json = match opening.format {
        Format::ChromeTrace => Some(Json::read(Cursor::new(&opening.content).chain(&mut input), file)?),
        _ => None,
    };
    if let Some(Json::CapFrameX(_)) = &json {
        opening.format = Format::CapFrameXJson;
        opening.columns = Columns::of_presents();
    }
    let mut ordered = InOrder::new(&opening.columns, sink);
    let mut warnings = Vec::new();
    // What is buffered comes first, then the rest, which need not be buffered twice.
    let begun = [&opening.content, input.buffer()].concat();
    let content = Cursor::new(begun).chain(input.into_inner());
    match (json, opening.format) {
        (Some(Json::Chrome(events)), _) => events::frames(events, &mut ordered),
        (Some(Json::CapFrameX(capture)), _) => capture.read(file, &mut ordered)?,
        (None, Format::Atrace) => events::read_atrace(content, file, &mut ordered)?,
        (None, Format::Gfxinfo) => gfxinfo::read(content, file, &mut ordered)?,
        (None, _) => warnings.extend(read_table(content, file, &opening, rows, &mut ordered)?),
    }
    let (sink, late) = ordered.finish(opening.format, file)?;
    warnings.extend(late);
    Ok((opening.format, warnings, sink))
}

/// Reads rows of columns. Answers with what is odd about them.
fn read_table<S: Sink>(
    content: impl Read,
    file: &str,
    opening: &Opening,
    rows: Rows,
    ordered: &mut InOrder<'_, S>,
) -> Result<Option<String>, TraceError> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .delimiter(opening.delimiter)
        .buffer_capacity(1 << 16)
        .from_reader(content);
    let mut record = ByteRecord::new();
    let mut table = Table {
        columns: &opening.columns,
        wrapped: 0,
    };
    let unreadable = |error: csv::Error| TraceError::unreadable(file, error.into());
    while reader.read_byte_record(&mut record).map_err(unreadable)? {
        match table.read(&record) {
            Ok((names, row)) => ordered.push(names, row),
            Err((field, reason)) => {
                let problem = RowProblem {
                    file: file.to_owned(),
                    line: opening.lines + record.position().map_or(0, csv::Position::line),
                    field,
                    reason,
                };
                match rows {
                    Rows::All => return Err(TraceError::Row(problem)),
                    Rows::Readable => ordered.skip(problem),
                }
            }
        }
    }
    Ok(table.warning())
}

/// A field that is wrong, and why.
type Wrong = (String, String);

/// A table of rows.
struct Table<'a> {
    columns: &'a Columns,
    /// Values of the file's own that an unsigned wrap has spoilt.
    wrapped: u64,
}

impl Table<'_> {
    /// Whose row it is and what it says, or what is wrong with it.
    fn read<'r>(&mut self, record: &'r ByteRecord) -> Result<([&'r [u8]; 3], Row), Wrong> {
        let columns = self.columns;
        let field = |index: Option<usize>| field(columns, record, index);
        let is_generated = !matches!(field(columns.frame_type)?, b"" | b"NA" | b"Application" | b"NotSet");
        let delta = match field(Some(columns.delta))? {
            b"NA" => None,
            delta => {
                let delta = std::str::from_utf8(delta).map_err(|_| "is not text".to_owned());
                let delta = delta.and_then(match columns.unit {
                    Unit::Milliseconds => milliseconds::parse,
                    Unit::Nanoseconds => milliseconds::nanoseconds,
                });
                Some(delta.map_err(|reason| (columns.delta_name.clone(), reason)))
            }
        };
        // What a driver generated is not held against the row.
        let delta = match delta {
            Some(delta) if is_generated => delta.ok().filter(|_| columns.is_between_presents),
            delta => delta.transpose()?,
        };
        let names = [
            field(columns.application)?,
            field(columns.process)?,
            field(columns.swap_chain)?,
        ];
        // The columns about a present may be missing from a ragged row: then it tells nothing of it.
        let number = |index: Option<usize>| number::parse(record.get(index?)?.trim_ascii());
        let of = &columns.present;
        let is_wrapped = |text: &[u8]| text.starts_with(b"-18") || text.starts_with(b"-1.8");
        if field(of.animation_error).is_ok_and(is_wrapped) {
            self.wrapped += u64::from(number(of.animation_error).is_some_and(|error| error < -1e14));
        }
        let is_dropped = number(of.dropped).is_some_and(|dropped| dropped != 0.0);
        let row = Row {
            number: 0,
            time: number(columns.time).into(),
            delta,
            is_generated,
            cpu_start: number(of.cpu_start).into(),
            cpu_busy: number(of.cpu_busy).into(),
            gpu_busy: number(of.gpu_busy).into(),
            until_displayed: number(of.until_displayed).filter(|_| !is_dropped).into(),
            display_latency: number(of.display_latency).into(),
            animation_time: number(of.animation_time).into(),
        };
        Ok((names, row))
    }

    fn warning(&self) -> Option<String> {
        let wrapped = self.wrapped;
        let text = format!(
            "{wrapped} animation errors of the file's own are wrapped numbers near -1.8447e15 and count as missing"
        );
        (wrapped > 0).then_some(text)
    }
}

/// What a field holds; nothing where the file has no such column.
fn field<'r>(columns: &Columns, record: &'r ByteRecord, index: Option<usize>) -> Result<&'r [u8], Wrong> {
    let Some(index) = index else { return Ok(b"") };
    let field = record.get(index).ok_or_else(|| {
        let (has, needs) = (record.len(), index + 1);
        (
            columns.delta_name.clone(),
            format!("the row ends after column {has}, and {needs} are needed"),
        )
    })?;
    Ok(field.trim_ascii())
}
