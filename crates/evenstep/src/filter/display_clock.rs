use core::time::Duration;

use crate::filter::DeltaFilter;
use crate::filter::lead::{MAX_LEAD, from_nanos, within_lead};
use crate::rounding::floor;

mod doubt;
mod fit;
mod grid;
mod lateness;
mod misses;
mod noise;
mod refreshes;
mod search;
mod step_ends;
mod trust;
mod unit;

use grid::Grid;
use search::Search;
use step_ends::StepEnds;
use unit::Unit;

/// Frames in which what is handed on glides to where it is to be.
const GLIDE: f64 = 16.0;

/// By what part of itself is repaid in a frame what is owed, at first and when a display was followed before.
const REPAID_AT_FIRST: i128 = 2;
const REPAID: i128 = 8;

/// What is less, in nanoseconds, is repaid at once.
const REST: i128 = 20_000;

/// A clock that follows the display: hands on deltas that are whole numbers of its refresh period.
///
/// Times that a program reads are late by chance; a display is not. This counts the refreshes between readings first, then
/// fits even refreshes to them by least squares, and hands on the times of the display instead of those that were read. What
/// it lends it repays: it does not drift. It stays about a third of a millisecond ahead of the display. Where readings are noisy
/// and a step that began with the first of them would end near there, it stays farther ahead or behind, by up to 2.4 ms, or
/// farther behind where the clock's unit is longer than 8.8 ms. It is never more than 2.5 ms ahead of the clock.
///
/// A frame that is far off was read late, or the program missed refreshes. By Bayes' rule the clock weighs which is more likely. It
/// learns how late readings are, and how often so many refreshes are missed: alone, and shortly after others. It follows what is most
/// likely, frame by frame, and takes back what it believed wrongly. So a missed refresh is followed in the same frame where readings
/// are good to an eighth of a period. Of noise that lasts, it weighs what is new in each reading.
///
/// A coarse clock rounds its times down to a unit, which is found in the deltas. A display is followed even where the unit is longer
/// than a refresh; a missed refresh is then followed once a reading is too late to be rounded.
///
/// Frames that a program paces by itself, as on a display with variable refresh, wander off any grid. Refreshes are followed
/// only where frames stay nearer to them than frames that wander would, by what they differ from one to the next. Where they
/// do not, deltas are handed on as they are, but once: after the first frames it moves by up to 2.4 ms to where it is as far
/// from the ends of steps as it can be.
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
/// The gains are those of a least-squares fit of period and phase: S. Blackman, R. Popoli, *Design and Analysis of Modern
/// Tracking Systems* (1999), chapter 3. Late frames are told from missed refreshes as in L. Rabiner, *A tutorial on hidden
/// Markov models* (1989), and G. D. Forney, *The Viterbi algorithm* (1973). The test for wandering compares deviations with
/// differences as in J. von Neumann, *Distribution of the ratio of the mean square successive difference to the variance*
/// (1941), with mean sizes, which outliers move less.
#[derive(Clone, Debug, PartialEq)]
pub struct DisplayClock {
    /// What is done while there is no grid.
    search: Search,
    /// To what the clock rounds its times.
    unit: Unit,
    /// Refreshes that readings may be of, trusted or not.
    grid: Option<Grid>,
    /// By how much what is handed on is ahead of the display, in nanoseconds; none while deltas are handed on as they are.
    ahead: Option<f64>,
    /// Nanoseconds that came in and were not handed on.
    residual: i128,
    /// What to stay clear of.
    ends: StepEnds,
}

impl DisplayClock {
    /// A clock that knows no display yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            search: Search::new(),
            unit: Unit::new(),
            grid: None,
            ahead: None,
            residual: 0,
            ends: StepEnds::new(),
        }
    }

    /// The refresh rate that it is locked to, in hertz; none while it is not.
    #[must_use]
    pub fn refresh_hz(&self) -> Option<f64> {
        self.grid().map(|grid| 1e9 / grid.period())
    }

    /// The display's refreshes, while they are followed.
    pub(crate) fn grid(&self) -> Option<&Grid> {
        self.grid.as_ref().filter(|_| self.ahead.is_some())
    }

    /// Takes a frame of so many nanoseconds. Answers with how far the display's refresh is ahead of the reading, in
    /// nanoseconds; none if there is no display to follow.
    fn follow(&mut self, delta: f64) -> Option<f64> {
        self.unit.learn(delta);
        match &mut self.grid {
            Some(grid) => {
                if !grid.follow(delta, self.unit.nanos()) {
                    self.search.restart(grid);
                    self.ends.lose_display();
                    self.grid = None;
                }
            }
            None => self.grid = self.search.look(delta),
        }
        self.ends.learn(delta, self.grid.as_ref());
        let grid = self.grid.as_ref().filter(|grid| grid.is_trusted())?;
        if grid.has_jumped() {
            self.ahead = None;
        }
        Some(grid.phase())
    }

    /// What to repay in this frame of so many nanoseconds that are owed.
    fn repaid(&self, owed: i128) -> i128 {
        let part = if self.ends.are_new() { REPAID_AT_FIRST } else { REPAID };
        if owed.abs() < REST { owed } else { owed / part }
    }

    /// By how much to be ahead of the display now: as far as before at first, then ever nearer to where it is to be.
    fn glide(&self, from: f64) -> f64 {
        let ahead = self.ahead.unwrap_or(from);
        ahead + (self.ends.lead() - ahead) / GLIDE
    }
}

impl Default for DisplayClock {
    fn default() -> Self {
        Self::new()
    }
}

impl DeltaFilter for DisplayClock {
    fn apply(&mut self, delta: Duration) -> Duration {
        let owed = self.residual;
        let nanos = delta.as_nanos() as i128;
        self.residual += nanos;
        let given = match self.follow(nanos as f64) {
            // What is owed is such that what was handed on ends where the display is.
            Some(phase) => {
                let ahead = self.glide(-phase - owed as f64);
                self.ahead = Some(ahead);
                self.residual + floor(phase + ahead) as i128
            }
            // What is owed besides is repaid by and by.
            None => {
                self.ahead = None;
                nanos + self.repaid(owed + self.ends.idle())
            }
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
