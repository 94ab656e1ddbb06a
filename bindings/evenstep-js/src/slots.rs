//! Where JavaScript puts further numbers of a call, and reads the result.

/// How many there are, as many as the longest report has.
const COUNT: usize = 24;

/// Slots of 64 bits. They stay where they are.
pub(crate) struct Slots {
    bits: [u64; COUNT],
    /// Whether there is nothing to hand out.
    pub(crate) is_none: bool,
}

impl Slots {
    pub(crate) const fn new() -> Self {
        Self {
            bits: [0; COUNT],
            is_none: false,
        }
    }

    /// Where they are, in bytes.
    pub(crate) fn address(&self) -> usize {
        self.bits.as_ptr() as usize
    }

    /// A number that JavaScript has put there.
    pub(crate) fn read(&self, at: usize) -> f64 {
        f64::from_bits(self.bits[at])
    }

    /// Writes a number.
    #[inline]
    pub(crate) fn number(&mut self, at: usize, number: f64) {
        self.bits[at] = number.to_bits();
    }

    /// Writes an integer, of which JavaScript makes a bigint.
    #[inline]
    pub(crate) fn integer(&mut self, at: usize, integer: i64) {
        self.bits[at] = integer.cast_unsigned();
    }
}
