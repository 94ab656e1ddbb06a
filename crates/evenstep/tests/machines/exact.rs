//! Times as unbounded rationals, in seconds.

use std::time::Duration;

use evenstep::{Rate, SimDuration, SimTime, TimeScale};
use num_bigint::BigInt;
use num_rational::BigRational;

pub(crate) type Exact = BigRational;

pub(crate) fn ratio(numer: impl Into<BigInt>, denom: impl Into<BigInt>) -> Exact {
    Exact::new(numer.into(), denom.into())
}

pub(crate) fn whole(number: impl Into<BigInt>) -> Exact {
    Exact::from_integer(number.into())
}

pub(crate) fn secs(duration: Duration) -> Exact {
    ratio(duration.as_nanos(), 1_000_000_000)
}

pub(crate) fn instant(time: SimTime) -> Exact {
    let (numer, denom) = time.subsec();
    whole(time.secs()) + ratio(numer, denom)
}

pub(crate) fn length(time: SimDuration) -> Exact {
    let (numer, denom) = time.subsec();
    whole(time.secs()) + ratio(numer, denom)
}

pub(crate) fn period(rate: Rate) -> Exact {
    ratio(rate.denom(), rate.numer())
}

pub(crate) fn speed(scale: TimeScale) -> Exact {
    ratio(scale.numer(), scale.denom())
}

/// How closely simulated time must be counted: exactly at normal speed; within a nanosecond at another scale, and within one more for each
/// change.
#[derive(Clone, Debug)]
pub(crate) struct Changes {
    scale: TimeScale,
    count: u32,
}

impl Changes {
    pub(crate) fn new(scale: TimeScale) -> Self {
        Self { scale, count: 0 }
    }

    pub(crate) fn set(&mut self, scale: TimeScale) {
        self.count += u32::from(scale != self.scale);
        self.scale = scale;
    }

    /// By less than this, time that came in may exceed what is counted; zero if it must not.
    pub(crate) fn limit(&self) -> Exact {
        match (self.count, self.scale.denom()) {
            (0, 1) => whole(0),
            (count, _) => ratio(count + 1, 1_000_000_000),
        }
    }
}
