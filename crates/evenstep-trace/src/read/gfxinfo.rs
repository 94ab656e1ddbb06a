//! Android's `adb shell dumpsys gfxinfo PACKAGE framestats`.
//!
//! Format: Android's documentation, *Test UI performance*: sections of comma-separated nanoseconds, one for each window.

use std::io::BufRead;

use crate::error::TraceError;
use crate::read::lines::Lines;
use crate::read::number;
use crate::read::reorder_buffer::{ReorderBuffer, Sink};
use crate::read::row::Row;

/// The line at the beginning and at the end of a section.
pub(crate) const SECTION: &str = "---PROFILEDATA---";

/// Whether a file that begins with this text is in this format.
pub(crate) fn begins(text: &str) -> bool {
    text.starts_with("Applications Graphics Acceleration Info")
        || text.starts_with(SECTION)
        || text.starts_with("Flags,")
}

/// Reads the intended start times of frames. Frames with flags, such as the first frame of a window, are irregular and are left out, as
/// Android recommends.
pub(crate) fn read<S: Sink>(
    mut lines: Lines<impl BufRead>,
    file: &str,
    ordered: &mut ReorderBuffer<'_, S>,
) -> Result<(), TraceError> {
    let mut package = String::new();
    let (mut section, mut columns) = (0, None);
    while let Some(line) = lines.next().map_err(|source| TraceError::unreadable(file, source))? {
        let text = String::from_utf8_lossy(line.text);
        let text = text.trim();
        if let Some(name) = process(text) {
            package = name.to_owned();
        } else if text.starts_with("Flags,") {
            section += 1;
            columns = find_columns(text);
        } else if text.starts_with(SECTION) || text.is_empty() {
            columns = columns.filter(|_| text.is_empty());
        } else if let Some((flags, start)) = columns {
            let fields: Vec<&str> = text.split(',').collect();
            let field = |at: usize| fields.get(at).copied().unwrap_or_default().trim();
            if field(flags) != "0" {
                continue;
            }
            match number::nanoseconds(field(start).as_bytes()) {
                Ok(start) => {
                    let window = format!("window {section}");
                    ordered.push([package.as_bytes(), b"", window.as_bytes()], Row::at(start));
                }
                Err(reason) => ordered.refuse(line.number, "IntendedVsync", reason)?,
            }
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
