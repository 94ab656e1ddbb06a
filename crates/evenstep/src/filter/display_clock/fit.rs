//! A grid of refreshes through the readings of a few frames.

use crate::line::Line;
use crate::rounding::round;

/// Frames that are looked at before a grid is followed.
pub(super) const LOOK: usize = 32;

/// Frames that are enough where the noise is known.
pub(super) const GLANCE: usize = 12;

/// Periods that a display can have, in nanoseconds: from 1 000 Hz to 5 Hz.
pub(super) const PERIODS: core::ops::RangeInclusive<f64> = 1e6..=2e8;

/// Readings farther than so many mean deviations off a fit do not count in the next.
const OUTLIER: f64 = 3.0;

/// Even refreshes through readings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fit {
    /// In nanoseconds.
    pub(super) period: f64,
    /// The mean size of what readings are off.
    pub(super) spread: f64,
    late: [f64; LOOK],
    count: usize,
}

impl Fit {
    /// Through readings of which each is a refresh after the one before.
    pub(super) fn of_every_frame(times: &[f64]) -> Option<Self> {
        let mut turns = [0.0; LOOK];
        for (index, turn) in turns.iter_mut().enumerate() {
            *turn = index as f64;
        }
        Self::through(times, &turns)
    }

    /// Through readings that are so many refreshes after the first: least squares, then again without outliers. None if no display
    /// has such a period.
    pub(super) fn through(times: &[f64], turns: &[f64; LOOK]) -> Option<Self> {
        let all = Self::least_squares(times, turns, |_| true)?;
        let near = |index: usize| all.late[index].abs() <= OUTLIER * all.spread;
        Self::least_squares(times, turns, near).filter(|fit| PERIODS.contains(&fit.period))
    }

    /// How late each reading is.
    pub(super) fn late(&self) -> &[f64] {
        &self.late[..self.count]
    }

    fn least_squares(times: &[f64], turns: &[f64; LOOK], counts: impl Fn(usize) -> bool) -> Option<Self> {
        let near = || (0..times.len()).filter(|index| counts(*index));
        let points = || near().map(|index| (turns[index], times[index]));
        let line = Line::through(points());
        let ((turn, time), period) = (line.middle, line.slope?);
        let mut late = [0.0; LOOK];
        for (index, at) in times.iter().enumerate() {
            late[index] = at - time - period * (turns[index] - turn);
        }
        let spread = late.iter().map(|late| late.abs()).sum::<f64>() / times.len() as f64;
        (period > 0.0).then_some(Self {
            period,
            spread,
            late,
            count: times.len(),
        })
    }
}

/// How many refreshes after the first each reading is, if a refresh takes about so long: at the nearest to where the
/// reading before leads to.
pub(super) fn turns(times: &[f64], period: f64) -> [f64; LOOK] {
    let (mut turns, mut off) = ([0.0; LOOK], 0.0);
    for index in 1..times.len() {
        let late = times[index] - times[index - 1] + off;
        let passed = round(late / period).max(0.0);
        off = 0.75 * (late - passed * period);
        turns[index] = turns[index - 1] + passed;
    }
    turns
}
