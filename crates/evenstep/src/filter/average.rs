//! A delta filter: the moving average.

use core::time::Duration;

use crate::filter::DeltaFilter;
use crate::filter::lead_limit::{MAX_LEAD, from_nanos, max_output};

/// The mean of the last `WINDOW` deltas.
///
/// It smooths jitter without knowing the display, but lets a hitch leak into the frames that follow. What the mean
/// differs from the true delta is repaid over a window, so the [`residual`](DeltaFilter::residual) never exceeds the
/// window times the longest delta in it, and returns to zero when the deltas are even. It is never more than 2.5 ms ahead.
///
/// ```
/// use evenstep::filter::{DeltaFilter, MovingAverage};
/// use std::time::Duration;
///
/// let mut average = MovingAverage::<4>::new();
/// for millis in [15, 18, 16, 17, 15, 18, 16, 17] {
///     average.apply(Duration::from_millis(millis));
/// }
/// assert!((average.apply(Duration::from_millis(15)).as_secs_f64() - 0.0165).abs() < 0.0006);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MovingAverage<const WINDOW: usize> {
    deltas: [Duration; WINDOW],
    next: usize,
    residual: i128,
}

impl<const WINDOW: usize> MovingAverage<WINDOW> {
    /// A filter before its first delta. A window of zero does not compile.
    #[must_use]
    pub const fn new() -> Self {
        const { assert!(WINDOW > 0, "a moving average needs a window of at least one delta") };
        Self {
            deltas: [Duration::ZERO; WINDOW],
            next: 0,
            residual: 0,
        }
    }
}

impl<const WINDOW: usize> Default for MovingAverage<WINDOW> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const WINDOW: usize> DeltaFilter for MovingAverage<WINDOW> {
    fn apply(&mut self, delta: Duration) -> Duration {
        apply(&mut self.deltas, &mut self.next, &mut self.residual, delta)
    }

    fn residual(&self) -> i128 {
        self.residual
    }

    fn max_lead(&self) -> Duration {
        MAX_LEAD
    }
}

/// The same code for every window.
fn apply(deltas: &mut [Duration], next: &mut usize, residual: &mut i128, delta: Duration) -> Duration {
    let window = deltas.len();
    deltas[*next % window] = delta;
    *next = if *next + 1 == 2 * window { window } else { *next + 1 };
    let count = window.min(*next);
    let sum: u128 = deltas[..count].iter().map(Duration::as_nanos).sum();
    let mean = (sum / count as u128) as i128;
    // Away from zero, so that the last nanoseconds are repaid too.
    let window = window as i128;
    let repaid = (*residual + residual.signum() * (window - 1)) / window;
    let owed = *residual + delta.as_nanos() as i128;
    let given = from_nanos((mean + repaid).min(max_output(owed)));
    *residual = owed - given.as_nanos() as i128;
    given
}
