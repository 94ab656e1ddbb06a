use core::time::Duration;

use super::from_nanos;
use crate::{DeltaFilter, MovingAverage};

/// Frames that are looked at before the clock locks.
const LOOK: usize = 48;

/// Periods that a display can have, in nanoseconds: from 1 000 Hz to 10 Hz.
const PERIODS: core::ops::RangeInclusive<f64> = 1e6..=1e8;

/// Deltas beyond this, in nanoseconds, are no frames: the clock lets go and begins anew.
const LONGEST: f64 = 1e9;

/// By so many nanoseconds what is handed on is kept ahead of the display. A step that ends exactly with a refresh would
/// otherwise fall before it in one frame and after it in the next, by the last rest of noise.
const AHEAD: f64 = 350_000.0;

/// An error counts for no more than this, in nanoseconds: a frame that was late says nothing about the display.
const MOST_ERROR: f64 = 1_500_000.0;

/// The gain that is left when the clock has been locked for long.
const LEAST_GAIN: f64 = 0.004;

/// Nine frames of ten must be no farther off the display's grid than this, in nanoseconds, for the clock to lock: frames
/// that a program paces by itself wander more.
const FIT: f64 = 1_300_000.0;

/// So many frames in a row must be a period late before one counts as missed.
const CONFIRM: u8 = 3;

/// So many frames off the display's grid, less those on it, and the clock lets go.
const LET_GO: u8 = 8;

/// A clock that follows the display: hands on deltas that are whole numbers of its refresh period.
///
/// Times that a program reads are late by chance; a display is not. From the deltas alone this finds the fractional period
/// and the phase of the display, locks to them like a phase-locked loop, and hands on the times of the display instead of
/// those that were read. What it lends it repays: it stays a third of a millisecond ahead of the display and does not
/// drift.
///
/// A frame that is late and not missed is told apart by the frames after it: a refresh counts as missed when three in a row
/// are a period late, or at once if a frame is two periods late. Where there is no period to be found, as on a display
/// with variable refresh, it averages four frames. A change of display is noticed within some ten frames and followed half a
/// hundred later.
///
/// ```
/// use evenstep::{DeltaFilter, DisplayClock};
/// use std::time::Duration;
///
/// let mut clock = DisplayClock::new();
/// let read = |n: u64| Duration::from_micros(n * 16_667 + n * 7 % 300); // a display at 60 Hz, read with noise
/// let mut given = Duration::ZERO;
/// for n in 1..600 {
///     given = clock.apply(read(n) - read(n - 1));
/// }
/// assert!(given.abs_diff(Duration::from_micros(16_667)) < Duration::from_micros(5));
/// assert!((clock.refresh_hz().expect("it is locked") - 60.0).abs() < 0.01);
/// ```
///
/// The lock begins from medians of differences, as in H. Theil, *A rank-invariant method of linear and polynomial regression
/// analysis* (1950), so that late frames do not count; it then follows with the gains of a least-squares fit of period and
/// phase, bounded below.
#[derive(Clone, Debug, PartialEq)]
pub struct DisplayClock {
    /// What is done while there is no lock.
    search: Search,
    lock: Option<Lock>,
    /// Nanoseconds that came in and were not handed on.
    residual: i128,
}

#[derive(Clone, Debug, PartialEq)]
struct Search {
    /// When the last frames were, in nanoseconds after the first of them.
    times: [f64; LOOK],
    count: usize,
    average: MovingAverage<4>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Lock {
    /// In nanoseconds.
    period: f64,
    /// The display's last refresh less the time that was read for it, in nanoseconds.
    phase: f64,
    /// Refreshes that the estimate rests on.
    count: f64,
    /// Frames in a row that were a period late.
    late: u8,
    /// Frames off the grid, less those on it.
    off: u8,
}

impl DisplayClock {
    /// A clock that knows no display yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            search: Search::new(),
            lock: None,
            residual: 0,
        }
    }

    /// The refresh rate that it is locked to, in hertz; none while it is not.
    #[must_use]
    pub fn refresh_hz(&self) -> Option<f64> {
        self.lock.map(|lock| 1e9 / lock.period)
    }

    /// Averages until a display is found. Answers with what to hand on, in nanoseconds.
    fn average(&mut self, delta: Duration) -> i128 {
        let search = &mut self.search;
        let even = search.average.apply(delta).as_nanos() as i128;
        // What is owed from the time when it was locked is repaid by and by; the average repays its own.
        let owed = self.residual - even - search.average.residual();
        self.lock = search.look(delta.as_nanos() as f64);
        even + owed / 8 + owed.signum()
    }
}

impl Default for DisplayClock {
    fn default() -> Self {
        Self::new()
    }
}

