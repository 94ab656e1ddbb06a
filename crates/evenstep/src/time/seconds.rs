//! Exact numbers of seconds: the common part of instants and lengths of simulated time.

use core::cmp::Ordering;
use core::fmt;
use core::time::Duration;

use crate::time::Rate;
use crate::time::ratio::gcd;

const NANOS_PER_SEC: u32 = 1_000_000_000;

/// Whole seconds and a fraction of integers.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "(u64, u128, u128)", into = "(u64, u128, u128)"))]
pub(super) struct Seconds {
    pub(super) secs: u64,
    /// Below `denom`.
    numer: u128,
    /// Less than 2^96 billion, and a multiple of a billion.
    denom: u128,
}

impl Seconds {
    pub(super) const ZERO: Self = Self::new(0, 1);

    /// `units / (nano_units × 10⁹)` seconds; `nano_units` is less than 2^96.
    pub(super) const fn new(units: u128, nano_units: u128) -> Self {
        let denom = nano_units * NANOS_PER_SEC as u128;
        Self::saturating(units / denom, units % denom, denom)
    }

    /// Cut off at `u64::MAX` seconds, where no fraction counts any more.
    const fn saturating(secs: u128, numer: u128, denom: u128) -> Self {
        if secs >= u64::MAX as u128 {
            let secs = u64::MAX;
            return Self { secs, numer: 0, denom };
        }
        Self {
            secs: secs as u64,
            numer,
            denom,
        }
    }

    /// This many periods of a rate.
    pub(super) const fn of_periods(count: u64, rate: Rate) -> Self {
        let numer = rate.numer() as u128;
        let elapsed = count as u128 * rate.denom() as u128;
        let (secs, rest) = (elapsed / numer, elapsed % numer);
        Self::saturating(secs, rest * NANOS_PER_SEC as u128, numer * NANOS_PER_SEC as u128)
    }

    pub(super) const fn of_duration(duration: Duration) -> Self {
        Self {
            secs: duration.as_secs(),
            numer: duration.subsec_nanos() as u128,
            denom: NANOS_PER_SEC as u128,
        }
    }

    /// The sum, over the denominator of `more`, which these seconds' own must divide.
    pub(super) const fn plus_finer(self, more: Self) -> Self {
        let numer = self.numer * (more.denom / self.denom) + more.numer;
        let secs = self.secs as u128 + more.secs as u128 + numer / more.denom;
        Self::saturating(secs, numer % more.denom, more.denom)
    }

    /// The sum; rounded as [`over_common`](Self::over_common) says.
    pub(super) fn plus(self, other: Self) -> Self {
        let (one, other) = Self::over_common(self, other);
        one.plus_finer(other)
    }

    /// The difference; rounded as [`over_common`](Self::over_common) says, and none if it is negative.
    pub(super) fn minus(self, other: Self) -> Option<Self> {
        let (one, other) = Self::over_common(self, other);
        let borrows = one.numer < other.numer;
        let lent = if borrows { one.denom } else { 0 };
        Some(Self {
            secs: one.secs.checked_sub(other.secs)?.checked_sub(u64::from(borrows))?,
            numer: one.numer + lent - other.numer,
            denom: one.denom,
        })
    }

    /// Both over a common denominator. Where there is none below 2^96 billion, each is rounded down to 2^-64 ns.
    fn over_common(one: Self, other: Self) -> (Self, Self) {
        let factor = other.denom / gcd(one.denom, other.denom);
        let common = one.denom.checked_mul(factor);
        let fits = |denom: &u128| denom / u128::from(NANOS_PER_SEC) < 1 << 96;
        match common.filter(fits) {
            Some(denom) => (one.over(denom), other.over(denom)),
            None => (one.rounded(), other.rounded()),
        }
    }

    /// The same over a multiple of the denominator.
    const fn over(self, denom: u128) -> Self {
        let numer = self.numer * (denom / self.denom);
        Self { numer, denom, ..self }
    }

    /// Rounded down to 2^-64 ns.
    const fn rounded(self) -> Self {
        let nano = self.denom / NANOS_PER_SEC as u128;
        let (nanos, rest) = (self.numer / nano, self.numer % nano);
        // The rest is less than 2^96: 32 bits at a time do not overflow.
        let (high, rest) = ((rest << 32) / nano, (rest << 32) % nano);
        let low = (rest << 32) / nano;
        Self {
            numer: nanos << 64 | high << 32 | low,
            denom: (NANOS_PER_SEC as u128) << 64,
            ..self
        }
    }

