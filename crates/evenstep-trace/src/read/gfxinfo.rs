//! Android's `adb shell dumpsys gfxinfo PACKAGE framestats`.
//!
//! Format: Android's documentation, *Test UI performance*: sections of comma-separated nanoseconds, one for each window. Each dump has the
//! newest 120 frames, so a file of several dumps repeats rows.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::error::TraceError;
use crate::read::lines::Line;
use crate::read::number;
use crate::read::reorder_buffer::Ordered;
use crate::read::row::Row;

/// The line at the beginning and at the end of a section.
pub(crate) const SECTION: &str = "---PROFILEDATA---";

/// The first line of a dump.
const DUMP: &str = "Applications Graphics Acceleration Info";

/// Whether a file that begins with this text is in this format.
pub(crate) fn begins(text: &str) -> bool {
    text.starts_with(DUMP) || text.starts_with(SECTION) || text.starts_with("Flags,")
}

/// Dumps that are being read.
#[derive(Clone, Default)]
pub(crate) struct Gfxinfo {
    package: String,
    /// The number of the section in its dump.
    section: usize,
    /// The columns of the flags and of the start times, in a section.
    columns: Option<(usize, usize)>,
    /// The newest start time of each window.
    newest: BTreeMap<(String, usize), Duration>,
    /// Whether a row of this section was in the dump before, or there was none.
    is_joined: bool,
}

impl Gfxinfo {
    /// Reads a line, which may be a frame. The time before a frame with flags, such as the first frame of a window, is irregular and is
    /// left out, as Android recommends. The frame after it is measured from it.
    pub(crate) fn read(&mut self, line: &Line<'_>, ordered: &mut Ordered<'_>) -> Result<(), TraceError> {
        let text = String::from_utf8_lossy(line.text);
        let text = text.trim();
        if text.starts_with(DUMP) {
            self.section = 0;
        } else if let Some(name) = process(text) {
            (self.package, self.section) = (name.to_owned(), 0);
        } else if text.starts_with("Flags,") {
            self.section += 1;
            self.columns = find_columns(text);
            self.is_joined = !self.newest.contains_key(&(self.package.clone(), self.section));
        } else if text.starts_with(SECTION) {
            self.columns = None;
        } else if let Some((flags, start)) = self.columns.filter(|_| !text.is_empty()) {
            let field = |at: usize| text.split(',').nth(at).unwrap_or_default().trim();
            match number::nanoseconds(field(start).as_bytes()) {
                Ok(start) => self.frame(start, field(flags) != "0", line.number, ordered),
                Err(_) if field(flags) != "0" => {}
                Err(reason) => ordered.refuse(line.number, "IntendedVsync", reason)?,
            }
        }
        Ok(())
    }

    fn frame(&mut self, start: Duration, is_flagged: bool, line: u64, ordered: &mut Ordered<'_>) {
        let newest = self.newest.entry((self.package.clone(), self.section)).or_default();
        if start <= *newest {
            self.is_joined = true;
            return;
        }
        *newest = start;
        let window = format!("window {}", self.section);
        let mut row = Row::at(start);
        row.line = line;
        // Frames between two dumps that have no row in common are unknown.
        row.present.is_after_pause = is_flagged || !std::mem::replace(&mut self.is_joined, true);
        ordered.push([self.package.as_bytes(), b"", window.as_bytes()], row);
    }
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
