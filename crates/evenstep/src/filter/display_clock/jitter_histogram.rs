//! Jitter histogram: the density of timestamp deviations, as learned.
//!
//! Small deviations are counted in a core with bins of half the mean absolute innovation, all others in a tail with bins of an eighth
//! of a period. Deviations that were never observed have the density of a heavy-tailed distribution.

use super::constants::{
    CORE, CORE_PRIOR, CORE_WIDTH, KERNEL_ADJACENT, KERNEL_CENTRE, MAX_USUAL, OUTER_WIDTH, PER_PERIOD, REMEMBERED, TAIL,
    TAIL_PRIOR,
};
use crate::numeric::rounding::floor;

/// The histogram. See [the module](self). Deviations are in periods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct JitterHistogram {
    core: [u16; CORE],
    tail: [u16; TAIL],
    core_total: u16,
    tail_total: u16,
    /// The sum of the absolute deviations counted in the tail.
    tail_sum: f64,
}

impl JitterHistogram {
    pub(super) const fn new() -> Self {
        Self {
            core: [0; CORE],
            tail: [0; TAIL],
            core_total: 0,
            tail_total: 0,
            tail_sum: 0.0,
        }
    }

    /// The bin of a deviation; `scale` is the mean absolute innovation.
    pub(super) fn bin(deviation: f64, scale: f64) -> u8 {
        let halves = floor(2.0 * deviation / scale) + 2.0 * CORE_WIDTH;
        if (0.0..CORE as f64).contains(&halves) {
            halves as u8
        } else {
            let eighths = floor(deviation * PER_PERIOD) + PER_PERIOD;
            CORE as u8 + eighths.clamp(0.0, TAIL as f64 - 1.0) as u8
        }
    }

    /// Counts a timestamp in a bin.
    pub(super) fn add(&mut self, bin: u8) {
        match usize::from(bin).checked_sub(CORE) {
            None => {
                self.core[usize::from(bin)] += 1;
                self.core_total += 1;
            }
            Some(index) => {
                self.tail[index] += 1;
                self.tail_total += 1;
                self.tail_sum += bin_centre(index);
            }
        }
        if self.core_total + self.tail_total > REMEMBERED {
            self.forget();
        }
    }

    /// Halves all counts.
    fn forget(&mut self) {
        self.core_total = halve(&mut self.core);
        self.tail_total = halve(&mut self.tail);
        let counts = self.tail.iter().enumerate();
        self.tail_sum = counts.map(|(index, count)| f64::from(*count) * bin_centre(index)).sum();
    }

    /// The density of a deviation in its bin, per period; `scale` is the mean absolute innovation.
    pub(super) fn density(&self, bin: u8, deviation: f64, scale: f64) -> f64 {
        let bin = usize::from(bin);
        let total = f64::from(self.core_total + self.tail_total) + CORE_PRIOR * CORE as f64 + TAIL_PRIOR;
        let count_per_period = match bin.checked_sub(CORE) {
            None => (f64::from(self.core[bin]) + CORE_PRIOR) / (0.5 * scale),
            Some(index) => self.kernel_density(index, deviation) + self.heavy_tail(deviation, scale),
        };
        count_per_period / total
    }

    /// The contribution of timestamps in the same and in adjacent bins of the tail.
    fn kernel_density(&self, index: usize, deviation: f64) -> f64 {
        let last = TAIL - 1;
        let adjacent = self.tail[index.saturating_sub(1)] + self.tail[(index + 1).min(last)];
        let count = KERNEL_CENTRE * f64::from(self.tail[index]) + KERNEL_ADJACENT * f64::from(adjacent);
        let is_outer = index == 0 || index == last;
        count * PER_PERIOD
            / if is_outer {
                OUTER_WIDTH.max(deviation * deviation)
            } else {
                1.0
            }
    }

