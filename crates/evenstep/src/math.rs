//! Float functions that `core` lacks.
//!
//! Those of the platforms differ in their last bits, which makes simulations diverge. These consist of + − × ÷, which IEEE 754 defines
//! exactly, and give the same bits everywhere. The constants are from FreeBSD's msun (Sun Microsystems 1993) and from S. Moshier's Cephes.

use core::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};

/// The nearest integer, of halves the greater one. Valid for magnitudes below 2^63.
pub(crate) fn round(value: f64) -> f64 {
    floor(value + 0.5)
}

/// The largest integer that is at most `value`. Valid for magnitudes below 2^63.
fn floor(value: f64) -> f64 {
    let truncated = value as i64 as f64;
    if truncated > value { truncated - 1.0 } else { truncated }
}

/// √x, correctly rounded, as the processor's instruction computes it.
#[cfg(feature = "std")]
#[inline]
pub(crate) fn sqrt(x: f64) -> f64 {
    x.sqrt()
}

#[cfg(not(feature = "std"))]
pub(crate) fn sqrt(x: f64) -> f64 {
    sqrt_by_integers(x)
}

/// √x of an `f32`, correctly rounded: a root of twice the precision can be rounded again (S. Figueroa, *When is Double Rounding Innocuous?*,
/// 1995).
pub(crate) fn sqrt_f32(x: f32) -> f32 {
    sqrt(f64::from(x)) as f32
}

/// √x, correctly rounded: the integer root of the mantissa, with one bit more than the result.
#[cfg(any(test, not(feature = "std")))]
fn sqrt_by_integers(x: f64) -> f64 {
    if x == 0.0 || x == f64::INFINITY {
        return x;
    }
    if x.is_nan() || x < 0.0 {
        return f64::NAN;
    }
    let (exponent, fraction) = ((x.to_bits() >> 52) as i32, x.to_bits() & ((1 << 52) - 1));
    // x = mantissa × 2^power, with a mantissa of 53 bits.
    let (mantissa, power) = if exponent == 0 {
        let shift = fraction.leading_zeros() as i32 - 11;
        (fraction << shift, -1074 - shift)
    } else {
        (fraction | (1 << 52), exponent - 1075)
    };
    let odd = power & 1;
    let root = (u128::from(mantissa) << (54 + odd)).isqrt() as u64;
    // The last of 54 bits rounds: a root of 54 bits is no root of 53, so there is no tie.
    ((root + 1) >> 1) as f64 * power_of_two((power - odd - 54) / 2 + 1)
}

/// 2^`exponent`, from −1022 to 1023.
#[cfg(any(test, feature = "follow", not(feature = "std")))]
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// eˣ within 1 unit of the last place, zero below −708 and infinite above 709 (msun, `e_exp.c`).
#[cfg(feature = "follow")]
pub(crate) fn exp(x: f64) -> f64 {
    const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    const P: [f64; 5] = [
        1.666_666_666_666_660_2e-1,
        -2.777_777_777_701_559_3e-3,
        6.613_756_321_437_934e-5,
        -1.653_390_220_546_525_2e-6,
        4.138_136_797_057_238_5e-8,
    ];
    if x < -708.0 {
        return 0.0;
    }
    if x > 709.0 {
        return f64::INFINITY;
    }
    // x = twos × ln 2 + rest
    let twos = floor(x * core::f64::consts::LOG2_E + 0.5);
    let (high, low) = (x - twos * LN_2_HIGH, twos * LN_2_LOW);
    let rest = high - low;
    let square = rest * rest;
    let c = rest - square * (P[0] + square * (P[1] + square * (P[2] + square * (P[3] + square * P[4]))));
    (1.0 + (rest * c / (2.0 - c) - low + high)) * power_of_two(twos as i32)
}

/// Sine and cosine of an angle in radians, within 7 × 10⁻⁸; NaN if it is not finite. From 2²⁸ rad on, where neighbouring `f32` are rotations
/// apart, the angle is reduced by the nearest `f64` to a turn (msun, `k_sinf.c`, `k_cosf.c` and `e_rem_pio2f.c`).
pub(crate) fn sin_cos(x: f32) -> (f32, f32) {
    const FRAC_PI_2_HIGH: f64 = 1.570_796_310_901_641_8;
    const FRAC_PI_2_LOW: f64 = 1.589_325_477_352_819_7e-8;
    let x = f64::from(x);
    let x = if x.abs() < 268_435_456.0 { x } else { x % TAU };
    let quarters = floor(x / FRAC_PI_2 + 0.5);
    let rest = x - quarters * FRAC_PI_2_HIGH - quarters * FRAC_PI_2_LOW;
    let square = rest * rest;
    let fourth = square * square;
    let cube = square * rest;
    let sin = rest
        + cube * (-0.166_666_666_416_265_24 + square * 0.008_333_329_385_889_463)
        + cube * fourth * (-0.000_198_393_348_360_966_32 + square * 0.000_002_718_311_493_989_822);
    let cos = 1.0
        + square * -0.499_999_997_251_031
        + fourth * 0.041_666_623_323_739_06
        + fourth * square * (-0.001_388_676_377_460_993 + square * 0.000_024_390_448_796_277_41);
    let (sin, cos) = match quarters as i64 & 3 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    };
    (sin as f32, cos as f32)
}

