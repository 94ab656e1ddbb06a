//! A delta filter that snaps to multiples of the refresh interval.

use core::time::Duration;

use crate::filter::DeltaFilter;
use crate::filter::lead_limit::{MAX_LEAD, from_nanos, max_output};
use crate::numeric::grid_fit::GridFit;
use crate::numeric::rounding::round;
use crate::numeric::sorted_window::sort;
use crate::time::NANOS_PER_SEC;
use crate::time::Rate;

/// Deltas from which the refresh interval is estimated.
const WINDOW: usize = 32;

/// Rounds a delta to a whole number of refresh intervals of the display, if it is within an eighth of the interval of one.
///
/// A display shows frames at even intervals, while timestamps are taken at uneven moments. Snapping removes this jitter.
/// The difference between a snapped delta and the true one is added to the next, so the
/// [`residual`](DeltaFilter::residual) never exceeds the tolerance: a delta that is not near a multiple passes unchanged, together
/// with the residual, which is then zero. It is never more than 2.5 ms ahead.
///
/// The refresh interval is exact, also where it is no whole number of nanoseconds, so a display at 60000/1001 Hz does
/// not drift.
///
/// ```
/// use evenstep::Rate;
/// use evenstep::filter::{DeltaFilter, Snap};
/// use std::time::Duration;
///
/// let mut snap = Snap::to(Rate::hz(50));
/// assert_eq!(snap.apply(Duration::from_micros(20_700)), Duration::from_millis(20));
/// assert_eq!(snap.residual(), 700_000);
/// assert_eq!(snap.apply(Duration::from_micros(39_500)), Duration::from_millis(40)); // a frame was missed
/// assert_eq!(snap.apply(Duration::from_millis(9)), Duration::from_micros(9_200)); // not a multiple
/// assert_eq!(snap.residual(), 0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Snap {
    refresh: Refresh,
    residual: i128,
}

#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "a program has one, and the core has no allocator to box with"
)]
enum Refresh {
    /// Multiples are rounded up to nanoseconds: the output is `ahead / numer` nanoseconds beyond them. Rounded
    /// down, they would never quite reach a step that is as long as a refresh, and every other frame had a wrong number.
    Known {
        rate: Rate,
        ahead: u128,
    },
    Estimated {
        deltas: [u64; WINDOW],
        count: usize,
    },
}

impl Snap {
    /// Snaps to a given refresh rate.
    #[must_use]
    pub const fn to(refresh: Rate) -> Self {
        Self {
            refresh: Refresh::Known {
                rate: refresh,
                ahead: 0,
            },
            residual: 0,
        }
    }

    /// Snaps to a refresh rate that it estimates: by a least-squares fit to the last 32 deltas, in which a delta near their median is one
    /// interval. Until there are 32, deltas pass unchanged.
    #[must_use]
    pub const fn estimating() -> Self {
        Self {
            refresh: Refresh::Estimated {
                deltas: [0; WINDOW],
                count: 0,
            },
            residual: 0,
        }
    }
}

impl DeltaFilter for Snap {
    fn apply(&mut self, delta: Duration) -> Duration {
        let wanted = delta.as_nanos() as i128 + self.residual;
        self.refresh.observe(delta);
        let snapped = self.refresh.nearest_multiple(wanted).filter(|multiple| {
            (wanted - multiple.nanos).abs() <= multiple.interval / 8 && multiple.nanos <= max_output(wanted)
        });
        let given = from_nanos(match snapped {
            Some(multiple) => {
                self.refresh.keep(multiple.ahead);
                multiple.nanos
            }
            None => wanted,
        });
        self.residual = wanted - given.as_nanos() as i128;
        given
    }

    fn residual(&self) -> i128 {
        self.residual
    }

    fn max_lead(&self) -> Duration {
        MAX_LEAD
    }
}

/// A whole number of refresh intervals, in nanoseconds.
struct Multiple {
    nanos: i128,
    ahead: u128,
    interval: i128,
}

impl Refresh {
    fn observe(&mut self, delta: Duration) {
        if let Self::Estimated { deltas, count } = self {
            deltas[*count % WINDOW] = u64::try_from(delta.as_nanos()).unwrap_or(u64::MAX);
            *count = if *count + 1 == 2 * WINDOW { WINDOW } else { *count + 1 };
        }
    }

    fn nearest_multiple(&self, wanted: i128) -> Option<Multiple> {
        let (numer, denom, ahead) = match self {
            Self::Known { rate, ahead } => {
                let interval = u128::from(NANOS_PER_SEC) * u128::from(rate.denom());
                (u128::from(rate.numer()), interval, *ahead)
            }
            Self::Estimated { deltas, count } => (1, u128::from(estimate(deltas, *count)?), 0),
        };
        let wanted = u128::try_from(wanted.max(0)).ok()?;
        let count = (wanted.checked_mul(numer)?.checked_add(denom / 2)?) / denom;
        let exact = count.checked_mul(denom)?;
        let nanos = exact.saturating_sub(ahead).div_ceil(numer);
        Some(Multiple {
            nanos: nanos as i128,
            ahead: nanos.checked_mul(numer)?.checked_add(ahead)?.checked_sub(exact)?,
            interval: (denom / numer) as i128,
        })
    }

    fn keep(&mut self, lent: u128) {
        if let Self::Known { ahead, .. } = self {
            *ahead = lent;
        }
    }
}

/// The refresh interval of a grid that is fitted to the timestamps between the deltas; none until there are enough, or if the clock is too
/// coarse.
fn estimate(deltas: &[u64; WINDOW], count: usize) -> Option<u64> {
    if count < WINDOW {
        return None;
    }
    let mut sorted = *deltas;
    sort(&mut sorted, Ord::cmp);
    let mut times = [0.0; WINDOW + 1];
    for at in 0..WINDOW {
        times[at + 1] = times[at] + deltas[(count + at) % WINDOW] as f64;
    }
    let median = sorted[WINDOW / 2];
    let fit = (median > 0).then(|| GridFit::near(&times, median as f64))??;
    Some(round(fit.period) as u64)
}
