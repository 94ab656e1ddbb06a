//! Reads a file in blocks of whole lines.

use std::io::{self, Read};

/// The longest line that is kept, in bytes. The rest of a longer line is dropped.
pub(crate) const LONGEST_LINE: usize = 64 * 1024;

/// The number of bytes that are read at once: few enough for the second-level cache, enough to be worth a transfer to another thread.
const SIZE: usize = 64 * 1024;

/// The result of filling a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filled {
    /// The next read is likely to return more at once.
    Full,
    /// The input returned less than was requested. The next read may block, so the block should be processed first.
    Short,
    /// The input is at its end, and the block is empty.
    End,
}

/// Splits an input into blocks of whole lines, in bounded memory. A line never extends beyond the end of its block, because a row is one
/// line: a quote must close on the line on which it opens.
pub(crate) struct Blocks<R> {
    input: R,
    /// The beginning of a line whose end has not been read yet.
    rest: Vec<u8>,
    /// Whether that line is too long, so that the rest of it is dropped.
    drops: bool,
    is_at_end: bool,
}

impl<R: Read> Blocks<R> {
    /// Creates blocks that begin with `rest`, a line or the beginning of one. If it `is_cut`, the input continues in the middle of that
    /// line, and the rest of the line is dropped.
    pub(crate) fn new(rest: Vec<u8>, is_cut: bool, input: R) -> Self {
        Self {
            input,
            rest,
            drops: is_cut,
            is_at_end: false,
        }
    }

    /// Replaces the content of `block` with the next lines. Of a line that is too long, at least [`LONGEST_LINE`] bytes are
    /// kept.
    pub(crate) fn fill(&mut self, block: &mut Vec<u8>) -> io::Result<Filled> {
        block.clear();
        block.append(&mut self.rest);
        if block.ends_with(b"\n") {
            return Ok(Filled::Short);
        }
        while !self.is_at_end {
            let begin = block.len();
            block.resize(begin + SIZE, 0);
            let count = self.read(&mut block[begin..])?;
            block.truncate(begin + count);
            self.is_at_end = count == 0;
            if self.drops {
                let end = memchr::memchr(b'\n', &block[begin..]);
                self.drops = end.is_none();
                block.drain(begin..end.map_or(block.len(), |end| begin + end));
            }
            if let Some(end) = block[begin..].iter().rposition(|byte| *byte == b'\n') {
                self.rest.extend_from_slice(&block[begin + end + 1..]);
                block.truncate(begin + end + 1);
                let is_full = count > SIZE / 2;
                return Ok(if is_full { Filled::Full } else { Filled::Short });
            }
            if block.len() > LONGEST_LINE {
                block.truncate(LONGEST_LINE);
                self.drops = true;
            }
        }
        Ok(if block.is_empty() { Filled::End } else { Filled::Short })
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.input.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => return result,
            }
        }
    }
}
