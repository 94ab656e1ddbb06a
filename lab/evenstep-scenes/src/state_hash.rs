//! A portable hash over the bits of a state.

use std::hash::Hasher as _;

use fnv::FnvHasher;

/// A 64-bit hash over the bits of a state: FNV-1a over little-endian bytes, the same on every platform.
///
/// ```
/// use evenstep_scenes::StateHash;
///
/// let hash = |x: f64| StateHash::new().f64(x).finish();
/// assert_ne!(hash(0.0), hash(-0.0));
/// ```
#[derive(Default)]
pub struct StateHash(FnvHasher);

impl StateHash {
    /// The hash of nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the bits of a float.
    #[must_use]
    pub fn f64(self, value: f64) -> Self {
        self.u64(value.to_bits())
    }

    /// Adds bytes.
    #[must_use]
    pub fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.write(bytes);
        self
    }

    /// Adds an integer.
    #[must_use]
    pub fn u64(mut self, value: u64) -> Self {
        self.0.write(&value.to_le_bytes());
        self
    }

    /// The hash of everything that was added.
    #[must_use]
    pub fn finish(self) -> u64 {
        self.0.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_fnv_1a_of_little_endian_bytes() {
        // Eight bytes "foobar\0\0", by the definition of FNV-1a.
        let by_definition = b"foobar\0\0".iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
        });
        assert_eq!(
            StateHash::new().u64(u64::from_le_bytes(*b"foobar\0\0")).finish(),
            by_definition
        );
    }
}
