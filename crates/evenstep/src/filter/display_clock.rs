use core::time::Duration;

use crate::filter::DeltaFilter;
use crate::filter::lead::{MAX_LEAD, from_nanos, within_lead};

mod lock;
mod search;

use lock::{Lock, floor};
use search::Search;

/// A clock that follows the display: hands on deltas that are whole numbers of its refresh period.
///
/// Times that a program reads are late by chance; a display is not. From the deltas alone this finds the fractional period
/// and the phase of the display, locks to them like a phase-locked loop, and hands on the times of the display instead of
/// those that were read. What it lends it repays: it stays a third of a millisecond ahead of the display and does not
/// drift. It is never more than 2.5 ms ahead of the clock.
///
/// A frame that is late and not missed is told apart by the frames after it: a refresh counts as missed when three in a row
/// are a period late, or at once if a frame is two periods late. A change of display is noticed within some ten frames and
/// followed half a hundred later.
///
/// Frames that a program paces by itself, as on a display with variable refresh, wander off any grid, and the clock lets
/// go. It then averages four frames where that forecasts the next one better, which shows that deltas are read with noise;
/// where it does not, they are true and handed on as they are.
///
/// ```
/// use evenstep::filter::{DeltaFilter, DisplayClock};
/// use std::time::Duration;
///
/// let mut clock = DisplayClock::new();
/// let read = |n: u64| Duration::from_micros(n * 16_667 + n * 137 % 300); // a display at 60 Hz, read with noise
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

    /// Evens out until a display is found. Answers with what to hand on, in nanoseconds.
    fn search(&mut self, delta: Duration) -> i128 {
        let (given, lent) = self.search.average(delta);
        self.lock = self.search.look(delta.as_nanos() as f64);
        // What is owed besides is repaid by and by.
        let owed = self.residual - given - lent;
        given + owed / 8 + owed.signum()
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
        let owed = self.residual as f64;
        let lock = self.lock.as_mut();
        let followed = lock.map(|lock| Some(lock.follow(delta.as_nanos() as f64)? + lock.glide(owed)));
        let given = match followed {
            // What is owed is such that what was handed on ends where the display is.
            Some(Some(display)) => self.residual + floor(display) as i128,
            Some(None) => {
                self.search = Search::new();
                self.search(delta)
            }
            None => self.search(delta),
        };
        let given = from_nanos(given.min(within_lead(self.residual)));
        self.residual -= given.as_nanos() as i128;
        given
    }

    fn residual(&self) -> i128 {
        self.residual
    }

    fn max_lead(&self) -> Duration {
        MAX_LEAD
    }
}
