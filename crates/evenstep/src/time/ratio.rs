//! Ratios of 32-bit integers in lowest terms: the common part of a rate and a time scale.

use core::fmt;

/// Why two numbers, or a text, are not a valid [`Rate`](crate::Rate) or [`TimeScale`](crate::TimeScale).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RatioError {
    /// A rate of zero: no step would ever come. A pause is [`TimeScale::PAUSED`](crate::TimeScale::PAUSED).
    Zero,
    /// The denominator is zero.
    ZeroDenominator,
    /// The number is negative.
    Negative,
    /// In lowest terms the numerator or the denominator does not fit into 32 bits.
    OutOfRange,
    /// The text is neither a whole number, nor a decimal, nor `N/D`.
    NotANumber,
}

impl fmt::Display for RatioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Zero => "must be above zero",
            Self::ZeroDenominator => "has a denominator of zero; write N/D with D above zero",
            Self::Negative => "must not be negative",
            Self::OutOfRange => {
                "is too large or too finely divided; numerator and denominator must fit into 32 bits in lowest terms"
            }
            Self::NotANumber => {
                "is not a number; write a whole number (60), a decimal (59.94) or a fraction (60000/1001)"
            }
        })
    }
}

impl core::error::Error for RatioError {}

/// The traits that all ratios have: the order by value, and conversions from and to a text and the terms.
macro_rules! ratio_traits {
    ($ratio:ty, $unit:literal) => {
        impl Ord for $ratio {
            fn cmp(&self, other: &Self) -> core::cmp::Ordering {
                let cross = |a: &Self, b: &Self| u64::from(a.numer()) * u64::from(b.denom());
                cross(self, other).cmp(&cross(other, self))
            }
        }

        impl PartialOrd for $ratio {
            fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }

        impl core::str::FromStr for $ratio {
            type Err = RatioError;

            /// Reads a whole number, a decimal or a fraction, such as `60`, `59.94` or `60000/1001`, exactly as written.
            fn from_str(text: &str) -> Result<Self, RatioError> {
                Self::from_terms(ratio::parse(text)?)
            }
        }

        impl TryFrom<(u32, u32)> for $ratio {
            type Error = RatioError;

            fn try_from((numer, denom): (u32, u32)) -> Result<Self, RatioError> {
                Self::new(numer, denom)
            }
        }

        impl From<$ratio> for (u32, u32) {
            fn from(ratio: $ratio) -> Self {
                (ratio.numer(), ratio.denom())
            }
        }

        impl core::fmt::Display for $ratio {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match self.denom() {
                    1 => write!(f, "{}{}", self.numer(), $unit),
                    denom => write!(f, "{}/{denom}{}", self.numer(), $unit),
                }
            }
        }

        impl core::fmt::Debug for $ratio {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, f)
            }
        }
    };
}
pub(super) use ratio_traits;

/// `numer / denom` in lowest terms.
pub(crate) const fn reduce(numer: u64, denom: u64) -> Result<(u32, u32), RatioError> {
    if denom == 0 {
        return Err(RatioError::ZeroDenominator);
    }
    let divisor = gcd(numer as u128, denom as u128) as u64;
    let (numer, denom) = (numer / divisor, denom / divisor);
    if numer > u32::MAX as u64 || denom > u32::MAX as u64 {
        return Err(RatioError::OutOfRange);
    }
    Ok((numer as u32, denom as u32))
}

/// The ratio of 32-bit terms that is nearest to a number: the last convergent of its continued fraction, or the fraction between that and
/// the next one with the largest terms.
pub(crate) fn nearest(number: f64) -> Result<(u32, u32), RatioError> {
    const MAX: u128 = u32::MAX as u128;
    if number.is_nan() {
        return Err(RatioError::NotANumber);
    }
    if number < 0.0 {
        return Err(RatioError::Negative);
    }
    if number > MAX as f64 {
        return Err(RatioError::OutOfRange);
    }
    let denom = 1 << 86; // a multiple of the number's own, above 2^-34
    if number * 4.0 * (MAX as f64) < 1.0 {
        return Ok((0, 1));
    }
    let numer = (number * denom as f64) as u128;
    let (mut dividend, mut divisor) = (numer, denom);
    let (mut before, mut last) = ((0, 1), (1, 0));
    while divisor != 0 {
        let quotient = dividend / divisor;
        let room = |before: u128, last: u128| (MAX - before).checked_div(last).unwrap_or(quotient);
        let fits = quotient.min(room(before.0, last.0)).min(room(before.1, last.1));
        let next = (fits * last.0 + before.0, fits * last.1 + before.1);
        if fits < quotient {
            // Their distances from the number, times denom and both denominators.
            let distance = |(p, q): (u128, u128), other: u128| (numer * q).abs_diff(p * denom) * other;
            if distance(next, last.1) < distance(last, next.1) {
                last = next;
            }
            break;
        }
        (before, last) = (last, next);
        (dividend, divisor) = (divisor, dividend % divisor);
    }
    Ok((last.0 as u32, last.1 as u32))
}

/// Reads `60`, `59.94` or `60000/1001`, exactly.
pub(crate) fn parse(text: &str) -> Result<(u32, u32), RatioError> {
    let text = text.trim();
    if text.starts_with('-') {
        return Err(RatioError::Negative);
    }
    match text.split_once('/') {
        Some((numer, denom)) => reduce(parse_whole(numer.trim())?, parse_whole(denom.trim())?),
        None => parse_decimal(text),
    }
}

fn parse_decimal(text: &str) -> Result<(u32, u32), RatioError> {
    let Some((whole, decimals)) = text.split_once('.') else {
        return reduce(parse_whole(text)?, 1);
    };
    if decimals.is_empty() {
        return Err(RatioError::NotANumber);
    }
    let significant = decimals.trim_end_matches('0');
    let (whole, fraction) = (
        parse_whole(whole)?,
        parse_whole(if significant.is_empty() { "0" } else { significant })?,
    );
    u32::try_from(significant.len())
        .ok()
        .and_then(|digits| 10_u64.checked_pow(digits))
        .and_then(|denom| Some((whole.checked_mul(denom)?.checked_add(fraction)?, denom)))
        .ok_or(RatioError::OutOfRange)
        .and_then(|(numer, denom)| reduce(numer, denom))
}

fn parse_whole(digits: &str) -> Result<u64, RatioError> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(RatioError::NotANumber);
    }
    digits.parse().map_err(|_| RatioError::OutOfRange)
}

/// Greatest common divisor; `gcd(0, n)` is `n`.
pub(crate) const fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
