//! The table of hashes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use anyhow::{Context, Result, bail};

/// The results of a target.
#[derive(Debug, PartialEq)]
pub(super) struct Column {
    pub(super) name: String,
    /// The date of the run.
    pub(super) date: String,
    /// The compilers and the program that ran it, with their versions.
    pub(super) tools: String,
    /// The hashes, by the names of the rows.
    pub(super) hashes: BTreeMap<String, String>,
}

/// The text of a cell whose hash is the row's.
pub(super) const SAME: &str = "=";

/// The text of a cell if a target does not have the engine.
pub(super) const NONE: &str = "–";

/// Fails if the cells of a row differ, or there is only one column.
pub(super) fn check(columns: &[Column]) -> Result<()> {
    let mut differing = Vec::new();
    for row in rows(columns) {
        let cells = cells(columns, row);
        let hashes: BTreeSet<&str> = cells.iter().flatten().copied().collect();
        if hashes.len() > 1 {
            let named = columns
                .iter()
                .zip(&cells)
                .filter_map(|(column, cell)| Some((&column.name, (*cell)?)));
            let named: Vec<String> = named.map(|(name, hash)| format!("{name} {hash}")).collect();
            differing.push(format!("{row}: {}", named.join(", ")));
        }
    }
    if !differing.is_empty() {
        bail!("not the same bits everywhere:\n{}", differing.join("\n"));
    }
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    println!(
        "same-bits: {} rows, the same on {}",
        rows(columns).len(),
        names.join(", ")
    );
    Ok(())
}

/// The rows in the order in which the first column has them.
fn rows(columns: &[Column]) -> Vec<&str> {
    let all: BTreeSet<&str> = columns
        .iter()
        .flat_map(|column| column.hashes.keys().map(String::as_str))
        .collect();
    all.into_iter().collect()
}

/// The cells of a row; `None` if a target does not have the engine.
fn cells<'a>(columns: &'a [Column], row: &str) -> Vec<Option<&'a str>> {
    columns
        .iter()
        .map(|column| column.hashes.get(row).map(String::as_str))
        .collect()
}

/// The table as the book shows it: the hash once, and `=` for equal hashes.
pub(super) fn text(columns: &[Column]) -> Result<String> {
    let mut text = String::from("| | hash |");
    columns.iter().for_each(|column| _ = write!(text, " {} |", column.name));
    let _ = writeln!(text, "\n|---|---|{}", "---|".repeat(columns.len()));
    for row in rows(columns) {
        let cells = cells(columns, row);
        let first = cells.iter().flatten().next().context("a row without cells")?;
        let _ = write!(text, "| {row} | `{first}` |");
        for cell in &cells {
            let shown = match cell {
                Some(hash) if hash == first => SAME,
                Some(hash) => hash,
                None => NONE,
            };
            let _ = write!(text, " {shown} |");
        }
        text.push('\n');
    }
    text.push_str("\nMade:\n\n");
    for column in columns {
        let _ = writeln!(text, "- {}, {}: {}", column.name, column.date, column.tools);
    }
    Ok(text)
}
