//! What is likely in each field: the contexts of the coder.

use crate::delta::range_coder::{Coder, Probability};

/// The context of a field: what its values were like so far in this message.
#[derive(Debug)]
struct Context {
    /// The contexts of the fields within this one.
    children: Vec<Option<usize>>,
    /// That a container differs, by whether the last two at this place did.
    differs: [Probability; 4],
    differed: usize,
    /// The numbers at this place: those that differ from another state, and those that are new.
    numbers: [Option<Box<Number>>; 2],
}

/// The context of a number: a difference has a sign, a bit length, and the bits after the leading one.
#[derive(Debug)]
struct Number {
    /// That it is not zero, by the size of the number before it in the message.
    nonzero: [Probability; SIZES],
    negative: [Probability; 3],
    /// Of the sign of the last one: 0 for none.
    sign: usize,
    /// The bit length, digit by digit from the highest, by the size of the number before.
    length: [[Probability; 64]; SIZES],
    /// The first bits after the leading one, by the bit length.
    leading: [[Probability; 8]; 65],
    /// The last new value, which the next one is a difference from.
    last: u64,
}

/// The number of sizes into which numbers are divided.
const SIZES: usize = 5;

/// The number of bits after the leading one that are learned.
const LEADING: u32 = 3;

/// Numbers are new about as often as not, until it is known better.
const HALF: Probability = Probability::new(1 << 15);

impl Number {
    const fn new() -> Self {
        Self {
            nonzero: [HALF; SIZES],
            negative: [HALF; 3],
            sign: 0,
            length: [[HALF; 64]; SIZES],
            leading: [[HALF; 8]; 65],
            last: 0,
        }
    }

    /// Codes a difference, and returns it and its bit length.
    fn code(&mut self, coder: &mut impl Coder, size: usize, difference: i64) -> (i64, u32) {
        let magnitude = difference.unsigned_abs();
        if !coder.bit(&mut self.nonzero[size], difference != 0) {
            return (0, 0);
        }
        let is_negative = coder.bit(&mut self.negative[self.sign], difference < 0);
        self.sign = 1 + usize::from(is_negative);
        // From 0 to 63.
        let given = 63 - magnitude.max(1).leading_zeros();
        let (mut length, mut node) = (0, 1);
        for digit in (0..6).rev() {
            let bit = coder.bit(&mut self.length[size][node], given >> digit & 1 == 1);
            length = length << 1 | u32::from(bit);
            // The node after the last digit is not used.
            node = (node << 1 | usize::from(bit)) & 63;
        }
        let learned = length.min(LEADING);
        let (mut bits, mut node) = (1_u64, 1_usize);
        for index in 0..learned {
            let bit = magnitude >> (length.max(1) - 1 - index).min(63) & 1 == 1;
            let bit = coder.bit(&mut self.leading[length as usize][node], bit);
            bits = bits << 1 | u64::from(bit);
            node = (node << 1 | usize::from(bit)) & 7;
        }
        let rest = length - learned;
        let low = coder.raw(magnitude & ((1 << rest) - 1), rest);
        let magnitude = bits << rest | low;
        let difference = if is_negative {
            (magnitude as i64).wrapping_neg()
        } else {
            magnitude as i64
        };
        (difference, length + 1)
    }
}

/// The contexts of all fields of a state, for one message.
#[derive(Debug)]
pub(crate) struct Model {
    contexts: Vec<Context>,
    /// The size of the last number.
    size: usize,
}

/// The context of the whole state.
pub(crate) const ROOT: usize = 0;

impl Model {
    pub(crate) fn new() -> Self {
        let mut model = Self {
            contexts: Vec::new(),
            size: 0,
        };
        model.add();
        model
    }

    fn add(&mut self) -> usize {
        self.contexts.push(Context {
            children: Vec::new(),
            differs: [HALF; 4],
            differed: 0,
            numbers: [None, None],
        });
        self.contexts.len() - 1
    }

    /// The context of a field within another; the elements of a sequence have one in common.
    pub(crate) fn child(&mut self, of: usize, index: usize) -> usize {
        if let Some(Some(child)) = self.contexts[of].children.get(index) {
            return *child;
        }
        let child = self.add();
        let children = &mut self.contexts[of].children;
        if children.len() <= index {
            children.resize(index + 1, None);
        }
        children[index] = Some(child);
        child
    }

    /// Codes whether a container differs.
    pub(crate) fn differs(&mut self, of: usize, coder: &mut impl Coder, differs: bool) -> bool {
        let context = &mut self.contexts[of];
        let differs = coder.bit(&mut context.differs[context.differed], differs);
        context.differed = (context.differed << 1 | usize::from(differs)) & 3;
        differs
    }

    /// Codes a number, as a difference from that of the other state, or from the last new one at this place.
    pub(crate) fn number(&mut self, of: usize, coder: &mut impl Coder, before: Option<u64>, value: u64) -> u64 {
        let number = &mut self.contexts[of].numbers[usize::from(before.is_none())];
        let number = number.get_or_insert_with(|| Box::new(Number::new()));
        let before = before.unwrap_or(number.last);
        let (difference, length) = number.code(coder, self.size, value.wrapping_sub(before) as i64);
        let value = before.wrapping_add(difference as u64);
        number.last = value;
        self.size = match length {
            0 => 0,
            1..=3 => 1,
            4..=8 => 2,
            9..=16 => 3,
            _ => 4,
        };
        value
    }
}
