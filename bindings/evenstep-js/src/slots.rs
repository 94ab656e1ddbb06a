//! Memory in which JavaScript writes further arguments of a call, and reads the result.

/// The number of slots, which the longest report needs.
const COUNT: usize = 24;

/// Slots of 64 bits at a constant address.
pub(crate) struct Slots {
    bits: [u64; COUNT],
}

impl Slots {
    pub(crate) const fn new() -> Self {
        Self { bits: [0; COUNT] }
    }

    /// The address of the slots in bytes.
    pub(crate) fn address(&self) -> usize {
        self.bits.as_ptr() as usize
    }

    /// A number that JavaScript has written.
    pub(crate) fn read(&self, at: usize) -> f64 {
        f64::from_bits(self.bits[at])
    }

    /// Writes a number.
    #[inline]
    pub(crate) fn number(&mut self, at: usize, number: f64) {
        self.bits[at] = number.to_bits();
    }
}
