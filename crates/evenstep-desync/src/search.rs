//! The search for the values in which two dumps on two machines differ.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::iter;

use evenstep::Tick;
use evenstep::inspect::{self, Desync, Dump};

use crate::message::{Block, Message};

/// A search ends when it has found as many differences.
const MAX_DIFFERENCES: usize = 32;

/// A question that was repeated for as many calls without an answer has none.
const IN_VAIN_AFTER: u32 = 8 * REPEAT_AFTER;

/// Blocks that are asked for at the same time.
const MAX_OPEN: usize = 8;

/// A question is repeated after as many calls of [`Search::questions`].
const REPEAT_AFTER: u32 = 30;

/// A search ends after this number of questions, whatever the peer answers. Without a limit a hostile peer could have every value
/// requested.
const MAX_QUESTIONS: usize = 4096;

/// A longer line is cut, and ends with the hash of the whole.
const MAX_LINE_BYTES: usize = 512;

/// The search for the differences between the dump of this machine and that of a peer.
///
/// The values of a dump are consecutive, in the order of the state. A block of them whose hash is another there is divided, and the
/// blocks that remain are those of single values. As long as the paths of two dumps are the same, a value has the same place in
/// both; behind the first place where they are not, nothing can be compared by place, and the report ends.
#[derive(Debug)]
pub(super) struct Search {
    /// The state, and after it the inputs, which are not compared.
    pub(super) dump: Dump,
    /// For each value of the state, and for the end: the sum of the hashes of those before.
    sums: Vec<u64>,
    /// The lengths of the blocks to be asked for by where they begin, and how many calls ago they were.
    open: BTreeMap<u32, (u32, u32)>,
    asked: usize,
    /// Whether the other machine was heard to search at this tick, too: then both go on, however many messages are lost.
    pub(super) is_shared: bool,
    /// The lines here and there.
    differences: BTreeMap<u32, [Option<String>; 2]>,
    report: Option<Desync>,
}

impl Search {
    pub(super) fn new(dump: Dump) -> Self {
        let hashes = dump
            .values()
            .enumerate()
            .map(|(index, line)| inspect::hash(&(index, line)));
        let sums = hashes.scan(0, |sum: &mut u64, hash| {
            *sum = sum.wrapping_add(hash);
            Some(*sum)
        });
        let sums: Vec<_> = iter::once(0).chain(sums).collect();
        // One more than there are here, in case that there are more there.
        let len = u32::try_from(sums.len()).unwrap_or(u32::MAX);
        Self {
            dump,
            sums,
            open: BTreeMap::from([(0, (len, 0))]),
            asked: 0,
            is_shared: false,
            differences: BTreeMap::new(),
            report: None,
        }
    }

    pub(super) const fn tick(&self) -> Tick {
        self.dump.tick()
    }

    /// Whether it ended without a difference, or the other machine was not heard to search at this tick.
    pub(super) fn is_in_vain(&self) -> bool {
        let first = self.open.values().next();
        self.report.is_none() && first.is_none_or(|(_, age)| *age > IN_VAIN_AFTER && !self.is_shared)
    }

    pub(super) const fn report(&self) -> Option<&Desync> {
        self.report.as_ref()
    }

    /// The hash of a block; a block behind the end has none.
    fn hash(&self, block: Block) -> u64 {
        let sum = |index: u32| self.sums[(index as usize).min(self.sums.len() - 1)];
        sum(block.start + block.len).wrapping_sub(sum(block.start))
    }

    /// The line of a value, as it is sent: cut where it is long.
    fn line(&self, index: u32) -> Option<String> {
        let mut values = self.dump.values().take(self.sums.len() - 1);
        let (path, value) = values.nth(index as usize)?;
        let mut line = format!("{path} = {value}");
        if line.len() > MAX_LINE_BYTES {
            let hash = inspect::hash(&line);
            let end = (0..=MAX_LINE_BYTES).rev().find(|&end| line.is_char_boundary(end));
            line.truncate(end.unwrap_or(0));
            line += &format!("… ({hash:#018X})");
        }
        Some(line)
    }

