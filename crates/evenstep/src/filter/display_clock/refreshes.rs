//! Tells a grid of refreshes from one whose rate is a multiple of the display's.

/// Frames over which refreshes are counted.
const WINDOW: f64 = 512.0;

/// Numbers of refreshes that differ by less are equal.
const EQUAL: f64 = 0.25;

/// The refreshes that each frame took, over a window of frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RefreshesPerFrame {
    frames: f64,
    sum: f64,
    /// What most frames take, and how many more votes it has than all others: R. Boyer, J. Moore, *MJRTY* (1991).
    usual: f64,
    votes: f64,
}

impl RefreshesPerFrame {
    /// Of no frame.
    pub(super) const NONE: Self = Self {
        frames: 0.0,
        sum: 0.0,
        usual: 0.0,
        votes: 0.0,
    };

    /// Counts a frame. Answers, at the end of a window, whether frames took several refreshes each and none was missed: what some took
    /// more, others took less. Then those frames were read late, and the display's rate is a part of the grid's.
    pub(super) fn add(&mut self, refreshes: f64) -> bool {
        if self.votes == 0.0 {
            self.usual = refreshes;
        }
        let is_usual = (refreshes - self.usual).abs() < EQUAL;
        self.votes += if is_usual { 1.0 } else { -1.0 };
        self.frames += 1.0;
        self.sum += refreshes;
        if self.frames < WINDOW {
            return false;
        }
        let more = self.sum - self.frames * self.usual;
        let is_multiple = self.usual > 1.0 + EQUAL && more.abs() < self.usual - EQUAL;
        *self = Self::NONE;
        is_multiple
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_multiple(refreshes: impl Fn(usize) -> f64) -> bool {
        let mut counted = RefreshesPerFrame::NONE;
        (0..2 * WINDOW as usize).any(|frame| counted.add(refreshes(frame)))
    }

    #[test]
    fn frames_that_take_two_refreshes_and_are_late_by_one_now_and_then_prove_a_multiple() {
        assert!(is_multiple(|frame| [3.0, 1.0, 2.0, 2.0, 2.0][frame % 5]));
        assert!(is_multiple(|frame| if frame % 30 < 2 {
            [3.0, 1.0][frame % 30]
        } else {
            2.0
        }));
    }

    #[test]
    fn frames_that_miss_refreshes_or_have_a_rate_of_their_own_prove_none() {
        assert!(!is_multiple(|_| 1.0));
        assert!(!is_multiple(|frame| if frame % 100 == 0 { 3.0 } else { 2.0 }));
        assert!(!is_multiple(|frame| [2.0, 3.0, 2.0, 2.0, 3.0][frame % 5]));
        assert!(!is_multiple(|frame| [1.0, 2.0][frame % 2]));
    }
}
