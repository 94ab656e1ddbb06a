//! A carry-less binary arithmetic coder with adaptive probabilities.
//!
//! The interval arithmetic is that of M. Mahoney's lpaq, as described in *Data Compression Explained*, section 3.2; the adaptive
//! rate, which is one divided by the number of bits seen, in section 4.1.1.

/// The bits that a probability is learned from, at most: beyond them old bits count less and less.
const MAX_COUNT: u8 = 60;

/// The least probability of either value, out of 2¹⁶.
const LEAST: u16 = 24;

/// How often a bit was set where it was coded before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probability {
    /// That the bit is set, out of 2¹⁶.
    set: u16,
    count: u8,
}

impl Probability {
    /// Before any bit, with a bit that is set once in about `2^16 / set` times.
    pub(crate) const fn new(set: u16) -> Self {
        Self { set, count: 1 }
    }

    fn update(&mut self, bit: bool) {
        let target = if bit { i32::from(u16::MAX) } else { 0 };
        let step = (target - i32::from(self.set)) / (i32::from(self.count) + 1);
        // Both bounds are within 16 bits.
        let set = (i32::from(self.set) + step).clamp(i32::from(LEAST), i32::from(u16::MAX - LEAST));
        self.set = set as u16;
        self.count = (self.count + 1).min(MAX_COUNT);
    }
}

/// Writes or reads bits. A model calls the same methods for both, so that both learn the same.
pub(crate) trait Coder {
    /// Writes `bit` and returns it, or ignores `bit` and returns the one that is read.
    fn bit(&mut self, probability: &mut Probability, bit: bool) -> bool;

    /// The same for `count` bits, each set as often as not.
    fn raw(&mut self, bits: u64, count: u32) -> u64;
}

/// The interval that the bits so far have led to, and where a bit divides it.
#[derive(Clone, Copy, Debug)]
struct Interval {
    low: u32,
    high: u32,
}

impl Interval {
    const ALL: Self = Self { low: 0, high: u32::MAX };

    /// The last value at which the bit is set.
    fn middle(self, set: u16) -> u32 {
        // Less than the width, because the probability is less than 2¹⁶.
        let width = u64::from(self.high - self.low);
        self.low + ((width * u64::from(set)) >> 16) as u32
    }

    fn narrow(&mut self, middle: u32, bit: bool) {
        if bit {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
    }

    /// The first byte, if it is certain. It leaves the interval.
    fn shift(&mut self) -> Option<u8> {
        let is_certain = (self.low ^ self.high) >> 24 == 0;
        is_certain.then(|| {
            let byte = (self.high >> 24) as u8;
            self.low <<= 8;
            self.high = (self.high << 8) | 0xFF;
            byte
        })
    }
}

/// Even chances.
const HALF: u16 = 1 << 15;

/// Writes bits to bytes.
#[derive(Debug)]
pub(crate) struct Writer {
    interval: Interval,
    bytes: Vec<u8>,
}

impl Writer {
    pub(crate) const fn new() -> Self {
        Self {
            interval: Interval::ALL,
            bytes: Vec::new(),
        }
    }

    fn write(&mut self, set: u16, bit: bool) {
        let middle = self.interval.middle(set);
        self.interval.narrow(middle, bit);
        while let Some(byte) = self.interval.shift() {
            self.bytes.push(byte);
        }
    }

    /// The bytes. A reader takes those after the end for zeros, so as few are written as lead into the interval.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let Interval { low, high } = self.interval;
        for kept in 0..=4_u32 {
            let rest = u32::MAX.checked_shr(8 * kept).unwrap_or(0);
            let value = low.checked_add(rest).map(|value| value & !rest);
            if let Some(value) = value.filter(|value| *value <= high) {
                self.bytes.extend(&value.to_be_bytes()[..kept as usize]);
                break;
            }
        }
        while self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        self.bytes
    }
}

impl Coder for Writer {
    fn bit(&mut self, probability: &mut Probability, bit: bool) -> bool {
        self.write(probability.set, bit);
        probability.update(bit);
        bit
    }

    fn raw(&mut self, bits: u64, count: u32) -> u64 {
        for index in (0..count).rev() {
            self.write(HALF, bits >> index & 1 == 1);
        }
        bits
    }
}

/// Reads bits from bytes.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    interval: Interval,
    value: u32,
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let mut reader = Self {
            interval: Interval::ALL,
            value: 0,
            bytes,
        };
        (0..4).for_each(|_| reader.shift());
        reader
    }

    fn shift(&mut self) {
        let (byte, rest) = self.bytes.split_first().unwrap_or((&0, &[]));
        self.bytes = rest;
        self.value = self.value << 8 | u32::from(*byte);
    }

    fn read(&mut self, set: u16) -> bool {
        let middle = self.interval.middle(set);
        let bit = self.value <= middle;
        self.interval.narrow(middle, bit);
        while self.interval.shift().is_some() {
            self.shift();
        }
        bit
    }
}

impl Coder for Reader<'_> {
    fn bit(&mut self, probability: &mut Probability, _: bool) -> bool {
        let bit = self.read(probability.set);
        probability.update(bit);
        bit
    }

    fn raw(&mut self, _: u64, count: u32) -> u64 {
        (0..count).fold(0, |bits, _| bits << 1 | u64::from(self.read(HALF)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bits_are_read_as_they_were_written(
            bits in prop::collection::vec((0_usize..3, prop::bool::weighted(0.1)), 0..2000),
            raw in any::<u64>(),
        ) {
            let (mut writer, mut probabilities) = (Writer::new(), [Probability::new(HALF); 3]);
            for (of, bit) in &bits {
                writer.bit(&mut probabilities[*of], *bit);
                writer.raw(raw, *of as u32 * 21);
            }
            let bytes = writer.finish();
            let (mut reader, mut probabilities) = (Reader::new(&bytes), [Probability::new(HALF); 3]);
            for (of, bit) in &bits {
                prop_assert_eq!(reader.bit(&mut probabilities[*of], false), *bit);
                let count = *of as u32 * 21;
                prop_assert_eq!(reader.raw(0, count), raw & ((1 << count) - 1));
            }
        }
    }

    #[test]
    fn ten_thousand_equal_bits_take_less_than_ten_bytes() {
        let (mut writer, mut probability) = (Writer::new(), Probability::new(HALF));
        (0..10_000).for_each(|_| _ = writer.bit(&mut probability, true));
        assert!(writer.finish().len() < 10);
    }
}
