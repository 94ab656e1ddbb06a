//! Ratios as whole numbers of 2^-24, with products that every language has exactly.

/// A ratio of 1.
pub(super) const ONE: i64 = 1 << BITS;
const BITS: u32 = 24;

/// The longest time, in nanoseconds: over two years.
pub(super) const MOST: i64 = 1 << 56;

/// A number of nanoseconds times a ratio of up to 16, rounded down.
pub(super) const fn product(nanos: i64, ratio: i64) -> i64 {
    (nanos >> BITS) * ratio + (((nanos & (ONE - 1)) * ratio) >> BITS)
}

/// A part of a number, `by` 2^-`bits`, rounded down, of numbers whose product is below 2^53.
pub(super) const fn part(number: i64, by: i64, bits: u32) -> i64 {
    (number * by) >> bits
}
