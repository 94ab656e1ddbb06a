//! Samples of how early inputs arrive, with low quantiles over a sliding window in bounded memory.

use alloc::collections::VecDeque;

/// For how long delays of the network are remembered: after it has improved, inputs arrive too early for as long.
const WINDOW_NANOS: i64 = 4_000_000_000;

/// One input of as many may be late, seven within the memory: fewer would need more latency.
const ONE_LATE_IN: u64 = 500;

/// Buckets of the window; the window slides by one at a time.
const BUCKETS: usize = 16;

/// One in this many buckets is left out: running further ahead after a burst of late packets comes too late for it.
const BUCKETS_PER_BURST: usize = 6;

/// The lowest samples that each bucket keeps: one more than the quantile may leave out.
const SAMPLES_PER_BUCKET: usize = 8;

/// Samples of the median and the lower quartile.
const MAX_RECENT: usize = 32;

/// How early inputs arrived in nanoseconds, less the clock gain when they were sent.
///
/// Each sixteenth of the window keeps only its eight lowest samples, which bounds the memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ArrivalSamples {
    buckets: [Bucket; BUCKETS],
    /// The index of the newest bucket since the beginning.
    newest: i64,
    recent: VecDeque<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bucket {
    count: u32,
    /// Ascending; the first `count` are valid.
    lowest: [i64; SAMPLES_PER_BUCKET],
}

impl ArrivalSamples {
    pub(super) fn new() -> Self {
        Self {
            buckets: [Bucket::EMPTY; BUCKETS],
            newest: 0,
            recent: VecDeque::new(),
        }
    }

    /// Forgets samples older than four seconds when the game has run for `ran` nanoseconds.
    pub(super) fn forget(&mut self, ran: i64) {
        let bucket = ran / (WINDOW_NANOS / BUCKETS as i64);
        let passed = bucket.saturating_sub(self.newest).clamp(0, BUCKETS as i64);
        for later in 1..=passed {
            self.buckets[(self.newest + later).rem_euclid(BUCKETS as i64) as usize] = Bucket::EMPTY;
        }
        // Where all are forgotten, any bucket can be the newest.
        self.newest = self.newest.max(bucket);
    }

    pub(super) fn add(&mut self, early: i64) {
        self.buckets[self.newest.rem_euclid(BUCKETS as i64) as usize].add(early);
        self.recent.push_back(early);
        if self.recent.len() > MAX_RECENT {
            self.recent.pop_front();
        }
    }

    /// Samples in the window.
    pub(super) fn count(&self) -> u32 {
        self.buckets
            .iter()
            .fold(0, |count: u32, bucket| count.saturating_add(bucket.count))
    }

    /// The low quantile: how early inputs arrive, with the worst buckets and a share of the other samples, seven at most, left out;
    /// none without samples.
    pub(super) fn low_quantile(&self) -> Option<i64> {
        let mut buckets = self.buckets;
        buckets.sort_unstable_by_key(|bucket| bucket.kept().first().copied().unwrap_or(i64::MAX));
        let filled = buckets.iter().filter(|bucket| bucket.count > 0).count();
        let mut lowest = Bucket::EMPTY;
        let mut count = 0_u64;
        for bucket in &buckets[filled / BUCKETS_PER_BURST..filled] {
            bucket.kept().iter().for_each(|early| lowest.add(*early));
            count += u64::from(bucket.count);
        }
        let left_out = (count / ONE_LATE_IN) as usize;
        let kept = lowest.kept();
        kept.get(left_out).or(kept.last()).copied()
    }

    /// The median and the lower quartile of the last samples.
    pub(super) fn recent(&self) -> Option<(i64, i64)> {
        let mut sorted = [0; MAX_RECENT];
        let sorted = &mut sorted[..self.recent.len()];
        sorted
            .iter_mut()
            .zip(&self.recent)
            .for_each(|(into, early)| *into = *early);
        sorted.sort_unstable();
        Some((*sorted.get(sorted.len() / 2)?, sorted[sorted.len() / 4]))
    }
}

impl Bucket {
    const EMPTY: Self = Self {
        count: 0,
        lowest: [0; SAMPLES_PER_BUCKET],
    };

    fn kept(&self) -> &[i64] {
        &self.lowest[..SAMPLES_PER_BUCKET.min(self.count as usize)]
    }

    fn add(&mut self, early: i64) {
        let at = self.kept().partition_point(|kept| *kept <= early);
        if at < SAMPLES_PER_BUCKET {
            self.lowest[at..].rotate_right(1);
            self.lowest[at] = early;
        }
        self.count = self.count.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeMap;
    use alloc::vec::Vec;

    use proptest::prelude::*;

    use super::*;

    /// The same from all samples of the window: those of its worst buckets, and then a share of the others, are left out.
    fn low_quantile(samples: &[(i64, i64)], newest: i64) -> Option<i64> {
        let mut buckets = BTreeMap::<i64, Vec<i64>>::new();
        for (bucket, early) in samples.iter().filter(|(bucket, _)| *bucket > newest - BUCKETS as i64) {
            buckets.entry(*bucket).or_default().push(*early);
        }
        let mut buckets: Vec<Vec<i64>> = buckets.into_values().collect();
        buckets.sort_by_key(|bucket| bucket.iter().min().copied());
        let mut others = buckets.split_off(buckets.len() / BUCKETS_PER_BURST).concat();
        others.sort_unstable();
        let left_out = (others.len() / ONE_LATE_IN as usize).min(SAMPLES_PER_BUCKET - 1);
        others.get(left_out).or(others.last()).copied()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn the_quantiles_are_those_of_all_samples_though_few_are_kept(
            // The time since the last arrival in milliseconds, and how early it is. Divided by `faster`, thousands are in the window.
            arrivals in prop::collection::vec((prop_oneof![199 => 0..20_i64, 1 => 0..5_000_i64], -1_000..1_000_i64), 1..5_000),
            faster in 1..30_i64,
        ) {
            let (mut samples, mut all, mut ran) = (ArrivalSamples::new(), Vec::new(), 0);
            for (number, (after, early)) in arrivals.iter().enumerate() {
                ran += after * 1_000_000 / faster;
                let (bucket, early) = (ran / (WINDOW_NANOS / BUCKETS as i64), early * 10_000 + number as i64); // no two are equal
                samples.forget(ran);
                samples.add(early);
                all.push((bucket, early));
                if number % 100 == 0 {
                    prop_assert_eq!(samples.low_quantile(), low_quantile(&all, bucket));
                    let mut last: Vec<i64> = all.iter().rev().take(MAX_RECENT).map(|(_, early)| *early).collect();
                    last.sort_unstable();
                    prop_assert_eq!(samples.recent(), Some((last[last.len() / 2], last[last.len() / 4])));
                }
            }
        }
    }
}
