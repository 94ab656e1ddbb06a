//! Float functions that `core` lacks.
//!
//! Trigonometric functions and `exp` come from libm on every platform: those of the platforms differ in their last bits, which
//! makes simulations diverge. Square roots are correctly rounded everywhere (IEEE 754), so they come from `std` where there is one.

#[cfg(feature = "std")]
pub(crate) fn sqrt(x: f32) -> f32 {
    x.sqrt()
}

#[cfg(feature = "std")]
pub(crate) fn sqrt_f64(x: f64) -> f64 {
    x.sqrt()
}

#[cfg(not(feature = "std"))]
pub(crate) fn sqrt(x: f32) -> f32 {
    libm::sqrtf(x)
}

#[cfg(not(feature = "std"))]
pub(crate) fn sqrt_f64(x: f64) -> f64 {
    libm::sqrt(x)
}

pub(crate) fn exp(x: f64) -> f64 {
    libm::exp(x)
}

pub(crate) fn sin_cos(x: f32) -> (f32, f32) {
    libm::sincosf(x)
}

/// The sine of an angle from zero to a quarter turn, bit-identical to libm's `sinf` and without its range reduction.
pub(crate) fn sin_of_quarter(x: f32) -> f32 {
    let (angle, is_small) = (f64::from(x), x < core::f32::consts::FRAC_PI_4);
    let from = if is_small {
        angle
    } else {
        core::f64::consts::FRAC_PI_2 - angle
    };
    let square = from * from;
    let fourth = square * square;
    // The polynomials of libm's k_sinf and k_cosf, from FreeBSD's msun.
    if is_small {
        let rest = -0.000_198_393_348_360_966_32 + square * 0.000_002_718_311_493_989_822;
        let cube = square * from;
        (from + cube * (-0.166_666_666_416_265_24 + square * 0.008_333_329_385_889_463) + cube * fourth * rest) as f32
    } else {
        let rest = -0.001_388_676_377_460_993 + square * 0.000_024_390_448_796_277_41;
        (1.0 + square * -0.499_999_997_251_031 + fourth * 0.041_666_623_323_739_06 + fourth * square * rest) as f32
    }
}

pub(crate) fn acos(x: f32) -> f32 {
    libm::acosf(x)
}

pub(crate) fn atan2(y: f32, x: f32) -> f32 {
    libm::atan2f(y, x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sine_of_up_to_a_quarter_turn_is_bit_identical_to_that_of_libm() {
        let most = core::f32::consts::FRAC_PI_2.to_bits();
        let ends = (0..1000).chain(most - 1000..=most);
        let middle = 0x3f49_0fdb - 1000..0x3f49_0fdb + 1000_u32;
        for bits in ends.chain(middle).chain((0..=most).step_by(997)) {
            let x = f32::from_bits(bits);
            assert_eq!(sin_of_quarter(x).to_bits(), libm::sincosf(x).0.to_bits(), "{x:e}");
        }
    }
}
