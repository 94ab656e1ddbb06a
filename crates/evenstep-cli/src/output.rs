//! What a run is shown as: data on standard output and in files, progress on standard error.

use crate::summary::Summary;

pub(crate) mod charts;
pub(crate) mod csv;
pub(crate) mod file;
pub(crate) mod progress;
pub(crate) mod report;
mod table;

/// Prints a summary for a person or a program; the hash, if there is one, comes last.
pub(crate) fn print(summary: &Summary, json: bool) {
    if json {
        match serde_json::to_string_pretty(summary) {
            Ok(text) => println!("{text}"),
            Err(error) => eprintln!("evenstep: {error}"),
        }
    } else {
        print!("{}", table::of(summary));
    }
    if let Some(hash) = &summary.hash {
        println!("hash {} {}", hash.tick, hash.hash);
    }
}
