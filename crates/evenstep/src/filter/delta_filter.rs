//! The trait of filters between clock and timestep.

use core::time::Duration;

/// Smooths frame deltas before they reach the timestep, and conserves total time.
///
/// The output may be more or less than the input, but the difference is paid back: the [`residual`](Self::residual) stays
/// within a bound that each filter states. A filter never leads the clock by more than its [`max_lead`](Self::max_lead).
/// [`DisplayClock`](crate::filter::DisplayClock) is the one of this crate; `()` changes nothing. A
/// [`FrameClock`](crate::FrameClock) applies a filter to the deltas of frames.
///
/// A filter of your own, which halves hitches and returns the other half in the next frame:
///
/// ```
/// use evenstep::FrameClock;
/// use evenstep::filter::DeltaFilter;
/// use std::time::Duration;
///
/// #[derive(Default)]
/// struct Halves {
///     residual: Duration,
/// }
///
/// impl DeltaFilter for Halves {
///     fn apply(&mut self, delta: Duration) -> Duration {
///         let owed = std::mem::take(&mut self.residual);
///         if delta > Duration::from_millis(100) {
///             self.residual = delta / 2;
///         }
///         owed + delta - self.residual
///     }
///
///     fn residual(&self) -> i64 {
///         self.residual.as_nanos() as i64
///     }
///
///     fn max_lead(&self) -> Duration {
///         Duration::ZERO
///     }
/// }
///
/// let mut clock = FrameClock::with_filter(Halves::default());
/// let begun = [0, 200, 210].map(|millis| clock.begin_frame(Duration::from_millis(millis)).delta.as_millis());
/// assert_eq!(begun, [0, 100, 110]);
/// ```
pub trait DeltaFilter {
    /// Takes the time since the last frame and returns the delta for the timestep.
    fn apply(&mut self, delta: Duration) -> Duration;

    /// All input less all output, in nanoseconds; negative if the output leads the clock.
    fn residual(&self) -> i64;

    /// The most by which the output leads the clock: its [`residual`](Self::residual) is never below minus this. The
    /// same for as long as the filter is used. An [`InputBuffer`](crate::input::InputBuffer) delays input by it, because a step
    /// that runs ahead of the clock would miss input of its own time.
    fn max_lead(&self) -> Duration;
}

impl DeltaFilter for () {
    fn apply(&mut self, delta: Duration) -> Duration {
        delta
    }

    fn residual(&self) -> i64 {
        0
    }

    fn max_lead(&self) -> Duration {
        Duration::ZERO
    }
}

#[cfg(feature = "alloc")]
impl<F: DeltaFilter + ?Sized> DeltaFilter for alloc::boxed::Box<F> {
    fn apply(&mut self, delta: Duration) -> Duration {
        (**self).apply(delta)
    }

    fn residual(&self) -> i64 {
        (**self).residual()
    }

    fn max_lead(&self) -> Duration {
        (**self).max_lead()
    }
}
