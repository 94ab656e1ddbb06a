//! The server's pace: how fast its simulated time runs by the clock of this machine.

use super::clock_gain::bounded;

/// Of each second, in nanoseconds, the quickest pong counts.
const SLOT: i128 = 1_000_000_000;

/// The pongs that are kept, that of the present second first.
const POINTS: usize = 13;

/// Speeds are measured between pongs that are this many seconds apart, or fewer where there are not many yet. A change of the route
/// lies within a third of these spans, so it does not change the median.
const SPAN: usize = 3;

/// Fewer speeds are too few: their median is as uncertain as a clock is wrong.
const MIN_SPEEDS: usize = 4;

/// A difference of less than 0.1 % is as likely to be noise, and need not be known: it is corrected like any other error.
const NOISE: i64 = 10;

/// In ten-thousandths: a server may be as slow as half the speed, and a clock wrong by 3 %.
const SLOWEST: i128 = -5_000;
const FASTEST: i128 = 300;

/// The speed of the server's simulated time by this machine's clock, from the pongs of the last twelve seconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pace {
    slot: i128,
    /// The time of a pong, and the server's simulated time less that time.
    points: [Option<(i128, i64)>; POINTS],
    /// In ten-thousandths, less the normal speed.
    pace: i64,
}

impl Pace {
    pub(super) const fn new() -> Self {
        Self {
            slot: 0,
            points: [None; POINTS],
            pace: 0,
        }
    }

    /// Forgets all pongs, and keeps the pace until there are enough new ones.
    pub(super) const fn forget(&mut self) {
        self.points = [None; POINTS];
    }

    /// Takes a pong that arrived at `now` with the server's simulated time, both in nanoseconds of real time.
    pub(super) fn observe(&mut self, now: i128, simulated: i128) {
        let slot = now / SLOT;
        if slot > self.slot {
            let passed = (slot - self.slot).min(POINTS as i128) as usize;
            self.points.rotate_right(passed);
            self.points[..passed].fill(None);
            self.slot = slot;
            self.measure();
        }
        // The pong that was under way for the shortest time has the largest difference.
        let lead = bounded(simulated - now);
        let best = &mut self.points[0];
        if best.is_none_or(|(_, known)| lead > known) {
            *best = Some((now, lead));
        }
    }

    /// The pace is the median of the speeds.
    fn measure(&mut self) {
        let count = self.points.iter().flatten().count();
        let span = (count / 3).clamp(1, SPAN);
        let mut speeds = [0; POINTS];
        let mut found = 0;
        for (newer, older) in self.points[1..].iter().zip(&self.points[1 + span..]) {
            if let (Some((now, lead)), Some((before, lead_before))) = (newer, older) {
                let gained = i128::from(*lead) - i128::from(*lead_before);
                speeds[found] = 10_000 * gained / (now - before).max(1);
                found += 1;
            }
        }
        if found >= MIN_SPEEDS {
            speeds[..found].sort_unstable();
            let pace = speeds[found / 2].clamp(SLOWEST, FASTEST) as i64;
            self.pace = if pace.abs() < NOISE { 0 } else { pace };
        }
    }

    /// By how many ten-thousandths the server's simulated time runs faster than this clock, or slower if negative.
    pub(super) const fn get(&self) -> i64 {
        self.pace
    }
}
