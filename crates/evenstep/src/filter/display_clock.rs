use core::time::Duration;

use crate::filter::DeltaFilter;
use crate::filter::lead::{MAX_LEAD, from_nanos, within_lead};

mod doubt;
mod fit;
mod grid;
mod search;
mod trust;

use fit::floor;
use grid::Grid;
use search::Search;

/// Frames in which what is handed on glides to where it is to be.
const GLIDE: f64 = 16.0;

/// A clock that follows the display.
#[derive(Clone, Debug, PartialEq)]
pub struct DisplayClock {
    search: Search,
    grid: Option<Grid>,
    /// By how much what is handed on is ahead of the display, in nanoseconds; none while deltas are handed on as they are.
    ahead: Option<f64>,
    /// Nanoseconds that came in and were not handed on.
    residual: i128,
    /// How late the first reading of all was, in nanoseconds, once there was a grid.
    first: Option<f64>,
}

impl DisplayClock {
    /// A clock that knows no display yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            search: Search::new(),
            grid: None,
            ahead: None,
            residual: 0,
            first: None,
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
        match &mut self.grid {
            Some(grid) => {
                if !grid.follow(delta) {
                    self.search.restart(grid);
                    self.grid = None;
                }
            }
            None => {
                self.grid = self.search.look(delta);
                if let Some(grid) = &self.grid {
                    self.first.get_or_insert(grid.first_late());
                }
            }
        }
        let grid = self.grid.as_ref().filter(|grid| grid.is_trusted())?;
        Some(grid.phase())
    }

    /// By how much to be ahead of the display now: as far as before at first, then ever nearer to where it is to be.
    fn glide(&mut self, from: f64) -> f64 {
        let goal = self.grid.as_ref().map_or(0.0, |grid| grid.lead(self.first.unwrap_or(0.0)));
        let ahead = self.ahead.unwrap_or(from);
        ahead + (goal - ahead) / GLIDE
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
                nanos + owed / 8 + owed.signum()
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
