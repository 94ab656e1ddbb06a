//! Multiplication of 128-bit integers to 256 bits.

/// Returns the higher and the lower 128 bits of `a × b`.
pub(crate) const fn mul_wide(a: u128, b: u128) -> (u128, u128) {
    const LOW: u128 = u64::MAX as u128;
    let ([a1, a0], [b1, b0]) = ([a >> 64, a & LOW], [b >> 64, b & LOW]);
    let low = a0 * b0;
    // Neither sum overflows: (2^64 - 1)^2 + 2 (2^64 - 1) = 2^128 - 1.
    let middle = a1 * b0 + (low >> 64);
    let other = a0 * b1 + (middle & LOW);
    (a1 * b1 + (middle >> 64) + (other >> 64), other << 64 | low & LOW)
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_product_equals_that_of_arbitrary_precision_integers(a: u128, b: u128) {
            let (high, low) = mul_wide(a, b);
            prop_assert_eq!((BigUint::from(high) << 128_u32) + low, BigUint::from(a) * b);
        }
    }

    #[test]
    fn the_largest_product_fits() {
        assert_eq!(mul_wide(u128::MAX, u128::MAX), (u128::MAX - 1, 1));
    }
}