impl DeltaFilter for DisplayClock {
    fn apply(&mut self, delta: Duration) -> Duration {
        self.residual += delta.as_nanos() as i128;
        let followed = self.lock.as_mut().map(|lock| lock.follow(delta.as_nanos() as f64));
        let given = match followed {
            // What is owed is such that what was handed on ends where the display is.
            Some(Some(ahead)) => self.residual + floor(ahead + AHEAD) as i128,
            Some(None) => {
                self.search = Search::new();
                self.average(delta)
            }
            None => self.average(delta),
        };
        let given = from_nanos(given);
        self.residual -= given.as_nanos() as i128;
        given
    }

    fn residual(&self) -> i128 {
        self.residual
    }
}

impl Search {
    const fn new() -> Self {
        Self {
            times: [0.0; LOOK],
            count: 0,
            average: MovingAverage::new(),
        }
    }

    /// Takes a frame, and looks for a display when there are enough.
    fn look(&mut self, delta: f64) -> Option<Lock> {
        if delta > LONGEST {
            self.count = 0;
        }
        if self.count == LOOK {
            let first = self.times[1];
            self.times.rotate_left(1);
            self.times.iter_mut().for_each(|time| *time -= first);
            self.count -= 1;
        }
        let last = self.count.checked_sub(1).map(|last| self.times[last]);
        self.times[self.count] = last.map_or(0.0, |last| last + delta);
        self.count += 1;
        (self.count == LOOK).then(|| Lock::find(&self.times)).flatten()
    }
}

impl Lock {
    /// The display that showed frames at these times, if they fit one.
    fn find(times: &[f64; LOOK]) -> Option<Self> {
        let mut deltas: [f64; LOOK - 1] = core::array::from_fn(|n| times[n + 1] - times[n]);
        let typical = median(&mut deltas);
        if !PERIODS.contains(&typical) {
            return None;
        }
        let mut slopes: [f64; LOOK / 2] = core::array::from_fn(|n| {
            let span = times[n + LOOK / 2] - times[n];
            span / round(span / typical).max(1.0)
        });
        let period = median(&mut slopes);
        if !PERIODS.contains(&period) {
            return None;
        }
        let on_grid = |time: f64, origin: f64| time - origin - round((time - origin) / period) * period;
        let mut offsets: [f64; LOOK] = times.map(|time| on_grid(time, times[0]));
        let origin = times[0] + median(&mut offsets);
        let fit = |time: &&f64| on_grid(**time, origin).abs() < FIT.min(0.25 * period);
        let fitting = times.iter().filter(fit).count();
        (10 * fitting >= 9 * LOOK).then(|| Self {
            period,
            phase: -on_grid(times[LOOK - 1], origin),
            count: LOOK as f64,
            late: 0,
            off: 0,
        })
    }

    /// Follows the display over a frame. Answers with how far its refresh is ahead of the time that was read, in nanoseconds;
    /// none if there is no display to follow any more.
    fn follow(&mut self, delta: f64) -> Option<f64> {
        let mut error = delta - self.phase - self.period;
        let mut missed = round(error / self.period).max(0.0);
        let is_late = missed > 0.0;
        self.late = if is_late { self.late + 1 } else { 0 };
        if missed == 1.0 && self.late < CONFIRM {
            missed = 0.0;
        } else {
            self.late = 0;
        }
        error -= missed * self.period;
        self.off = if is_late || error.abs() > (1.5 * FIT).min(0.25 * self.period) {
            self.off + 1
        } else {
            self.off.saturating_sub(1)
        };
        if self.off >= LET_GO || delta > LONGEST {
            return None;
        }
        let counts = if self.late > 0 {
            0.0
        } else {
            error.clamp(-MOST_ERROR, MOST_ERROR)
        };
        // Of a least-squares fit of both over all refreshes so far: S. Blackman, R. Popoli, *Design and Analysis of Modern
        // Tracking Systems* (1999), chapter 3.
        self.count += 1.0 + missed;
        let gain = (4.0 / self.count).max(LEAST_GAIN);
        let drift_gain = (6.0 / (self.count * self.count)).max(gain * gain / 4.0);
        self.period = (self.period + drift_gain * counts).clamp(*PERIODS.start(), *PERIODS.end());
        self.phase = gain * counts - error;
        Some(self.phase)
    }
}

fn median<const N: usize>(values: &mut [f64; N]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[N / 2]
}

/// To the nearest whole number, without the standard library; of sizes below 2^63.
fn round(value: f64) -> f64 {
    floor(value + 0.5)
}

fn floor(value: f64) -> f64 {
    let cut = value as i64 as f64;
    if cut > value { cut - 1.0 } else { cut }
}
