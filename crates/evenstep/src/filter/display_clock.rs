//! The default delta filter: a second-order phase-locked loop whose output stays near the clock.

use core::time::Duration;

use crate::filter::DeltaFilter;

/// The residual that the output returns to, in nanoseconds: 2 ms ahead of the clock. At zero a step would end where a frame ends on a display
/// at a multiple of the rate of the steps, and the least noise would move the step to the next frame. With 2 ms, steps at 60 Hz end at least
/// 1.3 ms from the ends of frames at 50, 60, 75, 90, 100, 120 and 240 Hz, and 0.6 ms at 144 Hz, where they can be 0.7 ms apart at most.
/// 2 ms behind the clock is as far from them, and a step at 60 Hz then runs a frame later at 60 Hz.
pub(super) const AIM: i64 = -2_000_000;

/// The most by which the output lags the clock, in nanoseconds: 5 ms behind the aim. On recordings of games that removes more animation error
/// than 2.5 ms; no bound removes more still, and adds latency without end.
const MAX_LAG: i64 = 3_000_000;

/// The most by which the output leads the clock, in nanoseconds: 2 ms ahead of the aim. Input is delayed by the same time.
const MAX_LEAD: i64 = 4_000_000;

/// A longer delta is a hitch or a pause, in nanoseconds: it is passed on, and the period is kept. The longest delta that a timestep
/// takes by default.
const HITCH: i64 = 250_000_000;

/// The period takes 1/512 of each frame's deviation: it is an average of about 512 frames, nine seconds at 60 Hz. On recordings of games
/// 1/256 and 1/512 are equally good; with noise of 0.5 ms on a steady display 1/512 leaves less error.
const PERIOD_SHIFT: u32 = 9;

/// The output takes 1/128 of its deviation from the clock: noise of 0.5 ms per frame moves it by 4 µs.
const PHASE_SHIFT: u32 = 7;

/// After so many frames in a row at the same bound the period is wrong, because the display or the frame rate is another: half a second
/// at 60 Hz. Fewer lock on to passing slow frames.
const RELOCK: i32 = 32;

/// The period is counted in 2^-16 ns, so that 1/512 of a deviation of a nanosecond changes it.
const PERIOD_BITS: u32 = 16;

/// The default filter: evens out the deltas of frames, never further from the clock than [4 ms ahead](DeltaFilter::max_lead) and 3 ms
/// behind.
///
/// It estimates the period of the frames. In every frame it outputs that period, corrected by 1/128 of its deviation from the clock (a
/// phase-locked loop of second order; the gains are larger in the first frames). It aims 2 ms ahead of the clock, which keeps the
/// ends of steps away from the ends of frames on common displays. It has no settings.
///
/// After any deltas:
///
/// - Time is conserved: the [`residual`](DeltaFilter::residual) is all input less all output.
/// - The output never leads the clock by over 4 ms and never lags it by over 3 ms: −4 000 000 ≤ residual ≤ 3 000 000 ns. (Only if the
///   sum of a delta and the residual exceeds [`Duration::MAX`], the delta is passed on and the residual stays.)
/// - A delta beyond 250 ms is a hitch or a pause: all of it is passed on in the same frame, and the lead after it is 2 ms.
/// - A delta of a changed frame rate is passed on less the bounds; after 32 frames at a bound the clock starts over with the new period.
///
/// It computes in integers, so that it gives the same deltas in every language.
///
/// ```
/// use evenstep::filter::{DeltaFilter, DisplayClock};
/// use std::time::Duration;
///
/// let mut clock = DisplayClock::new();
/// let noisy = |n: u64| Duration::from_nanos(n * 1_000_000_000 / 60) + Duration::from_micros(n * 7_919 % 1_000);
/// let mut given = Duration::ZERO;
/// for n in 1..1_000 {
///     given = clock.apply(noisy(n) - noisy(n - 1)); // deltas from 15.6 to 17.6 ms
/// }
/// assert!(given.abs_diff(Duration::from_nanos(16_666_667)) < Duration::from_micros(20));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DisplayClock {
    /// The estimated time between frames, in 2^-16 ns.
    period: i64,
    /// All input less all output, in nanoseconds.
    residual: i64,
    /// Frames since the estimate began; zero before the first. Saturates.
    frames: u32,
    /// Frames in a row that ended at a bound: positive if the output was raised, negative if it was lowered.
    at_bound: i32,
}

impl DisplayClock {
    /// A clock before its first frame.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            period: 0,
            residual: 0,
            frames: 0,
            at_bound: 0,
        }
    }

    /// The estimated time between frames, `None` before the first delta. On a display that shows a frame in every refresh it is the
    /// refresh interval, after ten seconds to a few parts in 100 000.
    #[must_use]
    pub fn period(&self) -> Option<Duration> {
        (self.frames > 0).then(|| Duration::from_nanos((self.period >> PERIOD_BITS).unsigned_abs()))
    }

    /// The output for a delta of at most [`HITCH`], in nanoseconds.
    fn even(&mut self, delta: i64) -> i64 {
        let owed = self.residual + delta;
        if self.frames == 0 {
            self.start_over(delta);
            return (owed - AIM).max(0);
        }
        self.frames = self.frames.saturating_add(1);
        // The gains are 1/2, 1/4, 1/8, … of 2, 4, 8, … frames, down to the ones above.
        let age = self.frames.ilog2();
        self.period += ((delta << PERIOD_BITS) - self.period) >> age.min(PERIOD_SHIFT);
        let period = self.period >> PERIOD_BITS;
        let wanted = period + ((owed - AIM - period) >> (age + 1).min(PHASE_SHIFT));
        let output = wanted.clamp(owed - MAX_LAG, owed + MAX_LEAD).max(0);
        let side = (output - wanted).signum() as i32;
        let continues = side == self.at_bound.signum();
        self.at_bound = if continues { self.at_bound + side } else { side };
        if self.at_bound.abs() >= RELOCK {
            self.start_over(delta);
        }
        output
    }

    /// Takes a delta for the period, as in the first frame.
    const fn start_over(&mut self, delta: i64) {
        (self.period, self.frames, self.at_bound) = (delta << PERIOD_BITS, 1, 0);
    }
}

impl DeltaFilter for DisplayClock {
    #[inline]
    fn apply(&mut self, delta: Duration) -> Duration {
        const MAX_DELTA: Duration = Duration::from_nanos(HITCH.unsigned_abs());
        if delta > MAX_DELTA {
            let lag = AIM - self.residual;
            let by = Duration::from_nanos(lag.unsigned_abs());
            let given = if lag < 0 {
                delta.checked_add(by)
            } else {
                Some(delta - by)
            };
            self.residual = given.map_or(self.residual, |_| AIM);
            return given.unwrap_or(delta);
        }
        let delta = delta.as_nanos() as i64;
        let given = self.even(delta);
        self.residual += delta - given;
        Duration::from_nanos(given.unsigned_abs())
    }

    fn residual(&self) -> i64 {
        self.residual
    }

    fn max_lead(&self) -> Duration {
        Duration::from_nanos(MAX_LEAD.unsigned_abs())
    }
}
