//! The hash of states.

use core::hash::Hasher;

/// The hash of Fowler, Noll and Vo, 64 bits, variant 1a: the same in every release of Rust.
///
/// Integers are hashed as little-endian bytes. Values that Rust adds by itself, lengths and the indices of an enum's variants, have 64 bits
/// on every platform.
pub(super) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

/// Takes in integers the same way on every processor.
macro_rules! write_little_endian {
    ($($write:ident: $number:ty),*) => {
        $(fn $write(&mut self, number: $number) {
            self.write(&number.to_le_bytes());
        })*
    };
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    write_little_endian! { write_u16: u16, write_u32: u32, write_u64: u64, write_u128: u128 }
    write_little_endian! { write_i16: i16, write_i32: i32, write_i64: i64, write_i128: i128 }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.write_i64(number as i64);
    }
}

#[cfg(test)]
mod tests {
    use core::hash::{Hash, Hasher as _};

    use super::Fnv;

    fn hash(value: impl Hash) -> u64 {
        let mut hasher = Fnv::default();
        value.hash(&mut hasher);
        hasher.finish()
    }

    /// The hash of bytes, by the definition of FNV-1a.
    fn by_definition(bytes: &[u8]) -> u64 {
        bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
        })
    }

    #[test]
    fn integers_are_hashed_as_little_endian_bytes() {
        assert_eq!(hash(0x0102_0304_u32), by_definition(&[4, 3, 2, 1]));
        assert_eq!(hash(-2_i16), by_definition(&[0xfe, 0xff]));
    }

    #[test]
    fn lengths_and_variants_are_hashed_as_where_a_usize_has_64_bits() {
        assert_eq!(hash([7_u8].as_slice()), by_definition(&[1, 0, 0, 0, 0, 0, 0, 0, 7]));
        assert_eq!(hash(Some(7_u8)), by_definition(&[1, 0, 0, 0, 0, 0, 0, 0, 7]));
        assert_eq!(hash(-1_isize), by_definition(&[0xff; 8]));
    }
}
