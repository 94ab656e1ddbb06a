//! Products that do not fit into 128 bits.

/// `a × b`, as its higher and lower 128 bits.
pub(crate) const fn product(a: u128, b: u128) -> (u128, u128) {
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
        fn a_product_is_that_of_unbounded_integers(a: u128, b: u128) {
            let (high, low) = product(a, b);
            prop_assert_eq!((BigUint::from(high) << 128_u32) + low, BigUint::from(a) * b);
        }
    }

    #[test]
    fn the_largest_product_fits() {
        assert_eq!(product(u128::MAX, u128::MAX), (u128::MAX - 1, 1));
    }
}
