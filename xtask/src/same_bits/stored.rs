//! The stored table.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use xshell::Shell;

use super::table::{self, Column};

/// The book includes it.
const TABLE: &str = "stored/same-bits.md";

/// Stores a table.
pub(super) fn write(shell: &Shell, table: &str) -> Result<()> {
    Ok(shell.write_file(TABLE, table)?)
}

/// The columns of the stored table that were not made now. They are valid only if the program is still the
/// same, so the first column must be equal to the stored one.
pub(super) fn others(shell: &Shell, made: &[Column]) -> Result<Vec<Column>> {
    let mut columns = columns(&shell.read_file(TABLE)?)?;
    let first = made.first().context("no column was made")?;
    let is_same = columns
        .iter()
        .any(|column| column.name == first.name && column.hashes == first.hashes);
    columns.retain(|column| made.iter().all(|new| new.name != column.name));
    ensure!(
        is_same || columns.is_empty(),
        "{} differs from the stored column: run all targets",
        first.name
    );
    Ok(columns)
}

/// The columns of a table, as [`table::text`] writes them.
fn columns(table: &str) -> Result<Vec<Column>> {
    let cells = |line: &str| -> Vec<String> {
        let inner = line.trim_matches('|').split('|');
        inner.map(|cell| cell.trim().trim_matches('`').to_owned()).collect()
    };
    let mut rows = table.lines().filter(|line| line.starts_with('|')).map(cells);
    let head = rows.next().context("the table is empty")?;
    let rows: Vec<Vec<String>> = rows.skip(1).collect();
    let column = |(at, name): (usize, &String)| {
        let hash = |row: &Vec<String>| match row.get(at)?.as_str() {
            table::NONE => None,
            table::SAME => Some((row[0].clone(), row[1].clone())),
            other => Some((row[0].clone(), other.to_owned())),
        };
        let hashes: BTreeMap<String, String> = rows.iter().filter_map(hash).collect();
        let note = table.lines().find_map(|line| line.strip_prefix(&format!("- {name}, ")));
        let (date, tools) = note
            .and_then(|note| note.split_once(": "))
            .with_context(|| format!("the table does not say how {name} was made"))?;
        Ok(Column {
            name: name.clone(),
            date: date.to_owned(),
            tools: tools.to_owned(),
            hashes,
        })
    };
    head.iter().enumerate().skip(2).map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_read_back_unchanged() {
        let column = |name: &str, hashes: &[(&str, &str)]| Column {
            name: name.to_owned(),
            date: "2026-11-22".to_owned(),
            tools: format!("a compiler: that for {name}, opt-level 3"),
            hashes: hashes
                .iter()
                .map(|(row, hash)| (row.to_string(), hash.to_string()))
                .collect(),
        };
        let made = [
            column("x86-64", &[("bridge", "01"), ("spring", "02")]),
            column("x86-64-v3", &[("bridge", "01"), ("spring", "03")]),
            column("s390x", &[("spring", "02")]),
        ];
        assert_eq!(columns(&table::text(&made).unwrap()).unwrap(), made);
    }
}
