//! The refreshes of a display, followed from frame to frame.

use super::doubt::{Doubt, Verdict};
use super::fit::Fit;
use super::search::PERIODS;
use super::trust::Trust;
use crate::filter::lead::MAX_LEAD;

/// What is handed on is kept ahead of the display by so many nanoseconds. A step that ends exactly with a refresh would
/// otherwise fall before it in one frame and after it in the next, by the last rest of noise.
const AHEAD: f64 = 350_000.0;

/// The most refreshes that the estimate rests on: a display drifts.
const MOST_WEIGHT: f64 = 2048.0;

/// With fewer the grid is given up.
const LEAST_WEIGHT: f64 = 12.0;

/// Off by more mean deviations than this counts as this.
const OUTLIER: f64 = 3.0;

/// Frames over which the spread is averaged.
const SPREAD: f64 = 256.0;

/// Deltas beyond this, in nanoseconds, are no frames.
const LONGEST: f64 = 1e12;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grid {
    /// In nanoseconds.
    period: f64,
    /// The display's last refresh less the time that was read for it, in nanoseconds.
    phase: f64,
    /// Refreshes that the estimate rests on.
    weight: f64,
    /// The mean size of what readings are off the grid.
    spread: f64,
    /// The same while frames were near the grid.
    usual: f64,
    /// By how much readings are early at most.
    early: f64,
    first: f64,
    doubt: Doubt,
    trust: Trust,
}

impl Grid {
    pub(super) fn new(fit: &Fit, needed: f64) -> Self {
        let mut grid = Self {
            period: fit.period,
            phase: fit.late().last().map_or(0.0, |late| -late),
            weight: fit.late().len() as f64,
            spread: fit.spread,
            usual: fit.spread,
            early: 0.0,
            first: fit.late().first().copied().unwrap_or(0.0),
            doubt: Doubt::new(),
            trust: Trust::new(needed),
        };
        let mut last = grid.first;
        for late in fit.late().iter().copied() {
            grid.trust.add(late, late - last);
            grid.early = grid.early.max(-late);
            grid.doubt.learn(late / fit.period, fit.spread / fit.period);
            last = late;
        }
        grid.trust.judge(grid.weight);
        grid
    }

    pub(crate) fn period(&self) -> f64 {
        self.period
    }

    pub(crate) fn phase(&self) -> f64 {
        self.phase
    }

    pub(super) fn is_trusted(&self) -> bool {
        self.trust.is_given()
    }

    pub(super) fn was_trusted(&self) -> bool {
        self.trust.was_long()
    }

    /// How late the first reading of its fit was.
    pub(super) fn first_late(&self) -> f64 {
        self.first
    }

    pub(super) fn usual_spread(&self) -> f64 {
        self.usual
    }

    /// By how much to be ahead of the display, when the first reading of all was so late. Steps begin there: what is handed
    /// on must stay clear of their ends.
    pub(super) fn lead(&self, first: f64) -> f64 {
        let ahead = AHEAD.min(MAX_LEAD.as_nanos() as f64 - 1.1 * self.early);
        let clear = AHEAD.max(self.spread).min(0.25 * self.period);
        if (ahead - first).abs() < clear { first - clear } else { ahead }
    }

    /// Takes a frame. Answers with whether there still is a grid.
    pub(super) fn follow(&mut self, delta: f64) -> bool {
        if delta > LONGEST {
            return false;
        }
        let off = delta - self.phase - self.period;
        let mut change = delta - self.period;
        let verdict = self.doubt.judge(off / self.period, self.spread / self.period, self.weight);
        let mut late = off;
        match verdict {
            Verdict::Noise => {}
            Verdict::Missed(by) => {
                late -= by * self.period;
                change -= by * self.period;
            }
            Verdict::Elsewhere(by) => {
                late -= by * self.period;
                self.weight /= 2.0;
            }
            Verdict::Returned(by, weight) => {
                late -= by * self.period;
                change -= by * self.period;
                self.weight = weight;
            }
        }
        let is_elsewhere = matches!(verdict, Verdict::Elsewhere(_));
        let judged = if is_elsewhere { off } else { late };
        self.trust.add(
            judged.clamp(-8.0 * self.period, 8.0 * self.period),
            change.clamp(-8.0 * self.period, 8.0 * self.period),
        );
        self.update(late);
        self.trust.judge(self.weight);
        self.weight >= LEAST_WEIGHT && (self.is_trusted() || !is_elsewhere)
    }

    /// Moves the grid towards a reading that is so late: the gains of a least-squares fit over all refreshes so far.
    fn update(&mut self, late: f64) {
        let most = OUTLIER * self.spread;
        let counts = late.clamp(-most, most);
        self.weight = (self.weight + 1.0).min(MOST_WEIGHT);
        let gain = 4.0 / self.weight;
        self.period = (self.period + 6.0 / (self.weight * self.weight) * counts).clamp(*PERIODS.start(), *PERIODS.end());
        self.phase = gain * counts - late;
        let memory = self.weight.min(SPREAD);
        let wide = late.abs().min(2.0 * most + 1000.0);
        self.spread += (wide - self.spread) / memory;
        // A display that is exchanged makes the spread large before it is noticed.
        if self.weight >= SPREAD {
            self.usual += (self.spread - self.usual) / SPREAD;
        }
        self.early = (self.early - self.early / 8192.0).max(-late);
    }
}
