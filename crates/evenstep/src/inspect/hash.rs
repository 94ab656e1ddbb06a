//! The hash of a state, bit by bit.

use crate::inspect::visit::{Inspect, Leaf, Visitor};

/// 2⁶⁴ divided by the golden ratio, odd: the multiplier of Fibonacci hashing (D. Knuth, *The Art of Computer Programming*, volume 3,
/// section 6.4).
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// A 64-bit hash of all values of a state, for a checksum that peers compare.
///
/// It is the same on machines of any word size and byte order, and changes only with evenstep's minor version. States that
/// differ in one number always have different hashes; others have equal hashes with a probability of 1 in 2⁶⁴. It does not resist an
/// attacker who constructs two states with the same hash. Names have no effect, only values, their order, lengths and variants.
///
/// Cost: two multiplications and three simple operations per value; a byte counts as a value.
///
/// ```
/// use evenstep::inspect::hash;
///
/// assert_eq!(hash(&[1.0, 2.0]), hash(&[1.0, 2.0]));
/// assert_ne!(hash(&0.0), hash(&-0.0));
/// assert_ne!(hash(&f32::NAN), hash(&f32::from_bits(f32::NAN.to_bits() + 1)));
/// ```
#[must_use]
pub fn hash(state: &(impl Inspect + ?Sized)) -> u64 {
    let mut hasher = Hasher(GOLDEN);
    state.visit(&mut hasher);
    hasher.0
}

struct Hasher(u64);

impl Hasher {
    /// Can be undone for the hash and for the word: where one word differs and all others are equal, the hashes differ. A word is mixed
    /// before it meets the hash, so that a processor does that for the next words meanwhile.
    #[inline]
    fn word(&mut self, word: u64) {
        let product = word.wrapping_mul(GOLDEN);
        let mixed = product ^ (product >> 32);
        self.0 = self.0.wrapping_mul(GOLDEN).wrapping_add(mixed);
    }
}

impl Visitor for Hasher {
    #[inline]
    fn leaf(&mut self, leaf: Leaf<'_>) {
        match leaf {
            Leaf::Unit => self.word(0),
            Leaf::Bool(value) => self.word(value.into()),
            Leaf::Char(value) => self.word(u32::from(value).into()),
            Leaf::Unsigned(value) => self.word(value),
            Leaf::Signed(value) => self.word(value as u64),
            Leaf::Unsigned128(value) => {
                self.word(value as u64);
                self.word((value >> 64) as u64);
            }
            Leaf::Signed128(value) => self.leaf(Leaf::Unsigned128(value as u128)),
            Leaf::F32(value) => self.word(value.to_bits().into()),
            Leaf::F64(value) => self.word(value.to_bits()),
            Leaf::Text(value) => {
                self.word(value.len() as u64);
                for chunk in value.as_bytes().chunks(8) {
                    let mut word = [0; 8];
                    word[..chunk.len()].copy_from_slice(chunk);
                    self.word(u64::from_le_bytes(word));
                }
            }
            Leaf::Length(value) => self.word(value as u64),
            Leaf::Variant { index, .. } => self.word(index.into()),
        }
    }
}