    /// The fraction beside the whole seconds, as (numerator, denominator) in lowest terms.
    pub(super) const fn fraction(self) -> (u128, u128) {
        let divisor = gcd(self.numer, self.denom);
        (self.numer / divisor, self.denom / divisor)
    }

    pub(super) const fn is_zero(self) -> bool {
        self.secs == 0 && self.numer == 0
    }

    /// To within two units in the last place.
    pub(super) const fn as_f64(self) -> f64 {
        self.secs as f64 + self.numer as f64 / self.denom as f64
    }

    /// Rounded down to nanoseconds.
    pub(super) const fn to_duration(self) -> Duration {
        let nanos = self.numer / (self.denom / NANOS_PER_SEC as u128);
        Duration::new(self.secs, nanos as u32)
    }
}

/// What an instant and a length of time have in common: how their exact seconds are read.
macro_rules! exact_seconds {
    ($time:ident, $since:literal) => {
        impl $time {
            #[doc = concat!("Whole seconds", $since, ".")]
            #[must_use]
            pub const fn secs(self) -> u64 {
                self.0.secs
            }

            /// The part beside the whole [seconds](Self::secs): a fraction of a second below 1, as (numerator, denominator) in lowest terms.
            #[must_use]
            pub const fn subsec(self) -> (u128, u128) {
                self.0.fraction()
            }

            #[doc = concat!("Seconds", $since, ", to within two units in the last place.")]
            #[must_use]
            pub const fn as_secs_f64(self) -> f64 {
                self.0.as_f64()
            }

            #[doc = concat!("Seconds", $since, ", to within one unit in the last place.")]
            #[must_use]
            pub const fn as_secs_f32(self) -> f32 {
                self.0.as_f64() as f32
            }

            #[doc = concat!("Whole nanoseconds", $since, ", rounded down.")]
            #[must_use]
            pub const fn to_duration(self) -> Duration {
                self.0.to_duration()
            }
        }

        impl Default for $time {
            fn default() -> Self {
                Self::ZERO
            }
        }

        impl core::fmt::Debug for $time {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}
pub(super) use exact_seconds;

/// How it is stored: whole seconds, and the fraction as it is counted, so that sums continue as they would have.
#[cfg(feature = "serde")]
impl From<Seconds> for (u64, u128, u128) {
    fn from(seconds: Seconds) -> Self {
        (seconds.secs, seconds.numer, seconds.denom)
    }
}

#[cfg(feature = "serde")]
impl TryFrom<(u64, u128, u128)> for Seconds {
    type Error = &'static str;

    fn try_from((secs, numer, denom): (u64, u128, u128)) -> Result<Self, Self::Error> {
        let nanos = denom / u128::from(NANOS_PER_SEC);
        if nanos == 0 || denom % u128::from(NANOS_PER_SEC) != 0 || nanos >= 1 << 96 {
            return Err("the denominator of a time is not a multiple of 10^9 below 10^9 x 2^96");
        }
        if numer >= denom || (secs == u64::MAX && numer != 0) {
            return Err("the fraction of a time is not less than a second");
        }
        Ok(Self { secs, numer, denom })
    }
}

impl Ord for Seconds {
    fn cmp(&self, other: &Self) -> Ordering {
        let fractions = || cmp_fractions((self.numer, self.denom), (other.numer, other.denom));
        self.secs.cmp(&other.secs).then_with(fractions)
    }
}

/// Compares fractions below 1: by their products, and where those exceed 128 bits by the quotients of their continued fractions.
fn cmp_fractions((a, b): (u128, u128), (c, d): (u128, u128)) -> Ordering {
    if let (Some(one), Some(other)) = (a.checked_mul(d), c.checked_mul(b)) {
        return one.cmp(&other);
    }
    // Neither is zero: a product with zero fits. The reciprocals compare the other way round.
    (d / c)
        .cmp(&(b / a))
        .then_with(|| cmp_fractions((d % c, c), (b % a, a)))
}

impl PartialOrd for Seconds {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Seconds {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Seconds {}

impl fmt::Debug for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fraction() {
            (0, _) => write!(f, "{} s", self.secs),
            (numer, denom) => write!(f, "{} + {numer}/{denom} s", self.secs),
        }
    }
}

/// In nanoseconds, at most 2⁶⁴ − 1 of them.
#[inline]
pub(crate) fn saturating_nanos(time: Duration) -> u64 {
    let nanos = time.as_secs().saturating_mul(u64::from(NANOS_PER_SEC));
    nanos.saturating_add(u64::from(time.subsec_nanos()))
}

/// This many nanoseconds before a time, or after it if they are negative; at least zero, and at most the longest time that there is.
pub(crate) fn nanos_before(time: Duration, nanos: i64) -> Duration {
    let by = Duration::from_nanos(nanos.unsigned_abs());
    if nanos < 0 {
        time.saturating_add(by)
    } else {
        time.saturating_sub(by)
    }
}

/// As many nanoseconds, or the longest time that there is.
pub(crate) fn duration_from_nanos(nanos: u128) -> Duration {
    let (secs, nanos) = (nanos / NANOS_PER_SEC as u128, nanos % NANOS_PER_SEC as u128);
    u64::try_from(secs).map_or(Duration::MAX, |secs| Duration::new(secs, nanos as u32))
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use num_rational::BigRational;
    use proptest::prelude::*;

    use super::*;

    fn exact(seconds: Seconds) -> BigRational {
        let (numer, denom) = seconds.fraction();
        BigRational::new(numer.into(), denom.into()) + BigRational::from_integer(seconds.secs.into())
    }

    fn any_seconds() -> impl Strategy<Value = Seconds> {
        let few = (any::<u64>().prop_map(u128::from), 1..1_000_u128);
        let many = (any::<u128>(), 1..1_u128 << 96);
        let most = (any::<u128>(), (1_u128 << 96) - 100..1 << 96);
        prop_oneof![few, many, most].prop_map(|(units, nano_units)| Seconds::new(units, nano_units))
    }

    proptest! {
        #[test]
        fn sums_and_differences_are_exact_or_rounded_by_less_than_2_to_the_minus_64_nanoseconds(
            one in any_seconds(),
            other in any_seconds(),
        ) {
            let (earlier, later) = (one.min(other), one.max(other));
            prop_assert!(earlier == later || earlier.minus(later).is_none_or(Seconds::is_zero));
            let between = later.minus(earlier).unwrap();
            let off = [
                exact(between) - (exact(later) - exact(earlier)),
                exact(earlier.plus(between)) - exact(later),
            ];
            if Seconds::over_common(later, earlier) == (later, earlier) {
                prop_assert!(off.iter().all(|off| off.numer() == &BigInt::ZERO), "{:?}", off);
            } else {
                let unit = BigRational::new(1.into(), BigInt::from(NANOS_PER_SEC) << 64_u32);
                prop_assert!(off.iter().all(|off| *off < unit && -off < unit), "{:?}", off);
            }
        }
    }

    #[test]
    fn fractions_whose_products_exceed_128_bits_are_compared_exactly() {
        let fraction = |numer: u128, denom: u128| Seconds::new(numer, denom);
        let denom = (1_u128 << 96) - 1;
        let one = fraction(denom / 3, denom);
        for (numer, expected) in [
            (denom / 3 - 1, Ordering::Less),
            (denom / 3, Ordering::Equal),
            (denom / 3 + 1, Ordering::Greater),
        ] {
            assert_eq!(fraction(numer, denom).cmp(&one), expected);
        }
        let close = fraction((denom - 2) / 3, denom - 2);
        assert_eq!(close.cmp(&one), exact(close).cmp(&exact(one)));
    }

    #[test]
    fn sums_beyond_the_largest_number_of_seconds_stay_there() {
        let most = Seconds::of_periods(u64::MAX, Rate::new(1, u32::MAX).unwrap());
        assert_eq!((most.secs, most.fraction()), (u64::MAX, (0, 1)));
        for more in [Seconds::new(7, 10), Seconds::new(7, (1 << 96) - 1), most] {
            assert_eq!(most.plus(more), most);
        }
    }
}
