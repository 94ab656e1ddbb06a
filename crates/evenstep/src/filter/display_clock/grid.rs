//! The refreshes of a display, followed from frame to frame.

use super::doubt::{Doubt, Verdict};
use super::fit::{Fit, PERIODS};
use super::trust::{Judgement, Trust};
use crate::filter::lead::MAX_LEAD;

/// What is handed on is kept ahead of the display by so many nanoseconds. A step that ends exactly with a refresh would
/// otherwise fall before it in one frame and after it in the next, by the last rest of noise.
const AHEAD: f64 = 350_000.0;

/// The most refreshes that the estimate rests on: a display drifts.
const MOST_WEIGHT: f64 = 2048.0;

/// What is left of them after a frame elsewhere.
const SHAKEN: f64 = 256.0;

/// Where readings are off by more than this share of a period, refreshes cannot be counted. By chance it is a quarter.
const RESOLVED: f64 = 0.2;

/// With fewer the grid is given up.
const LEAST_WEIGHT: f64 = 12.0;

/// Off by more mean deviations than this counts as this.
const OUTLIER: f64 = 3.0;

/// Frames over which the spread is averaged.
const SPREAD: f64 = 256.0;

/// The first reading is known to be late by no less than so many mean deviations.
const CHANCE: f64 = 1.2;

/// What is off by more periods than this counts as this in a judgement.
const MOST_PERIODS: f64 = 8.0;

/// Deltas beyond this, in nanoseconds, are no frames.
const LONGEST: f64 = 1e12;

/// The refreshes of a display. Where it is trusted, it is where the display is.
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
    /// How late the first reading was.
    first: f64,
    /// Whether refreshes turned out to be elsewhere in this frame.
    has_jumped: bool,
    doubt: Doubt,
    trust: Trust,
}

impl Grid {
    /// Refreshes as they were fitted, to be trusted after so many frames.
    pub(super) fn new(fit: &Fit, needed: f64) -> Self {
        let mut grid = Self {
            period: fit.period,
            phase: fit.late().last().map_or(0.0, |late| -late),
            weight: fit.late().len() as f64,
            spread: fit.spread,
            usual: fit.spread,
            first: fit.late().first().copied().unwrap_or(0.0),
            has_jumped: false,
            doubt: Doubt::new(),
            trust: Trust::new(needed),
        };
        let mut last = grid.first;
        for late in fit.late().iter().copied() {
            grid.trust.add(late, late - last);
            grid.doubt.learn(late / fit.period, fit.spread / fit.period);
            last = late;
        }
        let _ = grid.trust.judge(grid.weight);
        grid
    }

    /// From one refresh to the next, in nanoseconds.
    pub(crate) fn period(&self) -> f64 {
        self.period
    }

    /// The display's last refresh less the time that was read for it, in nanoseconds.
    pub(crate) fn phase(&self) -> f64 {
        self.phase
    }

    /// Whether it is where the display is.
    pub(super) fn is_trusted(&self) -> bool {
        self.trust.is_given() && self.spread < RESOLVED * self.period
    }

    /// Whether it was trusted for long.
    pub(super) fn was_trusted(&self) -> bool {
        self.trust.was_long()
    }

    /// Whether refreshes turned out to be elsewhere in the last frame.
    pub(super) fn has_jumped(&self) -> bool {
        self.has_jumped
    }

    /// How late the first reading of its fit was.
    pub(super) fn first_late(&self) -> f64 {
        self.first
    }

    /// By how much readings are off, in the mean, while they are those of this display.
    pub(crate) fn usual_spread(&self) -> f64 {
        self.usual
    }

    /// By how much to be ahead of the display, when the first reading of all was so late. Steps begin there: what is handed
    /// on must stay clear of their ends.
    pub(super) fn lead(&self, first: f64) -> f64 {
        // Readings are early by hardly more than that.
        let ahead = AHEAD.min(MAX_LEAD.as_nanos() as f64 - OUTLIER * self.spread);
        let clear = (0.5 * AHEAD).max(0.5 * self.spread).min(0.25 * self.period);
        let is_known = first.abs() > CHANCE * self.spread;
        if is_known && (ahead - first).abs() < clear {
            first - clear
        } else {
            ahead
        }
    }

    /// Takes a frame. Answers with whether there still is a grid.
    pub(super) fn follow(&mut self, delta: f64) -> bool {
        if delta > LONGEST {
            return false;
        }
        let (off, change) = (delta - self.phase - self.period, delta - self.period);
        let verdict = self
            .doubt
            .judge(off / self.period, self.spread / self.period, self.weight);
        let (passed, is_elsewhere) = match verdict {
            Verdict::Noise => (0.0, false),
            Verdict::Missed(by) => (by, false),
            Verdict::Returned(by, weight) => {
                self.weight = weight;
                (by, false)
            }
            Verdict::Elsewhere(by) => {
                self.weight = (0.5 * self.weight).min(SHAKEN);
                (by, true)
            }
        };
        let passed = passed * self.period;
        // Frames elsewhere speak against the grid by the weight that it loses.
        if !is_elsewhere {
            self.trust
                .add(self.bounded(off - passed), self.bounded(change - passed));
        }
        self.update(off - passed);
        let judgement = self.trust.judge(self.weight);
        if judgement == Judgement::Stiff {
            self.weight *= 0.5;
        }
        self.has_jumped = matches!(verdict, Verdict::Elsewhere(_) | Verdict::Returned(..));
        judgement != Judgement::Wrong && self.weight >= LEAST_WEIGHT && (self.is_trusted() || !is_elsewhere)
    }

    /// A pause is no more than a few frames.
    fn bounded(&self, nanos: f64) -> f64 {
        let most = MOST_PERIODS * self.period;
        nanos.clamp(-most, most)
    }

    /// Moves the grid towards a reading that is so late: the gains of a least-squares fit over all refreshes so far.
    fn update(&mut self, late: f64) {
        let most = OUTLIER * self.spread;
        let counts = late.clamp(-most, most);
        self.weight = (self.weight + 1.0).min(MOST_WEIGHT);
        let gain = 4.0 / self.weight;
        self.period =
            (self.period + 6.0 / (self.weight * self.weight) * counts).clamp(*PERIODS.start(), *PERIODS.end());
        self.phase = gain * counts - late;
        let memory = self.weight.min(SPREAD);
        let wide = late.abs().min(2.0 * most + 1000.0);
        self.spread += (wide - self.spread) / memory;
        // A display that is exchanged makes the spread large before it is noticed.
        if self.weight >= SPREAD {
            self.usual += (self.spread - self.usual) / SPREAD;
        }
    }
}