    /// The contribution of all timestamps in the tail: a Lomax distribution (K. Lomax, 1954), which falls with the third power, and
    /// with the fifth from [`MAX_USUAL`] on.
    fn heavy_tail(&self, deviation: f64, scale: f64) -> f64 {
        let count = f64::from(self.tail_total);
        let mean = (self.tail_sum + TAIL_PRIOR) / (count + 1.0);
        let mean = mean.max(CORE_WIDTH * scale);
        let share = mean / (mean + deviation.abs());
        let cutoff = (MAX_USUAL / deviation.abs()).min(1.0);
        let heavy_tail = 1.0 - KERNEL_CENTRE - 2.0 * KERNEL_ADJACENT;
        (heavy_tail * count + TAIL_PRIOR) * 2.0 * share * share * share * cutoff * cutoff / mean
    }
}

/// The absolute deviation at the centre of a bin of the tail.
fn bin_centre(index: usize) -> f64 {
    (index as f64 + 0.5 - PER_PERIOD).abs() / PER_PERIOD
}

/// Halves counts and returns their sum. Remainders carry over to the next count: rounded down, rare events would be forgotten
/// sooner than frequent ones.
pub(super) fn halve(counts: &mut [u16]) -> u16 {
    let mut remainder = 0;
    for count in &mut *counts {
        let whole = *count + remainder;
        (*count, remainder) = (whole / 2, whole % 2);
    }
    counts.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCALE: f64 = 0.02;

    fn after(timestamps: &[(f64, usize)]) -> JitterHistogram {
        let mut histogram = JitterHistogram::new();
        for (late, times) in timestamps {
            (0..*times).for_each(|_| histogram.add(JitterHistogram::bin(*late, SCALE)));
        }
        histogram
    }

    fn density(histogram: &JitterHistogram, late: f64) -> f64 {
        histogram.density(JitterHistogram::bin(late, SCALE), late, SCALE)
    }

    #[test]
    fn frequent_deviations_are_more_likely_than_rare_ones() {
        let histogram = after(&[(0.0, 900), (0.5, 100)]);
        let density = |late: f64| density(&histogram, late);
        assert!(density(0.0) > density(0.5) && density(0.5) > 50.0 * density(1.5));
    }

    #[test]
    fn the_density_of_unobserved_deviations_is_positive_and_falls_with_their_size() {
        let histogram = after(&[(0.0, 1000), (0.3, 10)]);
        let far = [0.6, 1.0, 2.0, 3.0, 5.0, 50.0].map(|late| density(&histogram, late));
        assert!(far.windows(2).all(|pair| pair[0] > pair[1] && pair[1] > 0.0), "{far:?}");
    }

    #[test]
    fn old_timestamps_are_forgotten_and_counts_stay_bounded() {
        let histogram = after(&[(0.5, 1000), (0.0, 200_000)]);
        assert!(histogram.core_total + histogram.tail_total <= REMEMBERED);
        assert_eq!(histogram.tail.iter().sum::<u16>(), 0);
    }

    #[test]
    fn rare_late_timestamps_are_remembered_as_often_and_as_late_as_they_are() {
        for every in [10, 100, 1_000] {
            let mut histogram = JitterHistogram::new();
            // Each of the five deviations is rarer still.
            for frame in 0..100_000 {
                let late = [0.2, 0.3, 0.45, 0.55, 0.7][frame / every % 5];
                histogram.add(JitterHistogram::bin(if frame % every == 0 { late } else { 0.0 }, SCALE));
            }
            let mean = histogram.tail_sum / f64::from(histogram.tail_total);
            assert!((mean - 0.44).abs() < 0.11, "one in {every}: {mean} periods late");
            let share = f64::from(histogram.tail_total) / f64::from(histogram.core_total + histogram.tail_total);
            assert!((share * every as f64 - 1.0).abs() < 0.3, "one in {every}: {share}");
        }
    }

    #[test]
    fn densities_add_up_to_about_one() {
        let histogram = after(&[(0.0, 500), (-0.01, 300), (0.4, 50), (1.0, 20)]);
        let sum: f64 = (-20_000..20_000)
            .map(|step| density(&histogram, f64::from(step) / 1000.0) / 1000.0)
            .sum();
        assert!((0.9..1.1).contains(&sum), "{sum}");
    }
}
