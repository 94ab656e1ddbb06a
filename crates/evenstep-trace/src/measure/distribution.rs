//! The distribution of any number of values, in bounded memory.

use std::ops::Range;

/// The number of buckets in an octave, as bits of the mantissa. A bucket's width is 1/16384 of its values, 1 µs at 16 ms.
const BITS: u32 = 14;

/// The number of buckets that are allocated together.
const PAGE: usize = 256;

/// Values below this range share one bucket, and so do values above it: 61 ns and 70 minutes, in milliseconds.
const RANGE: Range<f64> = 1.0 / 16384.0..4_194_304.0;

/// Counts values from zero up in buckets of proportional width, as Tene's HdrHistogram does. Count, mean, standard deviation and maximum
/// are exact; other statistics use the mean of each bucket. Without values, each is 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct Distribution {
    pages: Vec<Option<Box<[Mean; PAGE]>>>,
    all: Mean,
    max: f64,
    /// The sum of the squared differences from the first value.
    off_squares: f64,
}

/// The mean of values. Differences from the first one are added up, so it is exact if they are equal.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    count: usize,
    first: f64,
    /// The sum of the differences from the first value.
    off: f64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        if self.count == 0 {
            self.first = value;
        }
        self.count += 1;
        self.off += value - self.first;
    }

    fn value(&self) -> f64 {
        self.first + self.off / self.count.max(1) as f64
    }
}

impl Distribution {
    pub(crate) fn add(&mut self, value: f64) {
        let place = place(value);
        let page = place / PAGE;
        if page >= self.pages.len() {
            self.pages.resize_with(page + 1, || None);
        }
        let page = self.pages[page].get_or_insert_with(|| Box::new([Mean::default(); PAGE]));
        page[place % PAGE].add(value);
        self.all.add(value);
        let off = value - self.all.first;
        self.off_squares += off * off;
        self.max = self.max.max(value);
    }

    pub(crate) fn count(&self) -> usize {
        self.all.count
    }

    pub(crate) fn mean(&self) -> f64 {
        self.all.value()
    }

    pub(crate) fn max(&self) -> f64 {
        self.max
    }

    /// The standard deviation.
    pub(crate) fn std(&self) -> f64 {
        self.variance().sqrt()
    }

    /// The root mean square.
    pub(crate) fn rms(&self) -> f64 {
        let mean = self.mean();
        (self.variance() + mean * mean).sqrt()
    }

    fn variance(&self) -> f64 {
        let count = self.count().max(1) as f64;
        ((self.off_squares - self.all.off * self.all.off / count) / count).max(0.0)
    }

    /// The value that `percent` of the values do not exceed, by the nearest-rank method.
    pub(crate) fn percentile(&self, percent: f64) -> f64 {
        let rank = (percent / 100.0 * self.count() as f64 - 1e-9).ceil() as usize;
        let mut left = rank.clamp(1, self.count().max(1));
        for (value, count) in self.ascending() {
            if left <= count {
                return value.min(self.max);
            }
            left -= count;
        }
        self.max
    }

    /// Values with their counts, ascending.
    pub(crate) fn ascending(&self) -> impl DoubleEndedIterator<Item = (f64, usize)> {
        let buckets = self.pages.iter().flatten().flat_map(|page| page.iter());
        let taken = buckets.filter(|bucket| bucket.count > 0);
        taken.map(|bucket| (bucket.value(), bucket.count))
    }
}

/// The bucket of a value: its leading bits. The bits of positive doubles increase with their values.
fn place(value: f64) -> usize {
    let bucket = |value: f64| value.to_bits() >> (52 - BITS);
    let Range { start, end } = RANGE;
    if value >= start {
        (bucket(value.min(end)) - bucket(start)) as usize + 1
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn distribution(values: &[f64]) -> Distribution {
        let mut distribution = Distribution::default();
        values.iter().for_each(|value| distribution.add(*value));
        distribution
    }

    #[test]
    fn equal_values_are_returned_exactly() {
        let equal = distribution(&[16.7; 1000]);
        assert_eq!(
            (equal.percentile(1.0), equal.percentile(99.0), equal.std()),
            (16.7, 16.7, 0.0)
        );
        assert_eq!((equal.mean(), equal.max(), equal.rms()), (16.7, 16.7, 16.7));
    }

    #[test]
    fn values_out_of_range_are_counted_at_its_ends() {
        let ends = distribution(&[0.0, 1e-9, 1e13]);
        assert_eq!((ends.count(), ends.max(), ends.percentile(100.0)), (3, 1e13, 1e13));
        assert!(ends.percentile(50.0) < 1e-8);
    }

    proptest! {
        #[test]
        fn percentiles_are_those_of_the_sorted_values(
            values in prop::collection::vec(0.001..1e5_f64, 1..300),
            percent in 0.0..100.0_f64,
        ) {
            let mut sorted = values.clone();
            sorted.sort_by(f64::total_cmp);
            let rank = ((percent / 100.0 * values.len() as f64 - 1e-9).ceil() as usize).max(1);
            let (exact, ours) = (sorted[rank - 1], distribution(&values).percentile(percent));
            prop_assert!((ours - exact).abs() <= exact / 16384.0, "{ours} for {exact}");
        }

        #[test]
        fn mean_and_deviation_are_those_of_the_values(values in prop::collection::vec(0.0..1e3_f64, 1..300)) {
            let count = values.len() as f64;
            let mean = values.iter().sum::<f64>() / count;
            let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
            let ours = distribution(&values);
            prop_assert!((ours.mean() - mean).abs() < 1e-9);
            prop_assert!((ours.std() - (squares / count).sqrt()).abs() < 1e-4);
            let sum: f64 = ours.ascending().map(|(value, count)| value * count as f64).sum();
            prop_assert_eq!(ours.ascending().map(|(_, count)| count).sum::<usize>(), values.len());
            prop_assert!((sum - values.iter().sum::<f64>()).abs() < 1e-6);
        }
    }

    #[test]
    fn the_ends_of_the_range_have_places_of_their_own() {
        let low = RANGE.start;
        assert_eq!([0.0, low / 2.0, low, 1.0001 * low].map(place), [0, 0, 1, 2]);
        assert_eq!(place(RANGE.end), place(2.0 * RANGE.end));
    }
}
