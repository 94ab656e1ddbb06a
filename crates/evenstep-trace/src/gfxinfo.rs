//! Android's `adb shell dumpsys gfxinfo PACKAGE framestats`.
//!
//! Format: Android's documentation, *Test UI performance*: sections of comma-separated nanoseconds, one for each window.

use std::io::{BufRead as _, BufReader, Read};
use std::time::Duration;

use crate::order::{InOrder, Sink};
use crate::present::Row;
use crate::{RowProblem, TraceError};

/// What a section begins and ends with.
pub(crate) const SECTION: &str = "---PROFILEDATA---";

/// Whether a file begins so.
pub(crate) fn begins(text: &str) -> bool {
    text.starts_with("Applications Graphics Acceleration Info")
        || text.starts_with(SECTION)
        || text.starts_with("Flags,")
}

/// Reads when frames were meant to begin. Frames with flags are not usual ones, such as the first of a window, and are
/// left out, as Android says.
pub(crate) fn read<S: Sink>(input: impl Read, file: &str, ordered: &mut InOrder<'_, S>) -> Result<(), TraceError> {
    let mut package = String::new();
    let (mut section, mut columns) = (0, None);
    for (index, line) in BufReader::new(input).split(b'\n').enumerate() {
        let line = line.map_err(|source| TraceError::unreadable(file, source))?;
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if let Some(name) = process(line) {
            package = name.to_owned();
        } else if line.starts_with("Flags,") {
            section += 1;
            columns = find_columns(line);
        } else if line.starts_with(SECTION) || line.is_empty() {
            columns = columns.filter(|_| line.is_empty());
        } else if let Some((flags, start)) = columns {
            let problem = |reason: String| {
                TraceError::Row(RowProblem {
                    file: file.to_owned(),
                    line: index as u64 + 1,
                    field: "IntendedVsync".to_owned(),
                    reason,
                })
            };
            let fields: Vec<&str> = line.split(',').collect();
            let field = |at: usize| fields.get(at).copied().unwrap_or_default().trim();
            if field(flags) != "0" {
                continue;
            }
            let nanos = field(start).parse();
            let nanos = nanos.map_err(|_| problem(format!("{:?} is no number of nanoseconds", field(start))))?;
            let start = Duration::from_nanos(nanos);
            let window = format!("window {section}");
            ordered.push([package.as_bytes(), b"", window.as_bytes()], Row::at(start));
        }
    }
    Ok(())
}

/// The package of a line such as `** Graphics info for pid 4711 [com.example.game] **`.
fn process(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("** Graphics info for pid ")?;
    let (_, name) = rest.split_once('[')?;
    name.split_once(']').map(|(name, _)| name)
}

fn find_columns(header: &str) -> Option<(usize, usize)> {
    let at = |name: &str| header.split(',').position(|column| column.trim() == name);
    Some((at("Flags")?, at("IntendedVsync")?))
}
