//! Where the steps of a simulation at the display's rate end, and how to stay clear of there.

use super::grid::Grid;
use crate::filter::lead::MAX_LEAD;
use crate::rounding::{floor, round};

/// What is handed on is kept ahead of the display by so many nanoseconds. A step that ends exactly with a refresh would
/// otherwise fall before it in one frame and after it in the next, by the last rest of noise.
const AHEAD: f64 = 350_000.0;

/// How clear of the ends of steps it stays, in mean deviations of readings, while the display is followed: so many for each frame
/// that noise lasts, and while the display is known from few refreshes this over their number more, but at most so many where
/// there is room...
const FOLLOWED: f64 = 0.6;
const UNSURE: f64 = 512.0;
const MOST_FOLLOWED: f64 = 2.5;

/// ...and while deltas are handed on as they are. Then also at least so many nanoseconds. Before any display was followed it is
/// as clear as it can be: few frames tell too little of noise that lasts.
const IDLE: f64 = 4.0;
const IDLE_LEAST: f64 = 1_000_000.0;

/// No farther than this from the ends of steps, in periods, and from the display, in nanoseconds.
const MOST_CLEAR: f64 = 0.45;
const FARTHEST: f64 = 2_400_000.0;

/// Readings of a coarse clock are early by half a unit. It must be farther behind, but for this.
const LAG: f64 = 2_000_000.0;

/// Readings are early by hardly more than so many mean deviations.
const EARLIEST: f64 = 4.0;

/// A delta of so many periods is a pause.
const PAUSE: f64 = 64.0;

/// Frames in which the end of the first step is found out.
const LEARNED: u32 = 256;

/// What is found out now counts by this over the frames so far.
const RECENT: f64 = 4.0;

/// Frames that are enough when the display is exchanged.
const ENOUGH: u32 = 64;

/// No time is longer, in nanoseconds.
const LONGEST: f64 = 1e15;

/// The ends of steps, which are where the first reading of all was, and every period from there.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StepEnds {
    /// How long ago the first reading was, in nanoseconds, but for refreshes that turned out to be elsewhere.
    since_first: f64,
    /// How late it was, and the frames from which that is known.
    first: f64,
    learned: u32,
    /// By how many nanoseconds to be ahead of the display, and of the clock while no display is followed.
    lead: f64,
    idle: f64,
}

impl StepEnds {
    /// None is known yet.
    pub(super) const fn new() -> Self {
        Self {
            since_first: 0.0,
            first: 0.0,
            learned: 0,
            lead: 0.0,
            idle: 0.0,
        }
    }

    /// Takes a frame, and the refreshes that it may be of.
    pub(super) fn learn(&mut self, delta: f64, grid: Option<&Grid>) {
        self.since_first = (self.since_first + delta).min(LONGEST);
        let Some(grid) = grid else { return };
        self.since_first -= grid.moved();
        let is_begun = self.learned == 0;
        // Over a pause the smallest error of the period is large.
        if delta > PAUSE * grid.period() && self.learned > 0 {
            self.learned = LEARNED;
        }
        if self.learned < LEARNED && (is_begun || grid.is_trusted()) {
            self.learned += 1;
            let off = self.since_first + grid.phase() + self.first;
            let off = off - round(off / grid.period()) * grid.period();
            // A display that is being exchanged must not move it much.
            self.first -= off * (RECENT / f64::from(self.learned)).min(1.0);
        }
        if grid.is_trusted() {
            let unsure = UNSURE / grid.evidence().0 * grid.usual_spread();
            let clear = (least_clear(grid) + unsure).min(MOST_FOLLOWED * grid.usual_spread());
            // Readings that are early must not be farther behind than any filter may be ahead.
            let most = MAX_LEAD.as_nanos() as f64 - EARLIEST * grid.usual_spread();
            self.lead = self.choose(grid, clear, most, self.lead);
        }
        if (is_begun && grid.is_resolved()) || (grid.is_trusted() && grid.was_trusted()) {
            let clear = match is_begun {
                true => f64::INFINITY,
                false => (IDLE * grid.usual_spread()).max(IDLE_LEAST),
            };
            self.idle = self.choose(grid, clear, FARTHEST, self.idle);
        }
    }

    /// Another display's refreshes come at other times: of the first step nothing more can be found out.
    pub(super) fn lose_display(&mut self) {
        if self.learned > ENOUGH {
            self.learned = LEARNED;
        }
    }

    /// By how many nanoseconds to be ahead of the display.
    pub(super) fn lead(&self) -> f64 {
        self.lead
    }

    /// By how many nanoseconds to be ahead of the clock, while no display is followed.
    pub(super) fn idle(&self) -> i128 {
        self.idle as i128
    }

    /// Whether there was no display yet whose steps had ends to stay clear of.
    pub(super) fn are_new(&self) -> bool {
        self.learned == 1
    }

    /// A lead that is so clear of the ends of steps, at most `most`, near to what it was before.
    fn choose(&self, grid: &Grid, clear: f64, most: f64, before: f64) -> f64 {
        let period = grid.period();
        // A coarse clock's times are behind by half a unit in the mean.
        let behind = FARTHEST.max(0.5 * grid.unit() - LAG);
        let most = most.clamp(-behind, FARTHEST);
        let ahead = AHEAD.min(most);
        let after_end = self.after_end(ahead, period);
        // What is more than it needs must not make it fall behind.
        let clear = clear.min(least_clear(grid).max(after_end + most - ahead));
        let clear = (0.5 * AHEAD).max(clear).min(MOST_CLEAR * period);
        let (up, down) = (clear - after_end, after_end + clear - period);
        let lead = if up > 0.0 && ahead + up <= most {
            ahead + up
        } else if up > 0.0 {
            ahead - after_end - clear
        } else {
            ahead - down.max(0.0)
        };
        let lead = lead.clamp(-behind, FARTHEST);
        // On the way to the other side of an end it would pass it: what is still good is kept.
        let is_clear = (0.5 * clear..=period - 0.5 * clear).contains(&self.after_end(before, period));
        let is_good = before != 0.0 && is_clear && before <= most.max(0.5 * FARTHEST);
        let is_other_side = self.step_of(lead, period) != self.step_of(before, period);
        if is_good && is_other_side { before } else { lead }
    }

    /// How far after the last end of a step such a lead is.
    fn after_end(&self, lead: f64, period: f64) -> f64 {
        lead - self.first - self.step_of(lead, period) * period
    }

    /// In which step such a lead is.
    fn step_of(&self, lead: f64, period: f64) -> f64 {
        floor((lead - self.first) / period)
    }
}

/// How clear of the ends of steps to be at least while the display is followed: noise that lasts does not average out.
fn least_clear(grid: &Grid) -> f64 {
    FOLLOWED * grid.evidence().1 * grid.usual_spread()
}
