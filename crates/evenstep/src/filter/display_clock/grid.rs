//! The refreshes of a display, followed from frame to frame.

use super::doubt::{Doubt, Verdict};
use super::fit::{Fit, PERIODS};
use super::misses::Misses;
use super::noise::Noise;
use super::refreshes::RefreshesPerFrame;
use super::trust::{Demand, Judgement, Trust};
use crate::rounding::round;

/// The most refreshes that the estimate rests on: a display drifts.
const MOST_WEIGHT: f64 = 2048.0;

/// What is left of them after a frame elsewhere.
const SHAKEN: f64 = 256.0;

/// Displays with such a difference of their periods are the same one.
const SAME_PERIOD: f64 = 0.01;

/// Where readings are off by more than this share of a period, refreshes cannot be counted. By chance it is a quarter.
const RESOLVED: f64 = 0.2;

/// The same of what is new in readings, once it is trusted: with many refreshes before, some that are counted wrongly do no harm.
const RESOLVED_AGAIN: f64 = 0.235;

/// By rounding alone readings are off by this share of the clock's unit in the mean. Where they were all at the same place between
/// two units, they need not stay there.
const ROUNDED: f64 = 0.25;

/// What is less than this share of it is so explained...
const EXPLAINED: f64 = 0.33;

/// ...and what is less than this share is too little for readings anywhere between two units.
const EVEN: f64 = 1.0 / 6.0;

/// A frame may take one unit of the clock if that is longer than this share of a period.
const ONE: f64 = 0.75;

/// What deltas differ by less than this, in nanoseconds, is not seen: such frames do not wander, however evenly they do it.
const UNSEEN: f64 = 10_000.0;

/// With fewer the grid is given up.
const LEAST_WEIGHT: f64 = 12.0;

/// Off by more mean deviations than this counts as this.
const OUTLIER: f64 = 3.0;

/// Frames over which the spread is averaged.
const SPREAD: f64 = 256.0;

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
    /// The unit of the clock; zero where it is fine.
    unit: f64,
    /// The mean size of what readings are off while frames were near the grid.
    usual: f64,
    /// By how many periods refreshes turned out to be elsewhere in this frame.
    moved: f64,
    /// Whether they are none that follow from the grid.
    has_jumped: bool,
    doubt: Doubt,
    trust: Trust,
    refreshes: RefreshesPerFrame,
}

impl Grid {
    /// Refreshes as they were fitted, and what is needed to trust them; `before` is the period of a display, and what is known
    /// of it.
    pub(super) fn new(fit: &Fit, needed: Demand, before: Option<(f64, Misses)>) -> Self {
        let known = before.filter(|(period, _)| (period - fit.period).abs() < SAME_PERIOD * period);
        let misses = known.map_or(Misses::new(), |(_, misses)| misses.again());
        let mut grid = Self {
            period: fit.period,
            phase: fit.late().last().map_or(0.0, |late| -late),
            weight: fit.late().len() as f64,
            spread: fit.spread,
            unit: 0.0,
            usual: fit.spread,
            moved: 0.0,
            has_jumped: false,
            doubt: Doubt::new(misses),
            trust: Trust::new(needed),
            refreshes: RefreshesPerFrame::NONE,
        };
        let mut last = fit.late().first().copied().unwrap_or(0.0);
        for late in fit.late().iter().copied() {
            grid.trust.add(late, late - last);
            last = late;
        }
        for late in fit.late() {
            grid.doubt.learn(late / fit.period, grid.noise());
        }
        let _ = grid.trust.judge(grid.weight);
        grid
    }

    /// What is known of this display beside its period.
    pub(super) fn known(&self) -> (f64, Misses) {
        (self.period, self.doubt.misses())
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
        self.trust.is_given() && (self.noise().usual < RESOLVED_AGAIN || self.is_explained())
    }

    /// Whether readings are near enough to it for refreshes to be counted.
    pub(super) fn is_resolved(&self) -> bool {
        self.spread < RESOLVED * self.period || self.is_explained()
    }

    /// Whether the clock's unit explains what readings are off.
    fn is_explained(&self) -> bool {
        self.spread < EXPLAINED * self.unit
    }

    /// Whether it was trusted for long.
    pub(super) fn was_trusted(&self) -> bool {
        self.trust.was_long()
    }

