//! The trait of filters between clock and timestep.

use core::time::Duration;

/// Smooths frame deltas before they reach the timestep, and conserves total time.
///
/// The output may be more or less than the input, but the difference is paid back: the
/// [`residual`](Self::residual) stays within a bound that each filter states, and returns to zero. It is never ahead of
/// the clock by more than its [`max_lead`](Self::max_lead). Two filters in a tuple are applied one after the other; `()`
/// and `None` change nothing. A [`FrameClock`](crate::FrameClock) applies a filter to the deltas of frames.
///
/// ```
/// use evenstep::Rate;
/// use evenstep::filter::{Clamp, DeltaFilter, Snap};
/// use std::time::Duration;
///
/// let mut filter = (Clamp::default(), Snap::to(Rate::hz(60)));
/// let noisy = [16_900, 16_400, 17_000, 16_300, 16_700].map(Duration::from_micros);
/// let even = noisy.map(|delta| filter.apply(delta));
/// assert!(even.iter().all(|delta| delta.as_micros() == 16_666));
/// ```
pub trait DeltaFilter {
    /// Takes the time since the last frame and returns the delta for the timestep.
    fn apply(&mut self, delta: Duration) -> Duration;

    /// All input less all output, in nanoseconds; negative if the output is ahead of the clock.
    fn residual(&self) -> i128;

    /// By how much it may be ahead of the clock at most: its [`residual`](Self::residual) is never below minus this. The
    /// same for as long as the filter is used. An [`InputBuffer`](crate::input::InputBuffer) delays input by it, because a step
    /// that runs ahead of the clock would miss input of its own time.
    fn max_lead(&self) -> Duration;
}

impl DeltaFilter for () {
    fn apply(&mut self, delta: Duration) -> Duration {
        delta
    }

    fn residual(&self) -> i128 {
        0
    }

    fn max_lead(&self) -> Duration {
        Duration::ZERO
    }
}

/// `None` changes nothing.
impl<F: DeltaFilter> DeltaFilter for Option<F> {
    fn apply(&mut self, delta: Duration) -> Duration {
        self.as_mut().map_or(delta, |filter| filter.apply(delta))
    }

    fn residual(&self) -> i128 {
        self.as_ref().map_or(0, F::residual)
    }

    fn max_lead(&self) -> Duration {
        self.as_ref().map_or(Duration::ZERO, F::max_lead)
    }
}

#[cfg(feature = "alloc")]
impl<F: DeltaFilter + ?Sized> DeltaFilter for alloc::boxed::Box<F> {
    fn apply(&mut self, delta: Duration) -> Duration {
        (**self).apply(delta)
    }

    fn residual(&self) -> i128 {
        (**self).residual()
    }

    fn max_lead(&self) -> Duration {
        (**self).max_lead()
    }
}

impl<A: DeltaFilter, B: DeltaFilter> DeltaFilter for (A, B) {
    fn apply(&mut self, delta: Duration) -> Duration {
        self.1.apply(self.0.apply(delta))
    }

    fn residual(&self) -> i128 {
        self.0.residual() + self.1.residual()
    }

    fn max_lead(&self) -> Duration {
        self.0.max_lead().saturating_add(self.1.max_lead())
    }
}
