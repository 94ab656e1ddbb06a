//! Splits pieces of a file into lines.

use std::io::{BufRead as _, Read};

use crate::error::TraceError;
use crate::read::blocks::LONGEST_LINE;
use crate::read::lines::Line;

/// Splits bytes that arrive in pieces into the same lines into which [`Lines`](crate::read::lines::Lines) splits a whole file.
#[derive(Default)]
pub(crate) struct LineSplitter {
    /// The number of the last line, counted from 1.
    number: u64,
    /// The bytes of the next line so far.
    partial: Vec<u8>,
    /// Whether the rest of a line that was too long is still to be dropped.
    is_cut: bool,
}

impl LineSplitter {
    /// Calls `each` with every line that ends in these bytes.
    pub(crate) fn push(
        &mut self,
        mut bytes: &[u8],
        mut each: impl FnMut(&Line<'_>) -> Result<(), TraceError>,
    ) -> Result<(), TraceError> {
        while !bytes.is_empty() {
            if self.is_cut {
                let end = bytes.iter().position(|byte| *byte == b'\n');
                self.is_cut = end.is_none();
                bytes = end.map_or(&[], |end| &bytes[end + 1..]);
                continue;
            }
            let room = (LONGEST_LINE - self.partial.len()) as u64;
            let read = Read::take(&mut bytes, room).read_until(b'\n', &mut self.partial);
            read.map_err(|source| TraceError::unreadable("memory", source))?;
            if self.partial.ends_with(b"\n") || self.partial.len() == LONGEST_LINE {
                self.emit(&mut each)?;
            }
        }
        Ok(())
    }

    /// Calls `each` with the last line, if it has no line ending.
    pub(crate) fn finish(
        &mut self,
        mut each: impl FnMut(&Line<'_>) -> Result<(), TraceError>,
    ) -> Result<(), TraceError> {
        if self.partial.is_empty() {
            return Ok(());
        }
        self.emit(&mut each)
    }

    fn emit(&mut self, each: &mut impl FnMut(&Line<'_>) -> Result<(), TraceError>) -> Result<(), TraceError> {
        self.number += 1;
        self.is_cut = !self.partial.ends_with(b"\n") && self.partial.len() == LONGEST_LINE;
        let result = each(&Line::new(self.number, &self.partial, self.is_cut));
        self.partial.clear();
        result
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::read::lines::Lines;

    type Output = Vec<(u64, Vec<u8>, bool)>;

    fn whole(bytes: &[u8]) -> Output {
        let (mut lines, mut output) = (Lines::new(bytes), Vec::new());
        while let Some(line) = lines.next().unwrap() {
            output.push((line.number, line.text.to_vec(), line.is_cut));
        }
        output
    }

    fn in_pieces(pieces: &[&[u8]]) -> Output {
        let (mut lines, mut output) = (LineSplitter::default(), Vec::new());
        let mut each = |line: &Line<'_>| {
            output.push((line.number, line.text.to_vec(), line.is_cut));
            Ok(())
        };
        for piece in pieces {
            lines.push(piece, &mut each).unwrap();
        }
        lines.finish(&mut each).unwrap();
        output
    }

    proptest! {
        #[test]
        fn lines_do_not_depend_on_how_a_file_is_cut_into_pieces(
            lengths in prop::collection::vec(prop_oneof![0..5_usize, LONGEST_LINE - 2..LONGEST_LINE + 3], 0..6),
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
            prop_assert!(in_pieces(&pieces) == whole(text.as_bytes()));
        }
    }
}
