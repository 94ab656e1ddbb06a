//! Finds a display's period in the readings of a few frames.

use super::fit::{Fit, GLANCE, LOOK, PERIODS, turns};
use super::grid::Grid;
use super::misses::Misses;
use super::trust::Demand;
use crate::sorting::sort;

/// A finer grid fits any readings better. It must do so by this factor...
const MUCH_BETTER: f64 = 0.5;

/// ...and be this exact, as a share of its period: readings by chance are off by a quarter.
const RESOLVED: f64 = 0.15;

/// Readings on a finer grid that are off by less than so many nanoseconds are not of a display, but of a coarse clock.
const TICK: f64 = 20.0;

/// Longer than this is no frame, in nanoseconds.
const LONGEST: f64 = 5e8;

/// Where the noise is known, a grid may be off by so many times as much.
const AS_BEFORE: f64 = 1.3;

/// The last readings, while there is no grid.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Search {
    /// In nanoseconds after the first of them.
    times: [f64; LOOK],
    count: usize,
    /// Of the next grid.
    needed: Demand,
    /// What readings were off the grid before, in the mean, if that was good for long.
    known: Option<f64>,
    /// The last grid's period, and what was known of the refreshes that programs miss there.
    before: Option<(f64, Misses)>,
}

impl Search {
    pub(super) const fn new() -> Self {
        Self {
            times: [0.0; LOOK],
            count: 1,
            needed: Demand::FIRST,
            known: None,
            before: None,
        }
    }

    /// Begins anew, with the reading that has just come. A grid that failed makes the next one wait longer, unless it had
    /// been good for long.
    pub(super) fn restart(&mut self, failed: &Grid) {
        self.count = 1;
        self.before = Some(failed.known());
        if failed.was_trusted() {
            self.known = Some(failed.usual_spread());
            self.needed = Demand::AGAIN;
        } else {
            self.known = None;
            self.needed = self.needed.after_failure();
        }
    }

    /// Takes a frame. Answers with a grid when there are enough.
    pub(super) fn look(&mut self, delta: f64) -> Option<Grid> {
        self.take(delta)?;
        let times = &self.times[..self.count];
        if self.count == GLANCE {
            let known = self.known.take()?;
            let fit = best(times).filter(|fit| fit.spread <= AS_BEFORE * known)?;
            return Some(Grid::new(&fit, self.needed, self.before));
        }
        if self.count < LOOK {
            return None;
        }
        let fit = best(times);
        if fit.is_none() {
            self.count = 1;
        }
        Some(Grid::new(&fit?, self.needed, self.before))
    }

    /// Adds a reading, or begins anew with it if no frame takes so long.
    fn take(&mut self, delta: f64) -> Option<()> {
        if delta > LONGEST {
            self.count = 1;
            return None;
        }
        self.times[self.count] = self.times[self.count - 1] + delta;
        self.count += 1;
        Some(())
    }
}

/// The coarsest grid that fits as well as any.
fn best(times: &[f64]) -> Option<Fit> {
    // A frame at every refresh, until something fits much better.
    let mut best = Fit::of_every_frame(times);
    let mut deltas = [0.0; LOOK];
    for (delta, pair) in deltas.iter_mut().zip(times.windows(2)) {
        *delta = pair[1] - pair[0];
    }
    let count = times.len() - 1;
    let deltas = &mut deltas[..count];
    sort(deltas, f64::total_cmp);
    let (long, median, short) = (deltas[3 * count / 4], deltas[count / 2], deltas[count / 4]);
    for (delta, parts) in [
        (long, 1.0),
        (median, 1.0),
        (short, 1.0),
        (median, 2.0),
        (short, 2.0),
        (median, 3.0),
        (short, 3.0),
    ] {
        let period = delta / parts;
        if !PERIODS.contains(&period) {
            continue;
        }
        let turns = turns(times, period);
        let fit = Fit::through(times, &turns).filter(|_| is_cadence(&turns[..times.len()]));
        let Some(fit) = fit.filter(|fit| (TICK..RESOLVED * fit.period).contains(&fit.spread)) else {
            continue;
        };
        if best
            .as_ref()
            .is_none_or(|best| parts * fit.spread < MUCH_BETTER * best.spread)
        {
            best = Some(fit);
        }
    }
    best
}

/// Whether frames at these refreshes missed some, or come at a rate of their own, and are not only read late. A timestamp that is late
/// by a part of a period is followed by a frame that is shorter by as much: then what frames take more and less than usual cancels out.
fn is_cadence(turns: &[f64]) -> bool {
    let mut taken = [0.0; LOOK];
    let taken = &mut taken[..turns.len() - 1];
    for (taken, pair) in taken.iter_mut().zip(turns.windows(2)) {
        *taken = pair[1] - pair[0];
    }
    sort(taken, f64::total_cmp);
    let (least, usual) = (taken[0], taken[taken.len() / 2]);
    let up_to = |refreshes: f64| taken.partition_point(|taken| *taken <= refreshes);
    let (shorter, longer) = (up_to(usual - 1.0), taken.len() - up_to(usual));
    // One more than the other may be late at either end of the frames.
    let more = shorter.abs_diff(longer);
    // A program's own rate needs two kinds of frames, a refresh apart. All others missed refreshes.
    let others = taken.len() - up_to(least + 1.0);
    more >= usual.clamp(1.0, 2.0) as usize && 2 * more > shorter + longer && 2 * others < up_to(least)
}
