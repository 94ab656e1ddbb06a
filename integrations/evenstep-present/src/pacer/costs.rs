//! The costs of the last frames, and their percentiles.

use core::time::Duration;

/// Costs that are required before percentiles are used.
const LEAST: usize = 8;

/// The costs of the last frames, in nanoseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Costs<const WINDOW: usize> {
    ring: [u64; WINDOW],
    count: usize,
    next: usize,
}

impl<const WINDOW: usize> Costs<WINDOW> {
    pub(super) const fn new() -> Self {
        const { assert!(WINDOW >= LEAST, "percentiles need a window of at least eight frames") };
        Self {
            ring: [0; WINDOW],
            count: 0,
            next: 0,
        }
    }

    pub(super) fn add(&mut self, cost: Duration) {
        self.ring[self.next] = u64::try_from(cost.as_nanos()).unwrap_or(u64::MAX);
        self.next = (self.next + 1) % WINDOW;
        self.count = (self.count + 1).min(WINDOW);
    }

    /// The cost that `percent` of the frames do not exceed, by the nearest rank; none before there are enough.
    pub(super) fn percentile(&self, percent: f64) -> Option<Duration> {
        if self.count < LEAST {
            return None;
        }
        let rank = (percent / 100.0 * self.count as f64 + (1.0 - 1e-9)) as usize;
        let mut costs = self.ring;
        let (_, cost, _) = costs[..self.count].select_nth_unstable(rank.clamp(1, self.count) - 1);
        Some(Duration::from_nanos(*cost))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_that_of_the_newest_frames() {
        let mut costs = Costs::<100>::new();
        for cost in 1..=1_000_u64 {
            costs.add(Duration::from_nanos(cost * 7_919 % 1_000));
            costs.add(Duration::from_nanos(cost));
        }
        let newest = |n: u64| {
            [
                Duration::from_nanos((951 + n) * 7_919 % 1_000),
                Duration::from_nanos(951 + n),
            ]
        };
        let mut expected: [Duration; 100] = core::array::from_fn(|at| newest(at as u64 / 2)[at % 2]);
        expected.sort_unstable();
        for (percent, rank) in [(0.0, 1), (1.0, 1), (50.0, 50), (99.0, 99), (99.5, 100), (100.0, 100)] {
            assert_eq!(costs.percentile(percent), Some(expected[rank - 1]), "{percent} %");
        }
    }

    #[test]
    fn seven_frames_say_nothing() {
        let mut costs = Costs::<8>::new();
        for _ in 0..7 {
            costs.add(Duration::MAX);
            assert_eq!(costs.percentile(50.0), None);
        }
        costs.add(Duration::ZERO);
        assert_eq!(costs.percentile(0.0), Some(Duration::ZERO));
        assert_eq!(costs.percentile(100.0), Some(Duration::from_nanos(u64::MAX)));
    }
}
