//! Results, where JavaScript reads them.

use alloc::boxed::Box;

use evenstep_flat::{Error, Exact};

/// Done.
const OK: u32 = 0;
/// There is nothing to hand out.
pub(crate) const NONE: u32 = 100;

/// The slots of 64 bits of an object. They stay where they are as long as it lives.
pub(crate) struct Slots<const N: usize>(Box<[u64; N]>);

impl<const N: usize> Slots<N> {
    pub(crate) fn new() -> Self {
        Self(Box::new([0; N]))
    }

    /// Where they are, in bytes.
    pub(crate) fn address(&self) -> usize {
        self.0.as_ptr() as usize
    }

    /// Writes a number.
    #[inline]
    pub(crate) fn number(&mut self, at: usize, number: f64) {
        self.put(at, number.to_bits());
    }

    /// Writes an integer, of which JavaScript makes a bigint.
    #[inline]
    pub(crate) fn integer(&mut self, at: usize, integer: i64) {
        self.put(at, integer.cast_unsigned());
    }

    /// Writes an exact time into five slots.
    pub(crate) fn exact(&mut self, at: usize, time: &Exact) {
        let parts = [
            time.seconds,
            time.numer_high,
            time.numer_low,
            time.denom_high,
            time.denom_low,
        ];
        for (offset, part) in parts.into_iter().enumerate() {
            self.put(at + offset, part);
        }
    }

    #[inline]
    fn put(&mut self, at: usize, bits: u64) {
        if let Some(slot) = self.0.get_mut(at) {
            *slot = bits;
        }
    }
}

/// The status of a result. `js/errors.ts` has the same numbers.
#[inline]
pub(crate) const fn status(result: Result<(), Error>) -> u32 {
    match result {
        Ok(()) => OK,
        Err(error) => code(error),
    }
}

/// Takes a result, if there is one.
#[inline]
pub(crate) fn take<T>(result: Result<T, Error>, use_it: impl FnOnce(T)) -> u32 {
    status(result.map(use_it))
}

const fn code(error: Error) -> u32 {
    match error {
        Error::Negative => 1,
        Error::NotFinite => 2,
        Error::Ratio => 3,
        Error::Range => 4,
        Error::Size => 5,
        Error::Missing => 6,
        Error::Order => 7,
        Error::TimeWentBack => 8,
        Error::Full => 9,
    }
}
