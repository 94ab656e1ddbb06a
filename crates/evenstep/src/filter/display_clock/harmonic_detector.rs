//! Harmonic detector: finds false locks to a multiple of the display's refresh rate.

use super::constants::{HARMONIC_FRAMES, SAME_REFRESHES};

/// Counts the refreshes that each frame of a window took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct HarmonicDetector {
    frames: f64,
    sum: f64,
    /// The number of refreshes that most frames take, and by how many votes it leads: R. Boyer, J. Moore, *MJRTY* (1991).
    majority: f64,
    votes: f64,
}

impl HarmonicDetector {
    /// Before the first frame of a window.
    pub(super) const NONE: Self = Self {
        frames: 0.0,
        sum: 0.0,
        majority: 0.0,
        votes: 0.0,
    };

    /// Counts a frame. At the end of a window, returns whether the lock is false: most frames took the same number of refreshes, more than
    /// one, and longer and shorter frames cancel out. Then the shorter ones were preceded by late timestamps, no refresh was missed, and
    /// the display's rate is a fraction of the grid's.
    pub(super) fn add(&mut self, refreshes: f64) -> bool {
        if self.votes == 0.0 {
            self.majority = refreshes;
        }
        let is_majority = (refreshes - self.majority).abs() < SAME_REFRESHES;
        self.votes += if is_majority { 1.0 } else { -1.0 };
        self.frames += 1.0;
        self.sum += refreshes;
        if self.frames < HARMONIC_FRAMES {
            return false;
        }
        let surplus = self.sum - self.frames * self.majority;
        let is_harmonic = self.majority > 1.0 + SAME_REFRESHES && surplus.abs() < self.majority - SAME_REFRESHES;
        *self = Self::NONE;
        is_harmonic
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_harmonic(refreshes: impl Fn(usize) -> f64) -> bool {
        let mut detector = HarmonicDetector::NONE;
        (0..2 * HARMONIC_FRAMES as usize).any(|frame| detector.add(refreshes(frame)))
    }

    #[test]
    fn frames_of_two_refreshes_with_late_timestamps_reveal_a_harmonic() {
        assert!(is_harmonic(|frame| [3.0, 1.0, 2.0, 2.0, 2.0][frame % 5]));
        assert!(is_harmonic(|frame| if frame % 30 < 2 {
            [3.0, 1.0][frame % 30]
        } else {
            2.0
        }));
    }

    #[test]
    fn missed_refreshes_and_cadences_are_no_harmonic() {
        assert!(!is_harmonic(|_| 1.0));
        assert!(!is_harmonic(|frame| if frame % 100 == 0 { 3.0 } else { 2.0 }));
        assert!(!is_harmonic(|frame| [2.0, 3.0, 2.0, 2.0, 3.0][frame % 5]));
        assert!(!is_harmonic(|frame| [1.0, 2.0][frame % 2]));
    }
}