    /// The answer to a question of the peer.
    pub(super) fn answer(&self, block: Block) -> Message {
        let tick = self.tick();
        match block {
            Block { start, len: 1 } => Message::Line {
                tick,
                start,
                line: self.line(start),
            },
            block => Message::Parts {
                tick,
                block,
                hashes: block.parts().map(|part| self.hash(part)).collect(),
            },
        }
    }

    /// The questions that are due.
    pub(super) fn questions(&mut self) -> Vec<Message> {
        let tick = self.tick();
        let mut due = Vec::new();
        for (&start, (len, age)) in self.open.iter_mut().take(MAX_OPEN) {
            if age.is_multiple_of(REPEAT_AFTER) {
                let block = Block { start, len: *len };
                due.push(Message::Question { tick, block });
            }
            *age += 1;
        }
        due
    }

    /// Takes an answer: the hashes of a block's parts. One that was not asked for is ignored.
    pub(super) fn receive_parts(&mut self, block: Block, hashes: &[u64]) {
        if self.open.get(&block.start).is_none_or(|(len, _)| *len != block.len) {
            return;
        }
        self.open.remove(&block.start);
        self.asked += 1;
        let parts = block.parts().zip(hashes);
        let differing = parts.filter(|(part, hash)| self.hash(*part) != **hash);
        let differing: Vec<_> = differing.map(|(part, _)| (part.start, (part.len, 0))).collect();
        self.open.extend(differing);
        // Each block has a difference, so the others are not needed.
        while self.open.len() > MAX_DIFFERENCES {
            self.open.pop_last();
        }
        self.finish();
    }

    /// Takes an answer: the line of a value. One that was not asked for is ignored; false if it is not the line of a dump.
    pub(super) fn receive_line(&mut self, start: u32, there: Option<String>) -> bool {
        if Dump::from_lines(self.tick(), there.as_deref()).is_err() {
            return false;
        }
        if self.open.get(&start).is_none_or(|(len, _)| *len != 1) {
            return true;
        }
        self.open.remove(&start);
        self.asked += 1;
        let here = self.line(start);
        if here != there {
            self.differences.insert(start, [here, there]);
        }
        self.finish();
        true
    }

    /// Ends the search if it has found enough values.
    fn finish(&mut self) {
        let is_enough = self.differences.len() >= MAX_DIFFERENCES || self.asked >= MAX_QUESTIONS;
        if !self.open.is_empty() && !is_enough {
            return;
        }
        self.open.clear();
        let [mut here, mut there] = [const { Vec::new() }; 2];
        for (index, lines) in &self.differences {
            here.extend(lines[0].as_deref());
            there.extend(lines[1].as_deref());
            let path = self.dump.values().nth(*index as usize).map(|(path, _)| path);
            let is_at_path = |line: &String| path.is_some_and(|path| line.starts_with(&format!("{path} = ")));
            if !lines[1].as_ref().is_some_and(is_at_path) {
                break;
            }
        }
        let dump = |lines: Vec<&str>| Dump::from_lines(self.tick(), lines).ok();
        self.report = dump(here)
            .zip(dump(there))
            .and_then(|(here, there)| here.compare(&there));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn false_answers_keep_no_more_blocks_than_a_report_has_differences() {
        let mut search = Search::new(Dump::new(0, &alloc::vec![0_u8; 10_000]));
        for _ in 0..100 {
            let (&start, &(len, _)) = search.open.iter().next().expect("an open block");
            let block = Block { start, len };
            let hashes: Vec<_> = block.parts().map(|part| !search.hash(part)).collect();
            match len {
                1 => assert!(search.receive_line(start, search.line(start))),
                _ => search.receive_parts(block, &hashes),
            }
            assert!(search.open.len() <= MAX_DIFFERENCES);
        }
    }
}