/// The angle of a direction in radians, from −π to π, within 3 × 10⁻⁷; 0 for no direction (Cephes, `atanf.c`).
pub(crate) fn atan2(y: f32, x: f32) -> f32 {
    const TAN_PI_8: f64 = 0.414_213_562_373_095;
    let (y, x) = (f64::from(y), f64::from(x));
    if y == 0.0 && x == 0.0 {
        return 0.0;
    }
    let is_steep = y.abs() > x.abs();
    let slope = if is_steep { x.abs() / y.abs() } else { y.abs() / x.abs() };
    let (start, z) = if slope > TAN_PI_8 {
        (FRAC_PI_4, (slope - 1.0) / (slope + 1.0))
    } else {
        (0.0, slope)
    };
    let square = z * z;
    let bend = ((8.053_744_495_38e-2 * square - 1.387_768_560_32e-1) * square + 1.997_771_064_78e-1) * square;
    let arc = start + z + (bend - 3.333_294_915_39e-1) * square * z;
    let arc = if is_steep { FRAC_PI_2 - arc } else { arc };
    let arc = if x < 0.0 { PI - arc } else { arc };
    arc.copysign(y) as f32
}

// The references may use the platform's functions.
#[allow(clippy::disallowed_methods)]
#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of every exponent of `f64`: the first, the last and some in between.
    fn of_every_exponent() -> impl Iterator<Item = f64> {
        let mantissas = (0..40_u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 12);
        let mantissas = mantissas.chain([1, 2, (1 << 52) - 2, (1 << 52) - 1]);
        mantissas.flat_map(|mantissa| (0..=2047_u64).map(move |exponent| f64::from_bits(exponent << 52 | mantissa)))
    }

    #[test]
    fn roots_by_integers_have_the_bits_of_the_processor() {
        for x in of_every_exponent() {
            let (own, exact) = (sqrt_by_integers(x), x.sqrt());
            assert!(
                own.to_bits() == exact.to_bits() || own.is_nan() && exact.is_nan(),
                "{x:e}: {own:e}"
            );
        }
        assert!(sqrt_by_integers(-1.0).is_nan());
        assert_eq!(sqrt_by_integers(-0.0).to_bits(), (-0.0_f64).to_bits());
    }

    #[test]
    fn roots_of_single_precision_have_the_bits_of_the_processor_for_every_exponent() {
        let mantissas = (0..4000_u32)
            .map(|n| n.wrapping_mul(0x9e37_79b9) >> 9)
            .chain([1, (1 << 23) - 1]);
        for mantissa in mantissas {
            for exponent in 0..255_u32 {
                let x = f32::from_bits(exponent << 23 | mantissa);
                assert_eq!(sqrt_f32(x).to_bits(), x.sqrt().to_bits(), "{x:e}");
                let own = sqrt_by_integers(f64::from(x)) as f32;
                assert_eq!(own.to_bits(), x.sqrt().to_bits(), "{x:e}");
            }
        }
    }

    #[cfg(feature = "follow")]
    #[test]
    fn the_exponential_function_is_within_one_unit_of_the_last_place() {
        for n in 0..200_000 {
            let x = -708.0 + 1416.0 * f64::from(n) / 200_000.0;
            for x in [x, x / 1000.0, x * 1e-10] {
                let error = (exp(x) - x.exp()).abs() / x.exp();
                assert!(error <= 2.3e-16, "{error:e} at {x}");
            }
        }
        assert_eq!((exp(0.0), exp(-0.0), exp(f64::NEG_INFINITY)), (1.0, 1.0, 0.0));
        assert!(exp(f64::NAN).is_nan());
    }

    #[test]
    fn sine_and_cosine_are_within_seven_hundred_millionths() {
        for n in -200_000..200_000_i32 {
            let whole = n as f32;
            for x in [whole * 1e-4, whole * 0.37, whole * 1e-9, whole * 1300.0] {
                let ((sin, cos), exact) = (sin_cos(x), f64::from(x));
                let error = (f64::from(sin) - exact.sin())
                    .abs()
                    .max((f64::from(cos) - exact.cos()).abs());
                assert!(error < 7e-8, "{error:e} at {x}");
            }
        }
        for x in [1e9, -3e20, f32::MAX] {
            let (sin, cos) = sin_cos(x);
            assert!((sin * sin + cos * cos - 1.0).abs() < 1e-6, "{x}");
        }
    }

    #[test]
    fn the_angle_of_a_direction_is_within_three_ten_millionths() {
        for n in 0..100_000 {
            let exact = core::f64::consts::TAU * f64::from(n) / 100_000.0;
            for length in [1.0, 1e-30, 1e30] {
                let (y, x) = ((length * exact.sin()) as f32, (length * exact.cos()) as f32);
                let error = (f64::from(atan2(y, x)) - f64::from(y).atan2(f64::from(x))).abs();
                assert!(error < 3e-7, "{error:e} at {exact}");
            }
        }
        assert_eq!((atan2(0.0, 1.0), atan2(0.0, -1.0)), (0.0, core::f32::consts::PI));
        assert_eq!(
            (atan2(1.0, 0.0), atan2(-1.0, 0.0)),
            (core::f32::consts::FRAC_PI_2, -core::f32::consts::FRAC_PI_2)
        );
        assert!(atan2(f32::NAN, 1.0).is_nan() && atan2(1.0, f32::NAN).is_nan());
    }
}
