//! What the readings of a coarse clock prove.

use super::doubt::Verdict;
use crate::rounding::floor;

/// Frames after which refreshes that were missed are certain.
const CERTAIN: u8 = 8;

/// By how much more than what came back a frame must be late.
const MARGIN: f64 = 1.25;

/// How fast what came back is forgotten.
const FORGET: f64 = 1.0 / 8192.0;

/// Later by so many periods, refreshes were missed wherever the grid is.
const SURE: f64 = 2.0;

/// Over so many frames the misses are averaged, and a display that is missed in more of them than this is another one.
const AVERAGED: f64 = 64.0;
const MOST_MISSED: f64 = 0.35;

/// Counts refreshes where a clock is so coarse that most readings prove nothing. A time that is rounded down is off by at most a
/// unit: a reading within it says nothing, one beyond proves that refreshes were missed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Coarse {
    /// The farthest that a frame was late beyond what the unit explains, and came back. In periods.
    reach: f64,
    /// Refreshes that were missed last, how late beyond the unit that frame was, and how many frames ago.
    missed: f64,
    beyond: f64,
    age: u8,
    /// The share of frames that missed refreshes.
    share: f64,
}

impl Coarse {
    /// Without any experience.
    pub(super) const fn new() -> Self {
        Self {
            reach: 0.0,
            missed: 0.0,
            beyond: 0.0,
            age: 0,
            share: 0.0,
        }
    }

    /// Judges a frame that is off by so many periods, where the unit explains up to `bound`.
    pub(super) fn judge(&mut self, off: f64, bound: f64, weight: f64) -> Verdict {
        self.reach -= self.reach * FORGET;
        self.share -= self.share / AVERAGED;
        self.age = self.age.saturating_add(1);
        if self.age >= CERTAIN {
            self.missed = 0.0;
        }
        let beyond = off.abs() - bound;
        let refreshes = floor(beyond) + 1.0;
        if beyond <= 0.0 {
            Verdict::Noise
        } else if off.abs() < refreshes - bound && off < SURE {
            // It is at no refresh.
            Verdict::Inexact
        } else if off > 0.0 {
            self.late(beyond, refreshes)
        } else {
            self.early(refreshes, weight)
        }
    }

    fn late(&mut self, beyond: f64, refreshes: f64) -> Verdict {
        if beyond <= MARGIN * self.reach {
            return Verdict::Noise;
        }
        self.share += 1.0 / AVERAGED;
        if self.share > MOST_MISSED {
            return Verdict::Lost;
        }
        (self.missed, self.beyond, self.age) = (refreshes, beyond, 0);
        Verdict::Missed(refreshes)
    }

    /// No reading is early: what was missed last was not.
    fn early(&mut self, refreshes: f64, weight: f64) -> Verdict {
        if self.missed == 0.0 {
            return Verdict::Inexact;
        }
        self.reach = self.reach.max(self.beyond);
        let missed = core::mem::take(&mut self.missed);
        Verdict::Returned(-missed.min(refreshes), weight)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUND: f64 = 0.6;
    const WEIGHT: f64 = 100.0;

    #[test]
    fn what_rounding_explains_is_noise() {
        let mut coarse = Coarse::new();
        for off in [-0.6, -0.3, 0.0, 0.59] {
            assert_eq!(coarse.judge(off, BOUND, WEIGHT), Verdict::Noise);
        }
    }

    #[test]
    fn a_frame_beyond_rounding_missed_as_few_refreshes_as_explain_it() {
        for (off, missed) in [(0.7, 1.0), (1.5, 1.0), (1.7, 2.0), (20.0, 20.0)] {
            assert_eq!(Coarse::new().judge(off, BOUND, WEIGHT), Verdict::Missed(missed));
        }
        // No whole number of refreshes explains it, but for a pause.
        assert_eq!(Coarse::new().judge(0.5, 0.3, WEIGHT), Verdict::Inexact);
        assert_eq!(Coarse::new().judge(2000.5, 0.3, WEIGHT), Verdict::Missed(2001.0));
    }

    #[test]
    fn a_frame_that_came_back_is_noise_the_next_time() {
        let mut coarse = Coarse::new();
        assert_eq!(coarse.judge(0.7, BOUND, WEIGHT), Verdict::Missed(1.0));
        assert_eq!(coarse.judge(-0.9, BOUND, WEIGHT), Verdict::Returned(-1.0, WEIGHT));
        assert_eq!(coarse.judge(0.7, BOUND, WEIGHT), Verdict::Noise);
        assert_eq!(coarse.judge(-0.9, BOUND, WEIGHT), Verdict::Inexact);
    }

    #[test]
    fn a_display_of_which_every_second_frame_is_missed_is_another_one() {
        let mut coarse = Coarse::new();
        let is_lost = |frame: u32| coarse.judge(f64::from(frame % 2), BOUND, WEIGHT) == Verdict::Lost;
        assert!((30..200).any(is_lost));
    }
}