    /// Whether refreshes turned out to be elsewhere in the last frame.
    pub(super) fn has_jumped(&self) -> bool {
        self.has_jumped
    }

    /// By how many nanoseconds refreshes turned out to be elsewhere than on the grid, in the last frame.
    pub(super) fn moved(&self) -> f64 {
        (self.moved - round(self.moved)) * self.period
    }

    /// By how much readings are off, in the mean, while they are those of this display.
    pub(crate) fn usual_spread(&self) -> f64 {
        self.usual
    }

    /// The unit of the clock; zero where it is fine.
    pub(super) fn unit(&self) -> f64 {
        self.unit
    }

    /// How many refreshes the estimate rests on, and for how many frames noise lasts.
    pub(super) fn evidence(&self) -> (f64, f64) {
        (self.weight, self.trust.lasting())
    }

    /// Takes a frame, and the unit of the clock. Answers with whether there still is a grid.
    pub(super) fn follow(&mut self, delta: f64, unit: f64) -> bool {
        self.unit = unit;
        if delta > LONGEST {
            return false;
        }
        if delta < 0.5 * unit {
            // A clock that stands still is coarser than a frame, however even its readings were so far.
            self.spread = self.spread.max(ROUNDED * unit);
        }
        let (off, change) = (delta - self.phase - self.period, delta - self.period);
        if delta <= 0.0 && off > 0.0 && unit == 0.0 {
            self.pass();
            return true;
        }
        let shift = self.doubt.uncertain_shift();
        let verdict = self
            .doubt
            .judge(off / self.period, change / self.period, self.noise(), self.weight);
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
        self.moved = passed;
        let passed = passed * self.period;
        // Frames elsewhere speak against the grid by the weight that it loses.
        if !is_elsewhere {
            // By rounding, deltas differ by a third of a unit. Where they do not yet, it moves readings slowly, and they do not wander.
            let least = (EXPLAINED * self.rounded()).max(UNSEEN);
            let change = self.bounded(change - passed).abs().max(least);
            self.trust.add(self.bounded(off - passed), change);
        }
        self.update(off - passed);
        let judgement = self.trust.judge(self.weight);
        if judgement == Judgement::Stiff {
            self.weight *= 0.5;
        }
        self.has_jumped = matches!(verdict, Verdict::Elsewhere(_) | Verdict::Returned(..));
        // Where refreshes are elsewhere again, to the same side, the display is another one.
        let is_again = shift * self.moved > 0.0;
        let is_lost = is_elsewhere && (is_again || !self.is_trusted()) && !self.doubt.is_part();
        let is_multiple = self.refreshes.add(1.0 + self.moved);
        judgement != Judgement::Wrong && !is_multiple && self.weight >= LEAST_WEIGHT && !is_lost
    }

    /// Goes on by a period without a reading. A clock that stands still is one that was read late and cannot go back: such readings
    /// tell nothing new, and none of them is a reason to doubt the one before.
    fn pass(&mut self) {
        self.phase += self.period;
        (self.moved, self.has_jumped) = (0.0, false);
    }

    /// By what readings are off this grid.
    fn noise(&self) -> Noise {
        let unit = self.rounded();
        // What a clock rounds off says nothing of the next timestamp.
        let (memory, own) = if unit > 0.0 { (0.0, 1.0) } else { self.trust.memory() };
        Noise::new(memory, own, self.spread / self.period, unit / self.period)
    }

    /// The unit of the clock, if it explains what readings are off; zero otherwise.
    fn rounded(&self) -> f64 {
        // Where each frame takes one unit, a frame of two missed a refresh.
        let is_one_unit = self.unit > ONE * self.period && self.spread < EVEN * self.unit;
        if self.is_explained() && !is_one_unit {
            self.unit
        } else {
            0.0
        }
    }

    /// A pause is no more than a few frames.
    fn bounded(&self, nanos: f64) -> f64 {
        let most = MOST_PERIODS * self.period;
        nanos.clamp(-most, most)
    }

    /// Moves the grid towards a reading that is so late: the gains of a least-squares fit over all refreshes so far.
    fn update(&mut self, late: f64) {
        let most = OUTLIER * self.spread.max(ROUNDED * self.rounded());
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
