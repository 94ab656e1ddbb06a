//! The messages between two desync monitors, as bytes.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use evenstep::Tick;

/// No message is larger, so that each fits into a datagram.
const MAX_BYTES: usize = 1200;

/// Hashes in a message.
pub(super) const MAX_HASHES: usize = 128;

/// The parts into which a block is divided.
const MAX_PARTS: u32 = 64;

/// The format; messages of another are refused.
const VERSION: u8 = 2;

/// Consecutive values of a dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) start: u32,
    pub(super) len: u32,
}

impl Block {
    /// The parts of a block, at most 64 and of the same length, but for the last.
    pub(super) fn parts(self) -> impl ExactSizeIterator<Item = Self> {
        let size = self.len.div_ceil(MAX_PARTS).max(1);
        (0..self.len.div_ceil(size)).map(move |part| Self {
            start: self.start + part * size,
            len: size.min(self.len - part * size),
        })
    }
}

/// A message between the monitors of two peers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Message {
    /// The hashes of the states before consecutive ticks; 0 for one that was not saved.
    Hashes { first: Tick, hashes: Vec<u64> },
    /// The hashes of a block's parts are asked for, or the text of a block of one value.
    Question { tick: Tick, block: Block },
    /// The answer for a block of several values.
    Parts { tick: Tick, block: Block, hashes: Vec<u64> },
    /// The answer for a block of one value: its line in the dump, none behind the end.
    Line {
        tick: Tick,
        start: u32,
        line: Option<String>,
    },
}

impl Message {
    /// The message of a match.
    pub(super) fn to_bytes(&self, number: u32) -> Vec<u8> {
        let begin = |kind: u8, tick: &Tick| {
            let mut bytes = vec![VERSION, kind];
            bytes.extend(number.to_le_bytes());
            bytes.extend(tick.to_le_bytes());
            bytes
        };
        let words = |words: &[u64]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
        let block = |block: &Block| [block.start.to_le_bytes(), block.len.to_le_bytes()].concat();
        match self {
            Self::Hashes { first, hashes } => [begin(0, first), words(hashes)].concat(),
            Self::Question { tick, block: asked } => [begin(1, tick), block(asked)].concat(),
            Self::Parts {
                tick,
                block: asked,
                hashes,
            } => [begin(2, tick), block(asked), words(hashes)].concat(),
            Self::Line { tick, start, line } => {
                let text = line.as_deref().unwrap_or_default();
                [begin(3, tick), start.to_le_bytes().to_vec(), text.as_bytes().to_vec()].concat()
            }
        }
    }

    /// Reads a message and the number of its match; none if it is not one.
    pub(super) fn parse(bytes: &[u8]) -> Option<(u32, Self)> {
        if bytes.len() > MAX_BYTES {
            return None;
        }
        let ([VERSION, kind], rest) = bytes.split_first_chunk()? else {
            return None;
        };
        let (number, rest) = rest.split_first_chunk()?;
        let (tick, rest) = rest.split_first_chunk()?;
        let tick = Tick::from_le_bytes(*tick);
        let message = match kind {
            0 => {
                let hashes = words(rest).filter(|hashes| (1..=MAX_HASHES).contains(&hashes.len()))?;
                tick.checked_add(hashes.len() as Tick)?;
                Some(Self::Hashes { first: tick, hashes })
            }
            1 => {
                let (block, rest) = block(rest)?;
                rest.is_empty().then_some(Self::Question { tick, block })
            }
            2 => {
                let (block, rest) = block(rest)?;
                let hashes = words(rest).filter(|hashes| hashes.len() == block.parts().len())?;
                Some(Self::Parts { tick, block, hashes })
            }
            3 => {
                let (start, rest) = rest.split_first_chunk()?;
                let line = str::from_utf8(rest).ok()?;
                Some(Self::Line {
                    tick,
                    start: u32::from_le_bytes(*start),
                    line: (!line.is_empty()).then(|| line.to_owned()),
                })
            }
            _ => None,
        }?;
        Some((u32::from_le_bytes(*number), message))
    }
}

fn words(bytes: &[u8]) -> Option<Vec<u64>> {
    let (words, rest) = bytes.as_chunks();
    rest.is_empty()
        .then(|| words.iter().map(|word| u64::from_le_bytes(*word)).collect())
}

/// A block of at least one value, whose end is a number, too.
fn block(bytes: &[u8]) -> Option<(Block, &[u8])> {
    let (start, rest) = bytes.split_first_chunk()?;
    let (len, rest) = rest.split_first_chunk()?;
    let (start, len) = (u32::from_le_bytes(*start), u32::from_le_bytes(*len));
    start.checked_add(len)?;
    (len > 0).then_some((Block { start, len }, rest))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn messages() -> impl Strategy<Value = Message> {
        let hashes = || prop::collection::vec(any::<u64>(), 1..=MAX_HASHES);
        let blocks = || (0..1_u32 << 30, 1..1_u32 << 30).prop_map(|(start, len)| Block { start, len });
        prop_oneof![
            (0..1_u64 << 60, hashes()).prop_map(|(first, hashes)| Message::Hashes { first, hashes }),
            (any::<Tick>(), blocks()).prop_map(|(tick, block)| Message::Question { tick, block }),
            (any::<Tick>(), blocks()).prop_map(|(tick, block)| Message::Parts {
                tick,
                block,
                hashes: block.parts().map(|part| u64::from(part.start)).collect(),
            }),
            (any::<Tick>(), any::<u32>(), prop::option::of("[a-zé]{1,100}"))
                .prop_map(|(tick, start, line)| Message::Line { tick, start, line }),
        ]
    }

    proptest! {
        #[test]
        fn a_message_is_read_back_unchanged_and_fits_into_a_datagram(number in any::<u32>(), message in messages()) {
            let bytes = message.to_bytes(number);
            prop_assert!(bytes.len() <= MAX_BYTES);
            prop_assert_eq!(Message::parse(&bytes), Some((number, message)));
        }

        #[test]
        fn bytes_that_are_read_are_those_of_a_message(bytes in prop::collection::vec(0_u8..4, 0..40)) {
            if let Some((number, message)) = Message::parse(&bytes) {
                prop_assert_eq!(message.to_bytes(number), bytes);
            }
        }

        #[test]
        fn the_parts_of_a_block_are_disjoint_and_fill_it(start in 0_u32..1000, len in 1_u32..100_000) {
            let block = Block { start, len };
            let end = block.parts().fold(start, |end, part| {
                assert_eq!(part.start, end);
                part.start + part.len
            });
            prop_assert_eq!(end, start + len);
            prop_assert!(block.parts().len() <= 64 && (len == 1 || block.parts().len() > 1));
        }
    }
}
