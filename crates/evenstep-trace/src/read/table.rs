//! Reads tables with a delimiter between columns. Each row is one line.

use std::io::BufRead;

use csv_core::ReadRecordResult;

use crate::error::TraceError;
use crate::read::columns::{Columns, Unit};
use crate::read::lines::{Line, Lines};
use crate::read::number;
use crate::read::order::{InOrder, Sink};
use crate::read::row::Row;

/// Reads rows into `ordered`. Returns a warning if values were wrapped.
pub(crate) fn read<S: Sink>(
    mut lines: Lines<impl BufRead>,
    file: &str,
    columns: &Columns,
    delimiter: u8,
    ordered: &mut InOrder<'_, S>,
) -> Result<Option<String>, TraceError> {
    let mut rows = Rows::new(delimiter);
    while let Some(line) = lines.next().map_err(|source| TraceError::unreadable(file, source))? {
        rows.read(&line, columns, ordered)?;
    }
    Ok(rows.warning())
}

/// Reads rows line by line.
pub(crate) struct Rows {
    record: Record,
    /// Animation errors of the file that are wrapped unsigned numbers.
    wrapped: u64,
}

impl Rows {
    pub(crate) fn new(delimiter: u8) -> Self {
        Self {
            record: Record::new(delimiter),
            wrapped: 0,
        }
    }

    /// Reads a line into `ordered`.
    pub(crate) fn read<S: Sink>(
        &mut self,
        line: &Line<'_>,
        columns: &Columns,
        ordered: &mut InOrder<'_, S>,
    ) -> Result<(), TraceError> {
        if line.text.trim_ascii().is_empty() || line.text.starts_with(b"#") {
            return Ok(());
        }
        let Self { record, wrapped } = self;
        let row = match line.is_cut {
            true => Err((0, format!("the line is longer than {} bytes", line.text.len()))),
            false => record
                .read(line.text)
                .and_then(|()| Table { columns, wrapped }.row(record)),
        };
        match row {
            Ok((names, row)) => ordered.push(names, row),
            Err((column, reason)) => ordered.refuse(line.number, &columns.name(column), reason)?,
        }
        Ok(())
    }

    /// A warning if values were wrapped.
    pub(crate) fn warning(&self) -> Option<String> {
        let wrapped = self.wrapped;
        let text = format!(
            "{wrapped} animation errors of the file's own are wrapped numbers near -1.8447e15 and count as missing"
        );
        (wrapped > 0).then_some(text)
    }
}

/// The fields of a header.
pub(crate) fn header(line: &str, delimiter: u8) -> Vec<String> {
    let mut record = Record::new(delimiter);
    if record.read(line.as_bytes()).is_err() {
        return Vec::new();
    }
    let names = (0..record.count).filter_map(|index| record.get(index));
    names.map(|name| String::from_utf8_lossy(name).into_owned()).collect()
}

/// The index of a bad field, and why it is bad.
type Wrong = (usize, String);

/// The fields of a line.
struct Record {
    reader: csv_core::Reader,
    line: Vec<u8>,
    fields: Vec<u8>,
    ends: Vec<usize>,
    count: usize,
}

impl Record {
    fn new(delimiter: u8) -> Self {
        let mut reader = csv_core::ReaderBuilder::new();
        reader.delimiter(delimiter).terminator(csv_core::Terminator::Any(b'\n'));
        Self {
            reader: reader.build(),
            line: Vec::new(),
            fields: Vec::new(),
            ends: Vec::new(),
            count: 0,
        }
    }

    /// Reads the fields of a line. A quote that stays open is an error: else it would swallow the lines that follow.
    fn read(&mut self, line: &[u8]) -> Result<(), Wrong> {
        self.line.clear();
        self.line.extend_from_slice(line);
        self.line.push(b'\n');
        // No more bytes come out than go in, and every field but the last ends with a delimiter.
        self.fields.resize(self.fields.len().max(self.line.len()), 0);
        self.ends.resize(self.ends.len().max(self.line.len()), 0);
        self.reader.reset();
        let (result, _, _, fields) = self.reader.read_record(&self.line, &mut self.fields, &mut self.ends);
        self.count = fields;
        match result {
            ReadRecordResult::Record => Ok(()),
            _ => Err((fields, "a quote is not closed on its line".to_owned())),
        }
    }

    fn get(&self, index: usize) -> Option<&[u8]> {
        let ends = &self.ends[..self.count];
        let start = index
            .checked_sub(1)
            .map_or(0, |before| ends[..self.count].get(before).copied().unwrap_or(0));
        self.fields.get(start..*ends.get(index)?)
    }
}

/// A table of rows.
struct Table<'a> {
    columns: &'a Columns,
    wrapped: &'a mut u64,
}

impl Table<'_> {
    /// A row and the names of its swap chain, or what is wrong with it.
    fn row<'r>(&mut self, record: &'r Record) -> Result<([&'r [u8]; 3], Row), Wrong> {
        let columns = self.columns;
        let field = |index: Option<usize>| field(columns, record, index);
        let is_generated = !matches!(field(columns.frame_type)?, b"" | b"NA" | b"Application" | b"NotSet");
        let delta = match field(Some(columns.delta))? {
            b"NA" => Ok(None),
            delta => self.delta(delta).map(Some),
        };
        let delta = match delta {
            // What a driver generated is not held against the row.
            delta if is_generated => delta.unwrap_or_default().filter(|_| columns.is_between_presents),
            delta => delta.map_err(|reason| (columns.delta, reason))?,
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
            *self.wrapped += u64::from(number(of.animation_error).is_some_and(|error| error < -1e14));
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

    fn delta(&self, text: &[u8]) -> Result<std::time::Duration, String> {
        match self.columns.unit {
            Unit::Nanoseconds => number::nanoseconds(text),
            Unit::Milliseconds if self.columns.is_cumulative => number::clock_time(text),
            Unit::Milliseconds => number::frame_time(text),
        }
    }
}

/// The text of a field; empty if the file has no such column.
fn field<'r>(columns: &Columns, record: &'r Record, index: Option<usize>) -> Result<&'r [u8], Wrong> {
    let Some(index) = index else { return Ok(b"") };
    let field = record.get(index).ok_or_else(|| {
        let (has, needs) = (record.count, index + 1);
        (
            columns.delta,
            format!("the row ends after column {has}, and {needs} are needed"),
        )
    })?;
    Ok(field.trim_ascii())
}
