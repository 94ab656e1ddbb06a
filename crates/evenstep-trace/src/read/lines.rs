//! Splits text that arrives in pieces into numbered lines, in bounded memory.

use crate::error::TraceError;

/// The longest line that is kept, in bytes. The rest of a longer line is dropped.
pub(crate) const MAX_LINE_BYTES: usize = 64 * 1024;

/// A line without its line ending.
pub(crate) struct Line<'l> {
    /// Its number, counted from 1.
    pub(crate) number: u64,
    pub(crate) text: &'l [u8],
    /// Whether the line was too long, so that its rest is missing.
    pub(crate) is_cut: bool,
    /// Whether the file ends without a line ending: a tool that was killed may not have written the whole line.
    pub(crate) is_open: bool,
}

/// Splits text into lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineSplitter {
    /// The number of the last line.
    number: u64,
    /// The beginning of the next line.
    partial: Vec<u8>,
    /// Whether the rest of a line that was too long is still to be dropped.
    is_dropping: bool,
}

impl LineSplitter {
    /// Calls `each` with every line that ends in this text, and at the end of the file with the last one, if it has no line ending.
    pub(crate) fn push(
        &mut self,
        mut text: &[u8],
        is_at_end: bool,
        mut each: impl FnMut(&Line<'_>) -> Result<(), TraceError>,
    ) -> Result<(), TraceError> {
        while !text.is_empty() {
            let end = memchr::memchr(b'\n', text);
            let (piece, rest) = text.split_at(end.unwrap_or(text.len()));
            text = rest.get(1..).unwrap_or_default();
            if std::mem::take(&mut self.is_dropping) {
                self.is_dropping = end.is_none();
                continue;
            }
            if self.partial.is_empty() && end.is_some() && piece.len() <= MAX_LINE_BYTES {
                self.number += 1;
                each(&line(self.number, piece, false, false))?;
                continue;
            }
            let room = MAX_LINE_BYTES - self.partial.len();
            self.partial.extend_from_slice(&piece[..piece.len().min(room)]);
            let is_cut = piece.len() > room;
            // The input may have no further line.
            self.is_dropping = is_cut && end.is_none();
            if is_cut || end.is_some() {
                self.emit(is_cut, false, &mut each)?;
            }
        }
        match is_at_end && !self.partial.is_empty() {
            true => self.emit(false, true, &mut each),
            false => Ok(()),
        }
    }

    fn emit(
        &mut self,
        is_cut: bool,
        is_open: bool,
        each: &mut impl FnMut(&Line<'_>) -> Result<(), TraceError>,
    ) -> Result<(), TraceError> {
        self.number += 1;
        let result = each(&line(self.number, &self.partial, is_cut, is_open));
        self.partial.clear();
        result
    }
}

fn line(number: u64, text: &[u8], is_cut: bool, is_open: bool) -> Line<'_> {
    Line {
        number,
        text: text.strip_suffix(b"\r").unwrap_or(text),
        is_cut,
        is_open,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Output = Vec<(u64, Vec<u8>, bool, bool)>;

    fn split(pieces: &[&[u8]]) -> Output {
        let (mut lines, mut output) = (LineSplitter::default(), Vec::new());
        let mut each = |line: &Line<'_>| {
            output.push((line.number, line.text.to_vec(), line.is_cut, line.is_open));
            Ok(())
        };
        for piece in pieces {
            lines.push(piece, false, &mut each).unwrap();
        }
        lines.push(&[], true, &mut each).unwrap();
        output
    }

    #[test]
    fn a_line_that_is_too_long_is_cut_and_the_next_one_is_whole() {
        let text = format!("one\r\n{}\nthree", "x".repeat(3 * MAX_LINE_BYTES));
        let output = split(&[text.as_bytes()]);
        let shapes: Vec<_> = output
            .iter()
            .map(|line| (line.0, line.1.len(), line.2, line.3))
            .collect();
        assert_eq!(
            shapes,
            [
                (1, 3, false, false),
                (2, MAX_LINE_BYTES, true, false),
                (3, 5, false, true)
            ]
        );
    }

    proptest! {
        #[test]
        fn lines_do_not_depend_on_how_a_file_is_cut_into_pieces(
            lengths in prop::collection::vec(prop_oneof![0..5_usize, MAX_LINE_BYTES - 2..MAX_LINE_BYTES + 3], 0..6),
            end in prop_oneof![Just("\n"), Just("\r\n")],
            is_open in any::<bool>(),
            size in prop_oneof![1..4_usize, 1_000..200_000_usize],
        ) {
            let lines: Vec<String> = lengths.iter().map(|length| "x".repeat(*length)).collect();
            let mut text = lines.join(end);
            if !is_open {
                text += end;
            }
            let pieces: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
            prop_assert!(split(&pieces) == split(&[text.as_bytes()]));
        }
    }
}
