//! Percentiles of the last lengths of time.

use core::time::Duration;

use super::loop_report::Timing;
use crate::time::{duration_from_nanos, saturating_nanos};

/// The last `WINDOW` lengths of time, kept sorted, so that a percentile is a look-up. Adding one moves at most `WINDOW` numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rolling<const WINDOW: usize> {
    /// In nanoseconds, in the order in which they came.
    recent: [u64; WINDOW],
    sorted: [u64; WINDOW],
    count: u64,
    sum: u128,
    longest: u64,
}

impl<const WINDOW: usize> Rolling<WINDOW> {
    pub(super) const fn new() -> Self {
        Self {
            recent: [0; WINDOW],
            sorted: [0; WINDOW],
            count: 0,
            sum: 0,
            longest: 0,
        }
    }

    pub(super) fn push(&mut self, length: Duration) {
        let nanos = saturating_nanos(length);
        let filled = self.filled();
        let place = (self.count % WINDOW.max(1) as u64) as usize;
        self.count += 1;
        self.sum = self.sum.saturating_add(nanos.into());
        self.longest = self.longest.max(nanos);
        let Some(recent) = self.recent.get_mut(place) else {
            return;
        };
        let oldest = core::mem::replace(recent, nanos);
        // The free index among the sorted values: after them, or that of the oldest.
        let free = if filled < WINDOW {
            filled
        } else {
            self.sorted.partition_point(|other| *other < oldest)
        };
        let to = self.sorted[..filled].partition_point(|other| *other < nanos);
        let to = if free < to {
            self.sorted.copy_within(free + 1..to, free);
            to - 1
        } else {
            self.sorted.copy_within(to..free, to + 1);
            to
        };
        self.sorted[to] = nanos;
    }

    pub(super) fn timing(&self) -> Timing {
        Timing {
            mean: duration_from_nanos(self.sum / u128::from(self.count.max(1))),
            p50: self.percentile(50),
            p99: self.percentile(99),
            longest: Duration::from_nanos(self.longest),
        }
    }

    /// By the nearest rank; zero of none.
    fn percentile(&self, percent: usize) -> Duration {
        let rank = (self.filled() * percent).div_ceil(100);
        let nanos = self.sorted.get(rank.saturating_sub(1));
        Duration::from_nanos(nanos.copied().unwrap_or(0))
    }

    fn filled(&self) -> usize {
        usize::try_from(self.count).unwrap_or(WINDOW).min(WINDOW)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use proptest::prelude::*;

    use super::*;

    fn hold<const WINDOW: usize>(lengths: &[u64]) {
        let mut rolling = Rolling::<WINDOW>::new();
        for (at, length) in lengths.iter().enumerate() {
            rolling.push(Duration::from_nanos(*length));
            let mut window: Vec<u64> = lengths[(at + 1).saturating_sub(WINDOW)..=at].to_vec();
            window.sort_unstable();
            assert_eq!(rolling.sorted[..rolling.filled()], window[..]);
            let rank = |percent: usize| (window.len() * percent).div_ceil(100).saturating_sub(1);
            let of = |percent| Duration::from_nanos(window.get(rank(percent)).copied().unwrap_or(0));
            let timing = rolling.timing();
            assert_eq!((timing.p50, timing.p99), (of(50), of(99)));
        }
        let all = lengths.iter().copied();
        let timing = rolling.timing();
        assert_eq!(timing.longest, Duration::from_nanos(all.clone().max().unwrap_or(0)));
        let mean = all.sum::<u64>() / lengths.len().max(1) as u64;
        assert_eq!(timing.mean, Duration::from_nanos(mean));
    }

    proptest! {
        #[test]
        fn percentiles_are_those_of_the_sorted_window(lengths in prop::collection::vec(0_u64..50, 0..200)) {
            hold::<7>(&lengths);
            hold::<1>(&lengths);
            hold::<64>(&lengths);
            hold::<0>(&lengths);
        }
    }
}
