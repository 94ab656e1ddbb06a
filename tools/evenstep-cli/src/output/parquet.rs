//! Parquet files: tables whose columns are described in one place, written in row groups.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

/// The version of the tables. It changes when a column is removed or changes its meaning, not when a column is added.
pub(crate) const VERSION: &str = "1";

/// The number of rows that are kept in memory and written together.
const GROUP: usize = 1 << 15;

/// A column of a table of `R`s. Any value may be missing.
pub(crate) struct Column<R> {
    pub(crate) name: &'static str,
    /// Its description, which goes into the metadata of the file.
    pub(crate) about: &'static str,
    pub(crate) value: Value<R>,
}

/// The type of a column, with the function that gets its value from a row.
pub(crate) enum Value<R> {
    Whole(fn(&R) -> Option<i64>),
    Number(fn(&R) -> Option<f64>),
    Flag(fn(&R) -> Option<bool>),
    Text(fn(&R) -> Option<&str>),
}

impl<R> Value<R> {
    /// The column's declaration in a Parquet schema.
    fn of_column(&self, name: &str) -> String {
        match self {
            Self::Whole(_) => format!("optional int64 {name};"),
            Self::Number(_) => format!("optional double {name};"),
            Self::Flag(_) => format!("optional boolean {name};"),
            Self::Text(_) => format!("optional binary {name} (STRING);"),
        }
    }
}

/// A table that is being written.
pub(crate) struct TableWriter<R: 'static, W: Write + Send> {
    columns: &'static [Column<R>],
    writer: SerializedFileWriter<W>,
    rows: Vec<R>,
}

impl<R, W: Write + Send> TableWriter<R, W> {
    /// Begins a table with this name.
    pub(crate) fn new(name: &str, columns: &'static [Column<R>], output: W) -> io::Result<Self> {
        let fields: String = columns
            .iter()
            .map(|column| column.value.of_column(column.name))
            .collect();
        let schema = parse_message_type(&format!("message {name} {{ {fields} }}")).map_err(failed)?;
        let entry = |key: String, value: &str| KeyValue::new(key, Some(value.to_owned()));
        let mut metadata = vec![
            entry("evenstep.table".to_owned(), name),
            entry("evenstep.schema".to_owned(), VERSION),
        ];
        metadata.extend(
            columns
                .iter()
                .map(|column| entry(format!("evenstep.about.{}", column.name), column.about)),
        );
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(format!("evenstep {}", env!("CARGO_PKG_VERSION")))
            .set_key_value_metadata(Some(metadata));
        let writer =
            SerializedFileWriter::new(output, Arc::new(schema), Arc::new(properties.build())).map_err(failed)?;
        let rows = Vec::new();
        Ok(Self { columns, writer, rows })
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, row: R) -> io::Result<()> {
        self.rows.push(row);
        if self.rows.len() < GROUP {
            return Ok(());
        }
        self.write_group()
    }

    /// Writes the remaining rows and the end of the file.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.write_group()?;
        self.writer.close().map(drop).map_err(failed)
    }

    fn write_group(&mut self) -> io::Result<()> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let mut group = self.writer.next_row_group().map_err(failed)?;
        for column in self.columns {
            let Some(mut writer) = group.next_column().map_err(failed)? else {
                break;
            };
            write_column(writer.untyped(), &column.value, &self.rows).map_err(failed)?;
            writer.close().map_err(failed)?;
        }
        group.close().map_err(failed)?;
        self.rows.clear();
        Ok(())
    }
}

fn write_column<R>(writer: &mut ColumnWriter<'_>, value: &Value<R>, rows: &[R]) -> Result<(), ParquetError> {
    match (writer, value) {
        (ColumnWriter::Int64ColumnWriter(writer), Value::Whole(value)) => {
            let (values, present) = split(rows, value);
            writer.write_batch(&values, Some(&present), None)?;
        }
        (ColumnWriter::DoubleColumnWriter(writer), Value::Number(value)) => {
            let (values, present) = split(rows, value);
            writer.write_batch(&values, Some(&present), None)?;
        }
        (ColumnWriter::BoolColumnWriter(writer), Value::Flag(value)) => {
            let (values, present) = split(rows, value);
            writer.write_batch(&values, Some(&present), None)?;
        }
        (ColumnWriter::ByteArrayColumnWriter(writer), Value::Text(value)) => {
            let (values, present) = split(rows, |row| value(row).map(ByteArray::from));
            writer.write_batch(&values, Some(&present), None)?;
        }
        _ => return Err(ParquetError::General("a column is not of its type".to_owned())),
    }
    Ok(())
}

/// The values that are present, and for each row 1 if its value is present, else 0.
fn split<R, T>(rows: &[R], value: impl Fn(&R) -> Option<T>) -> (Vec<T>, Vec<i16>) {
    let mut values = Vec::with_capacity(rows.len());
    let present = rows.iter().map(|row| {
        let value = value(row);
        let is_there = i16::from(value.is_some());
        values.extend(value);
        is_there
    });
    let present = present.collect();
    (values, present)
}

fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}
