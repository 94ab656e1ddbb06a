//! Reads numbered lines in bounded memory.

use std::io::{self, BufRead, Read};

use crate::read::blocks::{Blocks, LONGEST_LINE};

/// Reads numbered lines in bounded memory.
pub(crate) struct Lines<R> {
    input: R,
    number: u64,
    line: Vec<u8>,
    /// Whether the rest of the current line is still to be dropped.
    is_cut: bool,
    /// Whether `next` returns the current line again.
    is_put_back: bool,
}

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

impl<'l> Line<'l> {
    /// A line as read from the file, with its line ending if it has one.
    pub(crate) fn new(number: u64, read: &'l [u8], is_cut: bool) -> Self {
        let text = read.strip_suffix(b"\n").unwrap_or(read);
        Self {
            number,
            text: text.strip_suffix(b"\r").unwrap_or(text),
            is_cut,
            is_open: text.len() == read.len() && !is_cut,
        }
    }
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(input: R) -> Self {
        Self {
            input,
            number: 0,
            line: Vec::new(),
            is_cut: false,
            is_put_back: false,
        }
    }

    /// The next line; `None` at the end of the file.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        if !std::mem::take(&mut self.is_put_back) {
            if self.is_cut {
                self.input.skip_until(b'\n')?;
            }
            self.line.clear();
            Read::take(&mut self.input, LONGEST_LINE as u64).read_until(b'\n', &mut self.line)?;
            if self.line.is_empty() {
                return Ok(None);
            }
            self.number += 1;
            self.is_cut = self.line.len() == LONGEST_LINE && !self.line.ends_with(b"\n");
        }
        Ok(Some(Line::new(self.number, &self.line, self.is_cut)))
    }

    /// Makes `next` return the last line again.
    pub(crate) fn put_back(&mut self) {
        self.is_put_back = true;
    }

    /// The number of lines before the next one, and the rest of the input in blocks.
    pub(crate) fn into_blocks(mut self) -> io::Result<(u64, Blocks<R>)> {
        if self.is_put_back {
            let lines_before = self.number.saturating_sub(1);
            return Ok((lines_before, Blocks::new(self.line, self.is_cut, self.input)));
        }
        if self.is_cut {
            self.input.skip_until(b'\n')?;
        }
        Ok((self.number, Blocks::new(Vec::new(), false, self.input)))
    }

    /// The number of lines before the current one, and an input that begins with the current line.
    pub(crate) fn into_rest(self) -> (u64, impl Read) {
        (
            self.number.saturating_sub(1),
            io::Cursor::new(self.line).chain(self.input),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_cut_and_the_next_one_is_whole() {
        let text = format!("one\r\n{}\nthree", "x".repeat(3 * LONGEST_LINE));
        let mut lines = Lines::new(text.as_bytes());
        let mut seen = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            seen.push((line.number, line.text.len(), line.is_cut));
        }
        assert_eq!(seen, [(1, 3, false), (2, LONGEST_LINE, true), (3, 5, false)]);
    }

    #[test]
    fn a_line_that_was_put_back_is_read_again_and_begins_the_rest() {
        let mut lines = Lines::new("a\nb\nc".as_bytes());
        lines.next().unwrap();
        lines.next().unwrap();
        lines.put_back();
        assert_eq!(lines.next().unwrap().unwrap().text, b"b");
        let mut rest = String::new();
        let (before, mut input) = lines.into_rest();
        input.read_to_string(&mut rest).unwrap();
        assert_eq!((before, rest.as_str()), (1, "b\nc"));
    }
}
